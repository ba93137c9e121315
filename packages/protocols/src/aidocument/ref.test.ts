import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { documentRef } from './ref.ts';
import type { AIDocument } from './types.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

describe('RFC 8785', () => {
	it('§3.2.2 writes the example of the RFC', () => {
		const value = JSON.parse(
			'{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
		);
		expect(canonicalJson(value)).toBe(
			'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
		);
	});

	it('§3.2.3 sorts names by UTF-16 code units', () => {
		const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
		const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])))!;
		expect(Object.keys(JSON.parse(text)).filter((name) => name !== '1')).toEqual([
			'\r',
			'\u0080',
			'\u00f6',
			'\u20ac',
			'\u{1f600}',
			'\ufb33',
		]);
		expect(text.startsWith('{"\\r":0,"1":0,')).toBe(true);
	});

	it('refuses what has no canonical form', () => {
		expect(
			[Number.NaN, 1 / 0, '\ud800', { '\udc00': 1 }, [undefined], undefined, () => 0].map((value) =>
				canonicalJson(value),
			),
		).toEqual(Array(7).fill(undefined));
		expect(canonicalJson(JSON.parse('['.repeat(5000) + ']'.repeat(5000)))).toBeUndefined();
		expect(canonicalJson([-0, { a: undefined }])).toBe('[0,{}]');
	});

	it('does not depend on the order of keys, and reads back as the same value', () => {
		const shuffle = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(shuffle);
			if (typeof value !== 'object' || value === null) return value;
			return Object.fromEntries(
				Object.entries(value)
					.reverse()
					.map(([name, inner]) => [name, shuffle(inner)]),
			);
		};
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const text = canonicalJson(value);
				fc.pre(text !== undefined);
				expect(canonicalJson(shuffle(value))).toBe(text);
				expect(JSON.parse(text!)).toEqual(JSON.parse(JSON.stringify(value)));
			}),
		);
	});
});

const document: AIDocument = {
	schema: { name: 'AIDocument', version: '2.0' },
	source: {
		url: 'https://example.com/a',
		canonical_url: 'https://example.com/',
		fetched_at: '2026-05-13T12:34:56Z',
		render_mode: 'static',
		status_code: 200,
		freshness_policy: 'cache_first',
	},
	cache: { status: 'miss', origin_contacted: true, body_fetched: true },
	identity: { title: 'T', description: 'D', language: 'en', content_type: 'article' },
	content: { markdown: '# T' },
	structure: {
		headings: [{ level: 1, text: 'T' }],
		links: [{ url: 'https://example.com/b', internal: true }],
		images: [{ url: 'https://example.com/i.png' }],
		structured_data: { Article: { name: 'T' } },
	},
	signals: { has_json_ld: true, heading_hierarchy_ok: true },
};

describe('schema.ref', () => {
	it('AWI-11 is aidoc:sha256: and 32 hex digits of SHA-256 over the eleven fields', () => {
		const ref = documentRef(document, sha256);
		expect(ref).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
		const text =
			'{"canonical_url":"https://example.com/","content_type":"article","description":"D",' +
			'"headings":[{"level":1,"text":"T"}],"images":[{"url":"https://example.com/i.png"}],"language":"en",' +
			'"links":[{"internal":true,"url":"https://example.com/b"}],"markdown":"# T",' +
			'"structured_data":{"Article":{"name":"T"}},"title":"T","url":"https://example.com/a"}';
		expect(ref).toBe(`aidoc:sha256:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`);
	});

	it('AWI-12 does not depend on volatile fields', () => {
		const later = structuredClone(document);
		later.source = {
			url: document.source.url,
			canonical_url: 'https://example.com/',
			freshness_policy: 'force_refresh',
		};
		later.cache = { status: 'hit', origin_contacted: false, body_fetched: false };
		later.signals = { word_count: 9, has_json_ld: false, heading_hierarchy_ok: false };
		expect(documentRef(later, sha256)).toBe(documentRef(document, sha256));
	});

	it('AWI-13 changes with each of the eleven fields', () => {
		const changes: ((changed: AIDocument) => void)[] = [
			(changed) => {
				changed.source.url += '?';
			},
			(changed) => {
				delete changed.source.canonical_url;
			},
			(changed) => {
				changed.identity.title = 'U';
			},
			(changed) => {
				delete changed.identity.description;
			},
			(changed) => {
				changed.identity.language = 'fr';
			},
			(changed) => {
				delete changed.identity.content_type;
			},
			(changed) => {
				changed.content.markdown = '# U';
			},
			(changed) => {
				changed.structure.headings![0]!.level = 2;
			},
			(changed) => {
				changed.structure.links![0]!.internal = false;
			},
			(changed) => {
				delete changed.structure.images;
			},
			(changed) => {
				changed.structure.structured_data = {};
			},
		];
		const refs = changes.map((change) => {
			const changed = structuredClone(document);
			change(changed);
			return documentRef(changed, sha256);
		});
		expect(new Set([...refs, documentRef(document, sha256)]).size).toBe(12);
	});

	it('a page that canonical JSON cannot hold has a ref too, the same after the document was written and read', () => {
		const odd = structuredClone(document);
		odd.identity.title = 'half \ud83d';
		odd.structure.structured_data = JSON.parse(`{"x":1e999,"\\ud800":1,"deep":${'['.repeat(4000)}${']'.repeat(4000)}}`);
		expect(documentRef(odd, sha256)).toMatch(/^aidoc:sha256:/);
		odd.structure.structured_data = JSON.parse('{"x":1e999,"y":"\\udc00"}');
		expect(documentRef(JSON.parse(JSON.stringify(odd)), sha256)).toBe(documentRef(odd, sha256));
	});
});
