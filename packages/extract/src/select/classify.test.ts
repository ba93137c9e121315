import { describe, expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { classify, MEASURED_TYPES } from './classify.ts';
import { collectFacts, type Facts } from './facts.ts';

const facts = (url: string, html = ''): Facts => collectFacts(parseHtml(html), url);
const evenly = MEASURED_TYPES.map(() => 1 / MEASURED_TYPES.length);
const surely = (type: string): number[] => MEASURED_TYPES.map((name) => (name === type ? 0.9 : 0.01));

describe('types that a page says of itself', () => {
	it('the root of a site, or of its part in one language, is a home page', () => {
		for (const path of ['', '/', '/en', '/en/', '/pt-br/', '/index.html', '/de/index.php']) {
			expect(classify(facts(`https://a.example${path}`), evenly), path).toBe('home');
		}
		for (const path of ['/about', '/english/', '/?p=12', '/en/post']) {
			expect(classify(facts(`https://a.example${path}`), surely('article')), path).toBe('article');
		}
	});

	it('a profile by og:type or schema.org', () => {
		const markup = [
			'<meta property="og:type" content="profile">',
			'<div itemscope itemtype="https://schema.org/ProfilePage">',
		];
		for (const html of markup) expect(classify(facts('https://a.example/ada', html), evenly)).toBe('profile');
	});
});

it('the likeliest of the measured types otherwise', () => {
	for (const type of MEASURED_TYPES) expect(classify(facts('https://a.example/x'), surely(type))).toBe(type);
});

describe('facts', () => {
	it('types of JSON-LD are read from broken JSON too', () => {
		const html = `<script type="application/ld+json">{"@type": ["Product", "schema:Thing"], oops, "x": {"@type":"Offer"}}</script>`;
		expect([...facts('https://a.example/', html).schemaTypes]).toEqual(['product', 'schema:thing', 'offer']);
	});

	it('a URL that is none leaves the path empty', () => {
		expect(facts('nonsense').path).toBe('/');
	});
});

it('a page without text is of no type that would have to be measured', () => {
	expect(classify(facts('https://a.example/app'), evenly, { isTiny: true })).toBeUndefined();
	expect(classify(facts('https://a.example/'), evenly, { isTiny: true })).toBe('home');
});
