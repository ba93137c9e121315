import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';

const view = (body: string) =>
	extract(
		`<!doctype html><html lang="en"><head><title>Ropes</title></head><body><main><h1>Ropes</h1><p>${'Ropes hold what they are tied to. '.repeat(5)}</p>${body}</main></body></html>`,
		'https://shop.test/ropes',
	).page.structuredData;
const raw = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const linked = (value: unknown): string => raw(JSON.stringify(value));
const context = { '@context': 'https://schema.org' };
const offer = { '@type': 'Offer', price: '9.50', priceCurrency: 'EUR' };
const rope = { '@type': 'Product', name: 'Rope' };

interface Stated {
	readonly '@type': string;
	readonly [property: string]: unknown;
}

const recipe = {
	'@type': 'Recipe',
	name: 'Soup',
	recipeIngredient: ['1 leek', '2 l water'],
	recipeInstructions: [
		{ '@type': 'HowToStep', text: 'Boil.' },
		{ '@type': 'HowToStep', text: 'Serve.' },
	],
};
const event = {
	'@type': 'MusicEvent',
	name: 'Night',
	startDate: '2026-05-01T20:00+02:00',
	location: { '@type': 'Place', name: 'Quay', address: { '@type': 'PostalAddress', addressLocality: 'Bergen' } },
};
const job = {
	'@type': 'JobPosting',
	title: 'Rigger',
	hiringOrganization: { '@type': 'Organization', name: 'Acme' },
	baseSalary: {
		'@type': 'MonetaryAmount',
		currency: 'EUR',
		value: { '@type': 'QuantitativeValue', minValue: 3000, maxValue: 4000, unitText: 'MONTH' },
	},
};

describe('JSON-LD', () => {
	it.each<[string, string, readonly Stated[]]>([
		['a graph in a graph', linked({ ...context, '@graph': [{ '@graph': [rope, recipe] }] }), [rope, recipe]],
		[
			'an array of blocks',
			linked([
				{ ...context, ...rope },
				{ ...context, ...event },
			]),
			[rope, event],
		],
		['two blocks', linked({ ...context, ...rope }) + linked({ ...context, ...job }), [rope, job]],
		['a graph of one', linked({ ...context, '@graph': rope }), [rope]],
		[
			'several types, ours not the first',
			linked({ ...context, ...rope, '@type': ['Thing', 'Product'] }),
			[{ ...rope, '@type': 'Product' }],
		],
		[
			'types by address',
			linked({ ...rope, '@type': 'https://schema.org/Product' }) +
				linked({ ...event, '@type': 'http://schema.org/MusicEvent' }),
			[rope, event],
		],
		[
			'a list of offers, prices as they are stated',
			linked({ ...context, ...rope, offers: [offer, { ...offer, price: 8 }, { ...offer, price: '1.299,00' }] }),
			[{ ...rope, offers: [offer, { ...offer, price: 8 }, { ...offer, price: '1.299,00' }] }],
		],
		[
			'offers by reference',
			linked({
				...context,
				'@graph': [
					{ ...rope, offers: { '@id': '#o' } },
					{ '@id': '#o', ...offer },
				],
			}),
			[{ ...rope, offers: { '@id': '#o', ...offer } }],
		],
		[
			'offers in an aggregate',
			linked({ ...context, ...rope, offers: { '@type': 'AggregateOffer', lowPrice: 5, offers: [offer, offer] } }),
			[{ ...rope, offers: { '@type': 'AggregateOffer', lowPrice: 5, offers: [offer, offer] } }],
		],
		['what the page is about', linked({ ...context, '@type': 'WebPage', about: rope }), [rope]],
		[
			'the products of an offer catalogue',
			linked({
				...context,
				'@type': 'OfferCatalog',
				itemListElement: [{ '@type': 'Offer', itemOffered: rope }],
			}),
			[rope],
		],
		['a kind of product', linked({ ...context, ...rope, '@type': 'Vehicle' }), [{ ...rope, '@type': 'Vehicle' }]],
		['a festival', linked({ ...context, ...event, '@type': 'Festival' }), [{ ...event, '@type': 'Festival' }]],
		[
			'an application',
			linked({ ...context, ...rope, '@type': 'MobileApplication' }),
			[{ ...rope, '@type': 'MobileApplication' }],
		],
		['a recipe', linked({ ...context, ...recipe }), [recipe]],
		['an event', linked({ ...context, ...event }), [event]],
		['a job', linked({ ...context, ...job }), [job]],
		[
			'the same item twice',
			linked({ ...context, ...rope }) + linked({ ...context, ...rope, sku: '7' }),
			[{ ...rope, sku: '7' }],
		],
		['comments and a trailing comma', raw('/* a */ {"@type":"Product","name":"Rope",} // b'), [rope]],
		['a raw line break in a text', raw('{"@type":"Product","name":"Rope\n"}'), [rope]],
		[
			'no end',
			raw('{"@type":"Product","name":"Rope","offers":{"@type":"Offer","price":"9.50","priceCurrency":"EUR"'),
			[{ ...rope, offers: offer }],
		],
		['escaped quotes', raw('{&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;Rope&quot;}'), [rope]],
		['single quotes and bare keys', raw("{'@type':'Product',name:'Rope'}"), [rope]],
		['two values side by side', raw(`${JSON.stringify(rope)}${JSON.stringify(event)}`), [rope, event]],
		['a missing comma', raw('{"@type":"Product" "name":"Rope"}'), [rope]],
		[
			'a quote that is not escaped',
			raw('{"@type":"Product","name":"A 3" rope","sku":"7"}'),
			[{ '@type': 'Product', name: 'A 3" rope', sku: '7' }],
		],
		['a mark of CDATA', raw('//<![CDATA[\n{"@type":"Product","name":"Rope"}\n//]]>'), [rope]],
		['a readable block beside a broken one', raw('<<<') + linked(rope), [rope]],
	])('with %s', (_, html, items) => {
		expect(view(html)?.map(({ sources, ...item }) => [sources, item])).toEqual(
			items.map((item) => [['json-ld'], item]),
		);
	});
});

