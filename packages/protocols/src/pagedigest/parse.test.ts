import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatManifest, isUrlKey, parseManifest, urlKey } from './index.ts';

interface Vector {
	readonly id: string;
	readonly requirements: readonly string[];
	readonly manifest?: unknown;
	readonly text?: string;
	readonly base64?: string;
	readonly problems: readonly string[];
	/** Said only where there are problems that leave the manifest valid. */
	readonly valid?: boolean;
}

const vectors = JSON.parse(
	readFileSync(new URL('../../../../vectors/pagedigest/manifests.json', import.meta.url), 'utf8'),
) as Vector[];

describe('manifests: vectors/pagedigest/manifests.json', () => {
	it.each(vectors.map((vector) => [[...vector.requirements, vector.id].join(' '), vector] as const))(
		'%s',
		(_, vector) => {
			const { manifest, text = JSON.stringify(manifest), base64 } = vector;
			const { value, problems } = parseManifest(base64 === undefined ? text : Buffer.from(base64, 'base64'));
			expect(problems.map(({ code }) => code)).toEqual(vector.problems);
			expect(value !== undefined).toBe(vector.valid ?? vector.problems.length === 0);
		},
	);
});

const text = (entries: object) =>
	JSON.stringify({ version: 1, generated: '2026-04-17T12:00:00Z', site_rev: 5, entries }, undefined, 2);

describe('parseManifest', () => {
	it('AMB-90 one bad key voids the manifest, and the problem names its place', () => {
		const { value, problems } = parseManifest(text({ '/': { rev: 1 }, '/a#b': { rev: 1 } }));
		expect(value).toBeUndefined();
		expect(problems).toEqual([
			{ code: 'pagedigest-invalid-key', severity: 'error', line: 9, column: 5, args: { key: '/a#b' } },
		]);
	});

	it('PD-53 a manifest over the limit is not read', () => {
		const large = text({}).padEnd(11_000_000);
		expect(parseManifest(large).problems).toMatchObject([{ code: 'pagedigest-too-large' }]);
		expect(parseManifest(new TextEncoder().encode(large)).value).toBeUndefined();
		expect(parseManifest(large, { maxBytes: 11_000_000 }).value?.siteRev).toBe(5);
	});

	it('PD-55 keeps nothing of members that version 1 does not define', () => {
		const { value } = parseManifest(text({ '/': { rev: 1, extract: 'x' } }));
		expect([...value!.entries]).toEqual([['/', { rev: 1 }]]);
	});

	it('counts what is too much to list', () => {
		const entries = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${index}`, { rev: 1 }]));
		expect(parseManifest(text(entries)).problems.at(-1)).toMatchObject({
			code: 'pagedigest-omitted',
			args: { count: 2000 },
		});
	});

	it('never throws, and accepts no more than JSON.parse and the rules allow', () => {
		fc.assert(fc.property(fc.oneof(fc.string(), fc.uint8Array()), (input) => void parseManifest(input)));
		const value = fc.oneof(fc.jsonValue(), fc.nat(), fc.constantFrom(1, '2026-04-17T12:00:00Z', { rev: 1 }));
		const manifest = fc.record({
			version: fc.constantFrom(1, 2),
			generated: fc.constantFrom('2026-04-17T12:00:00Z', 'x'),
			site_rev: value,
			coverage: value,
			entries: fc.dictionary(
				fc.constantFrom('/', '/a', 'b', '/c d'),
				fc.record({ rev: value, digest: value }, { requiredKeys: [] }),
			),
		});
		fc.assert(
			fc.property(manifest, (file) => {
				const { value: read, problems } = parseManifest(JSON.stringify(file));
				expect(read === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
				if (read === undefined) return;
				expect(Number.isSafeInteger(read.siteRev) && read.siteRev >= 0).toBe(true);
				for (const [key, { rev }] of read.entries) expect(isUrlKey(key) && Number.isSafeInteger(rev)).toBe(true);
			}),
		);
	});

	it('reads back what formatManifest writes', () => {
		const { value } = parseManifest(
			JSON.stringify({
				version: 1,
				generated: '2026-04-17T12:00:00Z',
				site_rev: 9,
				coverage: { mode: 'prefixes', prefixes: ['/b/', '/'] },
				entries: {
					'/b/%20': { rev: 3, modified: '2026-04-17T12:00:00Z', digest: `sha256:${'0'.repeat(64)}` },
					'/': { rev: 1 },
				},
			}),
		);
		expect(parseManifest(formatManifest(value!))).toEqual({ value, problems: [] });
		const empty = { ...value!, entries: new Map() };
		expect(parseManifest(formatManifest(empty)).value).toEqual(empty);
	});
});

describe('urlKey', () => {
	it('is path and query as requested', () => {
		expect(urlKey('https://example.com')).toBe('/');
		expect(urlKey('https://example.com/a b?c#d')).toBe('/a%20b?c');
		expect(urlKey('https://example.com/about/?')).toBe('/about/');
		expect(urlKey('mailto:a@example.com')).toBeUndefined();
		expect(urlKey('https://example.com/[x]')).toBeUndefined();
		expect(urlKey('nonsense')).toBeUndefined();
	});
});
