import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../tokens/index.ts';
import type { Extraction } from '../types.ts';
import { type Fetched, toAIDocument } from './index.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const empty: Extraction = {
	url: 'https://example.com/a',
	markdown: 'One paragraph.',
	text: 'One paragraph.',
	headings: [],
	links: [],
	images: [],
	hasJsonLd: false,
	page: {},
};
const fetched: Fetched = {
	url: 'https://example.com/a',
	fetchedAt: '2026-05-13T12:34:56Z',
	statusCode: 200,
	renderMode: 'static',
	freshnessPolicy: 'cache_first',
	cache: { status: 'miss', origin_contacted: true, body_fetched: true },
};

describe('toAIDocument', () => {
	it('AWI-31 AWI-34 omits fields without a value, but keeps the structure', () => {
		const { schema, ...rest } = toAIDocument(empty, fetched, { sha256 });
		expect(schema).toMatchObject({ name: 'AIDocument', version: '2.0' });
		expect(schema.ref).toMatch(/^aidoc:sha256:[0-9a-f]{32}$/);
		expect(rest).toEqual({
			source: {
				url: 'https://example.com/a',
				fetched_at: '2026-05-13T12:34:56Z',
				render_mode: 'static',
				status_code: 200,
				freshness_policy: 'cache_first',
			},
			cache: { status: 'miss', origin_contacted: true, body_fetched: true },
			identity: {},
			content: { markdown: 'One paragraph.' },
			structure: {},
			signals: { word_count: 2, reading_time: 1, has_json_ld: false, heading_hierarchy_ok: false },
		});
	});
	it('AWI-14 AWI-16 AWI-17 AWI-19 AWI-20 source tells how the page was come by', () => {
		const { source } = toAIDocument(
			{ ...empty, canonicalUrl: 'https://example.com/c' },
			{ ...fetched, freshnessPolicy: 'force_refresh' },
			{ sha256 },
		);
		expect(source).toEqual({
			url: 'https://example.com/a',
			canonical_url: 'https://example.com/c',
			fetched_at: '2026-05-13T12:34:56Z',
			render_mode: 'static',
			status_code: 200,
			freshness_policy: 'force_refresh',
		});
	});
	it('AWI-32 AWI-35 AWI-36 AWI-38 AWI-39 the parts of an extraction keep their places', () => {
		const full: Extraction = {
			...empty,
			title: 'T',
			description: 'D',
			language: 'en',
			contentType: 'article',
			headings: [{ level: 1, text: 'T', id: 't' }],
			links: [{ url: 'https://example.com/b', internal: true }],
			images: [{ url: 'https://example.com/i.png', alt: 'I' }],
			structuredData: { Article: { headline: 'T' } },
			hasJsonLd: true,
		};
		const document = toAIDocument(full, fetched, { sha256 });
		expect(document.identity).toEqual({ title: 'T', description: 'D', language: 'en', content_type: 'article' });
		expect(document.structure).toEqual({
			headings: full.headings,
			links: full.links,
			images: full.images,
			structured_data: full.structuredData,
		});
		expect(document.signals).toMatchObject({ has_json_ld: true, heading_hierarchy_ok: true });
	});
	it('AWI-47 AWI-48 economics only when tokens can be counted', () => {
		expect(toAIDocument(empty, fetched, { sha256, countTokens })).not.toHaveProperty('economics');
		expect(toAIDocument(empty, fetched, { sha256, countTokens, rawHtml: '' })).not.toHaveProperty('economics');
		const { economics } = toAIDocument(empty, fetched, {
			sha256,
			countTokens,
			rawHtml: '<p class="x">One paragraph.</p>',
		});
		expect(economics!.token_savings).toBe(economics!.raw_html_tokens_approx - economics!.output_tokens_approx);
	});
	it('AWI-46 the same page gives the same ref and signals, whatever the cache says', () => {
		const again = toAIDocument(
			empty,
			{ ...fetched, cache: { status: 'hit', origin_contacted: false, body_fetched: false } },
			{ sha256 },
		);
		const first = toAIDocument(empty, fetched, { sha256 });
		expect(again.schema.ref).toBe(first.schema.ref);
		expect(again.signals).toEqual(first.signals);
	});
});
