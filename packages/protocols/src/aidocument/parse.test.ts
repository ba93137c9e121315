import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkShape } from './check.ts';
import { type AIDocument, aiDocumentSchema, checkAIDocument, formatAIDocument, parseAIDocument } from './index.ts';
import { aiDocumentProblems } from './problems.ts';

interface Vector {
	readonly title: string;
	readonly document: AIDocument;
	readonly problems: readonly { readonly code: keyof typeof aiDocumentProblems; readonly pointer: string }[];
}

const vectors = new URL('../../../../vectors/aidocument/', import.meta.url);
const cases: Vector[] = JSON.parse(readFileSync(new URL('documents.json', vectors), 'utf8'));
const example = cases[0]!.document;
const conforms = new Ajv2020().compile(aiDocumentSchema);

describe('documents', () => {
	it.each(cases)('$title', ({ document, problems }) => {
		const found = checkAIDocument(document);
		expect(found.map(({ code, args }) => ({ code, pointer: args.pointer }))).toEqual(problems);
		const isValid = problems.every(({ code }) => aiDocumentProblems[code].severity !== 'error');
		expect(conforms(document)).toBe(isValid);
		expect(parseAIDocument(document).value).toEqual(isValid ? document : undefined);
	});

	it('the published schema is the one that validates', () => {
		const published = JSON.parse(readFileSync(new URL('aidocument.schema.json', vectors), 'utf8'));
		expect(published).toEqual(JSON.parse(JSON.stringify(aiDocumentSchema)));
	});

	it('finds a fault exactly where ajv does, whatever is changed', () => {
		const paths = (value: unknown, path: string[] = []): string[][] =>
			typeof value === 'object' && value !== null
				? Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...paths(inner, [...path, name])])
				: [];
		const full = cases.find(({ title }) => title.startsWith('AWI-47 economics, complete'))!.document;
		const odd = fc.oneof(
			fc.jsonValue({ maxDepth: 1 }),
			fc.constantFrom(undefined, -1, 0.5, '2.1', 'hit', 'a://b', 1e21),
		);
		fc.assert(
			fc.property(fc.constantFrom(...paths(full)), odd, (path, value) => {
				const changed = structuredClone(full);
				let place = changed as unknown as Record<string, unknown>;
				for (const name of path.slice(0, -1)) place = place[name] as Record<string, unknown>;
				const last = path.at(-1)!;
				if (value === undefined && !Array.isArray(place)) delete place[last];
				else place[last] = value ?? null;
				expect(checkShape(changed).length === 0).toBe(conforms(changed));
			}),
			{ numRuns: 1000 },
		);
	});
});

describe('text', () => {
	it('problems have the line and column of the field, or of the group where it is missing', () => {
		const text = formatAIDocument({ ...example, cache: { status: 'warm' } } as unknown as AIDocument, { indent: 2 });
		const places = parseAIDocument(text).problems.map(({ line, column, args }) => [args.pointer, line, column]);
		const lineOf = (needle: string) => text.slice(0, text.indexOf(needle)).split('\n').length;
		expect(places).toEqual([
			['/cache/origin_contacted', lineOf('"cache"'), 3],
			['/cache/body_fetched', lineOf('"cache"'), 3],
			['/cache/status', lineOf('"status"'), 5],
		]);
	});

	it('names the place where JSON ends', () => {
		expect(parseAIDocument('{\n  "schema": {},,\n}').problems).toMatchObject([
			{ code: 'aidocument-not-json', severity: 'error', line: 2, column: 16 },
		]);
		expect(parseAIDocument('').problems).toMatchObject([{ code: 'aidocument-not-json', line: 1, column: 1 }]);
	});

	it('forgives a byte order mark and says so', () => {
		const { value, problems } = parseAIDocument(`\ufeff${formatAIDocument(example)}`);
		expect(value).toEqual(example);
		expect(problems).toMatchObject([{ code: 'aidocument-byte-order-mark', severity: 'warning', line: 1, column: 1 }]);
	});

	it('refuses bottomless nesting', () => {
		const deep = { ...example, structure: { structured_data: { x: 0 } } };
		const text = JSON.stringify(deep).replace('{"x":0}', `{"x":"[[","y":${'['.repeat(9999)}${']'.repeat(9999)}}`);
		expect(parseAIDocument(text).problems.map(({ code }) => code)).toEqual(['aidocument-too-deep']);
	});

	it('recognises only 1.0 and 2.x', () => {
		for (const text of ['null', '[]', '{}', '"x"', '{"schema":"AIDocument"}', '{"url":1}']) {
			expect(parseAIDocument(text).problems.map(({ code }) => code)).toEqual(['aidocument-unrecognised']);
		}
	});

	it('counts the problems that it does not list', () => {
		const links = Array.from({ length: 1500 }, () => ({}));
		const problems = checkAIDocument(JSON.stringify({ ...example, structure: { links } }));
		expect(problems.length).toBe(1001);
		expect(problems.at(-1)).toMatchObject({ code: 'aidocument-omitted', args: { count: 2000 } });
	});

	it('no text and no value throws', () => {
		fc.assert(fc.property(fc.string(), (text) => void parseAIDocument(text)));
		fc.assert(fc.property(fc.json(), (text) => void parseAIDocument(text)));
		fc.assert(fc.property(fc.anything(), (value) => void parseAIDocument(value)));
		const groups = fc.record(Object.fromEntries(Object.keys(example).map((name) => [name, fc.object()])));
		fc.assert(fc.property(groups, (value) => void parseAIDocument({ ...value, schema: example.schema })));
		fc.assert(fc.property(fc.object(), (value) => void parseAIDocument({ ...value, url: 'https://a.test/' })));
	});

	it('AWI-08 AWI-52 keeps fields of later revisions', () => {
		const later = { ...example, schema: { ...example.schema, version: '2.7' }, lineage: { from: 'x' } };
		expect(parseAIDocument(JSON.stringify(later))).toEqual({ value: later, problems: [] });
	});
});