const org = 'https://schema.org/';
const microdata: readonly [string, string, readonly Stated[]][] = [
	[
		'properties elsewhere (itemref)',
		`<div itemscope itemtype="${org}Product" itemref="n p"></div><b id="n" itemprop="name">Rope</b><div id="p"><i itemprop="sku">7</i></div>`,
		[{ ...rope, sku: '7' }],
	],
	[
		'an item elsewhere (itemref)',
		`<div itemscope itemtype="${org}Product" itemref="o"><b itemprop="name">Rope</b></div><div id="o" itemprop="offers" itemscope itemtype="${org}Offer"><data itemprop="price" value="9.50">9,50</data><meta itemprop="priceCurrency" content="EUR"></div>`,
		[{ ...rope, offers: offer }],
	],
	[
		'an item that refers to itself',
		`<div id="x" itemscope itemtype="${org}Product" itemref="x y"><b itemprop="name">Rope</b></div>`,
		[rope],
	],
	['several types', `<div itemscope itemtype="${org}Thing ${org}Product"><b itemprop="name">Rope</b></div>`, [rope]],
	[
		'several offers',
		`<div itemscope itemtype="${org}Product"><b itemprop="name">Rope</b>${[1, 2].map((price) => `<p itemprop="offers" itemscope itemtype="${org}Offer"><span itemprop="price">${price},50 €</span></p>`).join('')}</div>`,
		[
			{
				...rope,
				offers: [
					{ '@type': 'Offer', price: '1,50 €' },
					{ '@type': 'Offer', price: '2,50 €' },
				],
			},
		],
	],
	[
		'values in attributes',
		`<div itemscope itemtype="${org}Product"><b itemprop="name">Rope</b><meter itemprop="weight" value="3">3 kg</meter><link itemprop="availability" href="${org}InStock"><img itemprop="image" src="/r.jpg"><time itemprop="releaseDate" datetime="2026-01-02">2 Jan</time><object itemprop="model" data="/r.glb"></object></div>`,
		[
			{
				...rope,
				weight: '3',
				availability: `${org}InStock`,
				image: '/r.jpg',
				releaseDate: '2026-01-02',
				model: '/r.glb',
			},
		],
	],
	[
		'a recipe',
		`<article itemscope itemtype="http://schema.org/Recipe"><h2 itemprop="name">Soup</h2><ul><li itemprop="ingredients">1 leek</li><li itemprop="ingredients">2 l water</li></ul><p itemprop="recipeInstructions">Boil.</p></article>`,
		[{ '@type': 'Recipe', name: 'Soup', recipeIngredient: ['1 leek', '2 l water'], recipeInstructions: 'Boil.' }],
	],
	[
		'an event',
		`<div itemscope itemtype="${org}MusicEvent"><b itemprop="name">Night</b><time itemprop="startDate" datetime="2026-05-01T20:00+02:00">1 May</time><div itemprop="location" itemscope itemtype="${org}Place"><b itemprop="name">Quay</b><div itemprop="address" itemscope itemtype="${org}PostalAddress"><i itemprop="addressLocality">Bergen</i></div></div></div>`,
		[event],
	],
	[
		'a job',
		`<div itemscope itemtype="${org}JobPosting"><b itemprop="title">Rigger</b><div itemprop="hiringOrganization" itemscope itemtype="${org}Organization"><b itemprop="name">Acme</b></div></div>`,
		[{ '@type': 'JobPosting', title: 'Rigger', hiringOrganization: { '@type': 'Organization', name: 'Acme' } }],
	],
];
const rdfa: readonly [string, string, readonly Stated[]][] = [
	['a vocabulary', `<div vocab="http://schema.org/" typeof="Product"><b property="name">Rope</b></div>`, [rope]],
	['the usual prefix', `<div typeof="schema:Product"><b property="schema:name">Rope</b></div>`, [rope]],
	[
		'a prefix of its own',
		`<div prefix="s: http://schema.org/ og: http://ogp.me/ns#" typeof="s:Product"><b property="s:name">Rope</b></div>`,
		[rope],
	],
	[
		'a prefix from xmlns',
		`<div xmlns:s="http://schema.org/" typeof="s:Product"><b property="s:name">Rope</b></div>`,
		[rope],
	],
	[
		'types by address',
		`<div typeof="http://schema.org/Product"><b property="http://schema.org/name">Rope</b></div>`,
		[rope],
	],
	['several types', `<div vocab="http://schema.org/" typeof="Thing Product"><b property="name">Rope</b></div>`, [rope]],
	[
		'a type and a property in one element',
		`<div vocab="${org}" typeof="Product"><b property="name">Rope</b><p property="offers" typeof="Offer"><i property="price" content="9.50">9,50</i><meta property="priceCurrency" content="EUR"></p></div>`,
		[{ ...rope, offers: offer }],
	],
	[
		'an identity',
		`<div vocab="${org}" resource="#r" typeof="Product"><b property="name">Rope</b></div>`,
		[{ ...rope, '@id': '#r' }],
	],
	[
		'a type of another vocabulary',
		`<div prefix="foaf: http://xmlns.com/foaf/0.1/" typeof="foaf:Product"><b property="foaf:name">Rope</b></div>`,
		[],
	],
];

describe.each([
	['microdata', microdata],
	['rdfa', rdfa],
] as const)('%s', (source, cases) => {
	it.each(cases)('with %s', (_, html, items) => {
		expect((view(html) ?? []).map(({ sources, ...item }) => [sources, item])).toEqual(
			items.map((item) => [[source], item]),
		);
	});
});

it('items that all refer to one part take bounded time', () => {
	const properties = '<i itemprop="name">x</i>'.repeat(3000);
	const items = `<b itemscope itemtype="${org}Product" itemref="all"></b>`.repeat(5000);
	const before = performance.now();
	view(`${items}<div id="all">${properties}</div>`);
	expect(performance.now() - before).toBeLessThan(5000);
});
