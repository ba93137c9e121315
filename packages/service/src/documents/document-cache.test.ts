import type { Result } from '@wayleave/crawler';
import { expect, it } from 'vitest';
import { DocumentCache } from './document-cache.ts';

const page = (url: string, characters = 10, more: Partial<Result> = {}): Result => ({
	url,
	outcome: 'unchanged',
	depth: 0,
	at: '2026-11-28T12:00:00Z',
	document: {
		schema: { name: 'AIDocument', version: '2.0' },
		source: { url, freshness_policy: 'cache_first' },
		cache: { status: 'hit', origin_contacted: false, body_fetched: false },
		identity: {},
		content: { markdown: 'x'.repeat(characters) },
		structure: {},
		signals: { has_json_ld: false, heading_hierarchy_ok: false },
	},
	...more,
});

function stored(maxCharacters = 100_000) {
	let time = 0;
	const copies = new DocumentCache({ maxCharacters, ttl: 1000, now: () => time });
	const pass = (ms: number) => {
		time += ms;
	};
	return { copies, pass };
}

it('a copy is given for a second', () => {
	const { copies, pass } = stored();
	copies.put('a', page('a'));
	pass(999);
	expect(copies.get('a')).toEqual(page('a'));
	pass(1);
	expect(copies.get('a')).toBeUndefined();
});

it('a copy whose time is over can be compared with the store, until the store has no such page', () => {
	const { copies, pass } = stored();
	copies.put('a', page('a'));
	pass(2000);
	expect([copies.get('a'), copies.last('a')]).toEqual([undefined, page('a')]);
	copies.put('a', undefined);
	expect(copies.last('a')).toBeUndefined();
	copies.put('b', page('b'));
	copies.forget('b');
	expect(copies.last('b')).toBeUndefined();
});

it('a page that was fetched again is forgotten under all its addresses', () => {
	const { copies } = stored();
	copies.put('new', page('new'));
	copies.put('old', page('old', 10, { redirectedTo: 'new' }));
	copies.put('other', page('other'));
	copies.forget('new');
	expect(['new', 'old', 'other'].map((url) => copies.get(url) !== undefined)).toEqual([false, false, true]);
});

it('holds no more than its share, and lets go what was not used for longest', () => {
	const { copies } = stored(100_000);
	for (let number = 0; number < 20; number++) {
		copies.put(`p${number}`, page(`p${number}`, 4000));
		copies.get('p0');
	}
	const kept = Array.from({ length: 20 }, (_, number) => number).filter((number) => copies.get(`p${number}`));
	expect(kept).toEqual([0, 12, 13, 14, 15, 16, 17, 18, 19]);
	copies.put('large', page('large', 90_000));
	expect(copies.get('large')).toBeUndefined();
	expect(copies.get('p19')).toBeDefined();
});

it('does not cache results with an expiry of their own', () => {
	const { copies } = stored();
	const representation = { kind: 'som', why: 'announced', bytes: 1, freshUntil: '2026-11-28T12:00:01Z' } as const;
	copies.put('a', page('a', 10, { representation }));
	expect(copies.get('a')).toBeUndefined();
});
