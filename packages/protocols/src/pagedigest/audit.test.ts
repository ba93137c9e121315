import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditDigest, digestOf, type ManifestEntry, sampleAudits } from './index.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const body = new TextEncoder().encode('hello');
const entry = { rev: 1, digest: digestOf(body, sha256) };
const verdict = (response: object) => auditDigest(entry, { status: 200, body, ...response }, sha256);

describe('auditDigest, pagedigest §5.2', () => {
	it('PD-42 the hash of the body decides', () => {
		expect(entry.digest).toBe('sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
		expect(verdict({})).toEqual({ verdict: 'match' });
		expect(verdict({ contentEncoding: 'identity', vary: 'Accept-Encoding, accept-encoding' })).toEqual({
			verdict: 'match',
		});
		const other = new TextEncoder().encode('hello!');
		expect(verdict({ body: other })).toEqual({
			verdict: 'mismatch',
			expected: entry.digest,
			actual: digestOf(other, sha256),
		});
	});

	it('PD-44 redirects, errors and partial answers prove nothing', () => {
		for (const status of [301, 304, 404, 500, 203, 204, 206]) {
			expect(verdict({ status }), String(status)).toEqual({ verdict: 'inconclusive', reason: 'status' });
		}
	});

	it('AMB-96 nor do answers that differ by client, are encoded or cut short, or have no digest', () => {
		const reason = (response: object) => (verdict(response) as { reason?: string }).reason;
		expect(reason({ vary: 'Accept-Encoding, User-Agent' })).toBe('varies');
		expect(reason({ vary: '*' })).toBe('varies');
		expect(reason({ contentEncoding: 'gzip' })).toBe('encoded');
		expect(reason({ truncated: true })).toBe('truncated');
		expect(auditDigest({ rev: 1 }, { status: 200, body }, sha256)).toEqual({
			verdict: 'inconclusive',
			reason: 'no-digest',
		});
	});
});

describe('sampleAudits', () => {
	const entries = new Map(Array.from({ length: 10_000 }, (_, index) => [`/${index}`, entry]));
	/** A small seeded generator (mulberry32). */
	const seeded = (seed: number) => () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};

	it('PD-43 about one in a hundred, all over the site; none at rate 0', () => {
		const drawn = sampleAudits(entries.keys(), entries, 0.01, seeded(1));
		expect(drawn.length).toBeGreaterThan(70);
		expect(drawn.length).toBeLessThan(130);
		const places = new Set(drawn.map((key) => Math.floor(Number(key.slice(1)) / 1000)));
		expect(places.size).toBe(10);
		expect(sampleAudits(entries.keys(), entries, 0, () => 0)).toEqual([]);
	});

	it('draws only what has a digest', () => {
		expect(
			sampleAudits(['/a', '/0'], new Map<string, ManifestEntry>([...entries, ['/a', { rev: 1 }]]), 1, () => 0),
		).toEqual(['/0']);
	});
});
