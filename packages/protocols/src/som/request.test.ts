import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSomRequest, somRequestUrl } from './index.ts';

interface Vectors {
	readonly encode: { case: string; endpoint: string; page: string; request: string | null }[];
	readonly decode: { case: string; query: string; url?: string; refusal?: string }[];
}

const file = new URL('../../../../vectors/som/requests.json', import.meta.url);
const vectors: Vectors = JSON.parse(readFileSync(file, 'utf8'));

describe('the client asks', () => {
	it.each(vectors.encode)('$case', ({ endpoint, page, request }) => {
		expect(somRequestUrl(endpoint, page) ?? null).toBe(request);
	});
});

describe('the server reads', () => {
	it.each(vectors.decode)('$case', ({ query, url, refusal }) => {
		expect(readSomRequest(query)).toEqual(url === undefined ? { refusal } : { url });
	});
});

it('SOM-04 every page arrives as it was sent', () => {
	fc.assert(
		fc.property(
			fc.webUrl({ withQueryParameters: true }),
			fc.webUrl({ withQueryParameters: true }),
			(page, endpoint) => {
				const request = new URL(somRequestUrl(endpoint, page)!);
				expect(readSomRequest(request.search)).toEqual({ url: new URL(page).href });
				expect(request.searchParams.get('url')).toBe(new URL(page).href);
			},
		),
	);
});

it('no query throws', () => {
	fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readSomRequest(`url=${text}`)));
	fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void somRequestUrl(text, text)));
});