const legacy = {
	url: 'https://example.com/a',
	canonical_url: 'https://example.com/',
	title: 'T',
	description: 'D',
	markdown: '# T\n\ntext',
	headings: [{ level: 1, text: 'T' }],
	links: [{ url: 'https://example.com/b', internal: true }],
	images: [{ url: 'https://example.com/i.png', alt: 'i' }],
	structured_data: { Article: { name: 'T' } },
	meta: { language: 'en', word_count: 2, reading_time: 1 },
	crawl: {
		fetched_at: '2026-05-10T00:00:00Z',
		status_code: 200,
		render_mode: 'static',
		fetch_duration_ms: 12,
		content_length: 345,
		user_agent: 'AIWebIndex/1.0',
	},
};

describe('migration from 1.0', () => {
	it('AWI-53 AWI-54 every mapped value is found at its new path', () => {
		const { value, problems } = parseAIDocument(JSON.stringify(legacy));
		expect(problems).toMatchObject([{ code: 'aidocument-migrated', severity: 'info', line: 1, column: 1 }]);
		expect(value).toEqual({
			schema: { name: 'AIDocument', version: '2.0' },
			source: {
				url: legacy.url,
				canonical_url: legacy.canonical_url,
				fetched_at: legacy.crawl.fetched_at,
				status_code: 200,
				render_mode: 'static',
				freshness_policy: 'cache_first',
			},
			cache: { status: 'hit', origin_contacted: false, body_fetched: false },
			identity: { title: 'T', description: 'D', language: 'en' },
			content: { markdown: legacy.markdown },
			structure: {
				headings: legacy.headings,
				links: legacy.links,
				images: legacy.images,
				structured_data: legacy.structured_data,
			},
			signals: { word_count: 2, reading_time: 1, has_json_ld: true, heading_hierarchy_ok: true },
		});
		expect(conforms(value)).toBe(true);
	});

	it('AWI-55 the three dropped fields are gone', () => {
		const text = formatAIDocument(parseAIDocument(legacy).value!);
		for (const name of ['fetch_duration_ms', 'content_length', 'user_agent']) expect(text).not.toContain(name);
	});

	it('takes the call from its options, and gives a ref where it can hash', () => {
		const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
		const cache = { status: 'refreshed', origin_contacted: true, body_fetched: true } as const;
		const { value } = parseAIDocument(legacy, { freshnessPolicy: 'force_refresh', cache, sha256 });
		expect(value).toMatchObject({ source: { freshness_policy: 'force_refresh' }, cache });
		expect(value!.schema.ref).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
	});

	it('problems point into the document as it was given', () => {
		const text = JSON.stringify({ url: 'https://example.com/', crawl: { render_mode: 'x' }, meta: null }, undefined, 1);
		expect(parseAIDocument(text).problems).toMatchObject([
			{ code: 'aidocument-migrated' },
			{ code: 'aidocument-missing-field', line: 1, column: 1, args: { pointer: '/markdown' } },
			{ code: 'aidocument-wrong-value', line: 4, column: 3, args: { pointer: '/crawl/render_mode' } },
		]);
	});
});

describe('formatAIDocument', () => {
	it('AWI-07 AWI-09 AWI-10 writes the groups in the order of the draft, later groups last', () => {
		const shuffled = Object.fromEntries(Object.entries({ ...example, later: {} }).reverse()) as unknown as AIDocument;
		const text = formatAIDocument(shuffled);
		expect(Object.keys(JSON.parse(text))).toEqual([...Object.keys(example), 'later']);
		expect(JSON.parse(text).schema).toMatchObject({ name: 'AIDocument', version: '2.0' });
	});

	it('AWI-31 leaves undefined fields out', () => {
		const bare = { ...example, identity: { title: undefined } } as unknown as AIDocument;
		expect(formatAIDocument(bare)).toContain('"identity":{}');
	});
});
