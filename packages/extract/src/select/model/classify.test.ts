import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../dom/parse.ts';
import { collectFacts, type Facts } from '../read/facts.ts';
import { classify, measuredTypes } from './classify.ts';

const facts = (url: string, html = ''): Facts => collectFacts(parseHtml(html), url);
const evenly = measuredTypes.map(() => 1 / measuredTypes.length);
const surely = (type: string): number[] => measuredTypes.map((name) => (name === type ? 0.9 : 0.01));

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

it('documentation by the generator that a page names, unless it is a post of its blog', () => {
	const made = (generator: string, classes = ''): Facts =>
		facts('https://a.example/x', `<html class="${classes}"><meta name="generator" content="${generator}">`);
	for (const generator of [
		'Doxygen 1.9.8',
		'Docusaurus v3.4.0',
		'mkdocs-1.6.0, mkdocs-material-9.5.27',
		'Docutils 0.18.1',
	])
		expect(classify(made(generator), surely('forum')), generator).toBe('documentation');
	expect(classify(made('Docusaurus v3.4.0', 'blog-wrapper blog-post-page'), surely('article'))).toBe('article');
	expect(classify(made('WordPress 6.5'), surely('service'))).toBe('service');
});

it('the likeliest of the measured types otherwise', () => {
	for (const type of measuredTypes) expect(classify(facts('https://a.example/x'), surely(type))).toBe(type);
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
