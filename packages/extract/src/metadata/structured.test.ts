import { expect, it } from 'vitest';
import { extract } from '../extract.ts';

const view = (body: string, head = ''): unknown =>
	extract(
		`<html lang="en"><head><title>Ropes</title>${head}</head><body><main><h1>Ropes</h1>${body}<p>${'Ropes hold what they are tied to. '.repeat(5)}</p></main>`,
		'https://shop.test/ropes',
	).page.structuredData;
const jsonLd = (value: unknown): string =>
	`<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...(value as object) })}</script>`;

const offer = { '@type': 'Offer', price: '9.50', priceCurrency: 'EUR' };

it('AMB-155 a product has one form in JSON-LD, microdata and RDFa, with its source', () => {
	const product = { '@type': 'Product', name: 'Rope', offers: offer };
	expect(view('', jsonLd({ ...product, name: ' Rope ', offers: [offer] }))).toEqual([
		{ ...product, sources: ['json-ld'] },
	]);
	const microdata = `<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">Rope</b><div itemprop="offers" itemscope
		itemtype="http://schema.org/Offer"><span itemprop="price" content="9.50">9,50</span><meta itemprop="pricecurrency" content="EUR"></div></div>`;
	expect(view(microdata)).toEqual([{ ...product, sources: ['microdata'] }]);
	const rdfa = `<div vocab="https://schema.org/" typeof="Product"><b property="name">Rope</b><div property="offers" typeof="Offer">
		<span property="price" content="9.50">9,50</span><meta property="priceCurrency" content="EUR"></div></div>`;
	expect(view(rdfa)).toEqual([{ ...product, sources: ['rdfa'] }]);
});

it.each(['Recipe', 'MusicEvent', 'JobPosting'])('AMB-155 %s in JSON-LD and in microdata is one item', (type) => {
	const name = type === 'JobPosting' ? 'title' : 'name';
	const marked = `<div itemscope itemtype="https://schema.org/${type}"><b itemprop="${name}">Tar the boat</b><i itemprop="url">/x</i><i itemprop="about">Boats</i></div>`;
	expect(view(marked, jsonLd({ '@type': type, [name]: 'Tar the boat', about: 'Tar' }))).toEqual([
		{ '@type': type, [name]: 'Tar the boat', url: '/x', about: 'Tar', sources: ['json-ld', 'microdata'] },
	]);
});

it('AMB-155 a prefix of its own for schema.org is no part of names', () => {
	const own = {
		'@context': [{ s: 'https://schema.org/', x: 'https://x.test/' }],
		'@type': 's:Product',
		's:name': 'Rope',
	};
	const block = JSON.stringify({ ...own, 's:offers': { '@type': ['s:Offer'], 's:price': '9.50' }, 'x:knots': 's:3' });
	expect(view('', `<script type="application/ld+json">${block}</script>`)).toEqual([
		{
			'@type': 'Product',
			name: 'Rope',
			offers: { '@type': 'Offer', price: '9.50' },
			'x:knots': 's:3',
			sources: ['json-ld'],
		},
	]);
	// Another vocabulary may use the same letter.
	const other = JSON.stringify({ '@context': { s: 'https://x.test/' }, '@type': 's:Product', 's:name': 'Rope' });
	expect(view('', `<script type="application/ld+json">${other}</script>`)).toBeUndefined();
});

it('AMB-155 references are resolved, and types and properties have no vocabulary', () => {
	const graph = [
		{ '@type': 'WebPage', mainEntity: { '@id': '#p' } },
		{ '@id': '#p', '@type': ['schema:Product', 'Thing'], 'schema:name': 'Rope', brand: { '@id': '#b' } },
		{ '@id': '#b', '@type': 'http://schema.org/Brand', name: { '@value': 'Acme' } },
	];
	expect(view('', jsonLd({ '@graph': graph }))).toEqual([
		{
			'@type': 'Product',
			'@id': '#p',
			name: 'Rope',
			brand: { '@id': '#b', '@type': 'Brand', name: 'Acme' },
			sources: ['json-ld'],
		},
	]);
});

it('AMB-155 the products of a list are items, its publisher is not', () => {
	const list = [
		{ '@type': 'ListItem', item: { '@type': 'Product', name: 'A' } },
		{ '@type': 'Product', name: 'B' },
	];
	expect(
		view(
			'',
			jsonLd({
				'@graph': [
					{ '@type': 'Organization', name: 'Acme' },
					{ '@type': 'ItemList', itemListElement: list },
				],
			}),
		),
	).toEqual([
		{ '@type': 'Product', name: 'A', sources: ['json-ld'] },
		{ '@type': 'Product', name: 'B', sources: ['json-ld'] },
	]);
});

it('AMB-155 structured_data stays JSON-LD to the letter', () => {
	const html = `<title>T</title>${jsonLd({ '@type': 'Product', offers: [offer] })}<p itemscope itemtype="https://schema.org/Recipe"><b itemprop="name">N</b>`;
	expect(extract(html, 'https://shop.test/').structuredData).toEqual({
		Product: { '@type': 'Product', offers: [offer] },
	});
});

it('references in circles end', () => {
	const nodes = Array.from({ length: 20 }, (_, i) => ({
		'@id': `#${i}`,
		'@type': 'Product',
		name: `P${i}`,
		isRelatedTo: Array.from({ length: 20 }, (_, j) => ({ '@id': `#${j}` })),
	}));
	const items = view('', jsonLd({ '@graph': nodes })) as unknown[];
	expect(items).toHaveLength(20);
	expect(JSON.stringify(items).length).toBeLessThan(1_000_000);
});
