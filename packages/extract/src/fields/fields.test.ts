import { describe, expect, it } from 'vitest';
import { parseHtml } from '../dom/parse.ts';
import { extract } from '../extract.ts';
import { FieldSchemaError, readFieldSchema } from './index.ts';
import { readNumber } from './numbers.ts';
import { readPicks } from './picks.ts';
import { ElementFinder } from './select.ts';

const number = { type: 'number' };
const text = { type: 'string' };

async function read(properties: object, body: string, { lang = 'en-GB', head = '', more = {} } = {}) {
	const fields = await readFieldSchema({ type: 'object', properties, ...more });
	const html = `<!doctype html><html lang="${lang}"><head><title>Anvil 5</title>${head}</head><body><main><h1>Anvil 5</h1><p>A solid anvil that falls fast and keeps its form for many years of work.</p>${body}</main></body></html>`;
	return extract(html, 'https://shop.example/5', { fields }).page.fields!;
}

const ld = (data: object) =>
	`<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`;

describe('where fields are found', () => {
	it('structured data first, then selectors, then what the text states', async () => {
		const properties = { price: { ...number, 'x-select': '.price' } };
		const body = '<p class="price">€2.00</p><dl><dt>Price</dt><dd>€3.00</dd></dl>';
		const head = ld({ '@type': 'Product', name: 'Anvil 5', offers: { '@type': 'Offer', price: 1 } });
		expect((await read(properties, body, { head })).sources['/price']).toEqual({
			from: 'json-ld',
			at: 'Product.offers.price',
		});
		expect((await read(properties, body)).sources['/price']).toEqual({ from: 'selector', at: '.price', raw: '€2.00' });
		const stated = await read({ price: number }, body);
		expect([stated.values, stated.sources]).toEqual([
			{ price: 3 },
			{ '/price': { from: 'document', at: 'definition: Price', raw: '€3.00' } },
		]);
	});

	it('what is not found is absent and named, and a schema that requires it is not satisfied', async () => {
		const fields = await read({ name: text, price: number }, '', { more: { required: ['price'] } });
		expect([fields.values, fields.missing, fields.valid]).toEqual([{ name: 'Anvil 5' }, ['/price'], false]);
	});

	it('what does not fit is named with its text', async () => {
		const fields = await read({ price: { ...number, 'x-select': '.p' } }, '<p class="p">call us</p>');
		expect([fields.values, fields.missing]).toEqual([{}, []]);
		expect(fields.invalid).toEqual([
			{ field: '/price', from: 'selector', at: '.p', raw: 'call us', problem: '"call us" is not a number' },
		]);
	});

	it('different values of equal sources are named, not chosen; a wanted currency decides', async () => {
		const offers = [
			{ '@type': 'Offer', price: 10, priceCurrency: 'EUR' },
			{ '@type': 'Offer', price: 11, priceCurrency: 'USD' },
		];
		const head = ld({ '@type': 'Product', name: 'Anvil 5', offers });
		const open = await read({ price: number }, '', { head });
		expect(open.values).toEqual({});
		expect(open.ambiguous?.[0]).toMatchObject({ field: '/price', candidates: [{ raw: 10 }, { raw: 11 }] });
		const currency = { const: 'USD' };
		expect((await read({ price: number, currency }, '', { head })).values).toEqual({ price: 11, currency: 'USD' });
		const list = {
			offers: { type: 'array', items: { type: 'object', properties: { price: number, currency: text } } },
		};
		expect((await read(list, '', { head })).values).toEqual({
			offers: [
				{ price: 10, currency: 'EUR' },
				{ price: 11, currency: 'USD' },
			],
		});
	});

	it('the only item is not what the page is about if its name has no word of the title', async () => {
		const head = (name: string) => ld({ '@type': 'Product', name, sku: 'H-9' });
		const more = { title: 'Product' };
		expect((await read({ sku: text }, '', { head: head('Claw Hammer'), more })).values).toEqual({});
		expect((await read({ sku: text }, '', { head: head('Our anvil'), more })).values).toEqual({ sku: 'H-9' });
	});

	it('a review is about the thing that it reviews', async () => {
		const thing = { '@type': 'Product', name: 'Anvil 5', sku: 'A-5' };
		const head = ld({ '@type': 'Review', name: 'Anvil 5 on test', itemReviewed: thing });
		expect((await read({ sku: text }, '', { head, more: { title: 'Product' } })).values).toEqual({ sku: 'A-5' });
	});

	it('meta tags of a product say nothing about an event', async () => {
		const head = '<meta property="product:price:amount" content="9">';
		expect((await read({ price: number }, '', { head, more: { title: 'Event' } })).values).toEqual({});
		expect((await read({ price: number }, '', { head, more: { title: 'Product' } })).values).toEqual({ price: 9 });
	});

	it('the head of a table and a sentence behind a label are no statements', async () => {
		const table =
			'<table><thead><tr><th>Company</th><th>Revenue</th></tr></thead><tbody><tr><td>Acme</td><td>$1m</td></tr><tr><td>Bolt</td><td>$2m</td></tr></tbody></table>';
		expect((await read({ company: text }, table)).values).toEqual({});
		const line = '<p>Venue: Rooms in large cities often cost more than those elsewhere.</p>';
		expect((await read({ venue: text }, line)).values).toEqual({});
		expect((await read({ venue: text }, '<p>Venue: Town Hall, Great Room</p>')).values).toEqual({
			venue: 'Town Hall, Great Room',
		});
	});

	it('a number without a unit is none for a field that names its unit', async () => {
		const weightKg = (body: string, head = '') =>
			read({ weightKg: number }, body, { head, more: { title: 'Product' } });
		const bare = await weightKg('<dl><dt>Weight</dt><dd>3.5</dd></dl>');
		expect([bare.values, bare.invalid?.[0]?.problem]).toEqual([{}, 'the page does not say whether 3.5 is in kg']);
		expect((await weightKg('<dl><dt>Weight (kg)</dt><dd>3.5</dd></dl>')).values).toEqual({ weightKg: 3.5 });
		expect((await weightKg('<dl><dt>Weight</dt><dd>3.5 kg</dd></dl>')).values).toEqual({ weightKg: 3.5 });
		const weight = (unitCode: string) => ({ '@type': 'QuantitativeValue', value: 2, unitCode });
		const item = (code: string) => ld({ '@type': 'Product', name: 'Anvil 5', weight: weight(code) });
		expect((await weightKg('', item('KGM'))).values).toEqual({ weightKg: 2 });
		expect((await weightKg('', item('LBR'))).values).toEqual({});
	});

	it('an item about another page is not what the page is about', async () => {
		const head = ld({ '@type': 'Product', name: 'Hammer', url: 'https://shop.example/9', sku: 'H-9' });
		expect((await read({ sku: text }, '', { head, more: { title: 'Product' } })).missing).toEqual(['/sku']);
	});

	it('products of a list, from items, from elements and from a table', async () => {
		const properties = {
			products: {
				type: 'array',
				'x-select': '.card',
				items: {
					type: 'object',
					properties: {
						name: { ...text, 'x-select': 'h3' },
						url: { ...text, format: 'uri', 'x-select': 'a@href' },
						price: { ...number, 'x-select': '.p' },
					},
				},
			},
		};
		const cards = [1, 2]
			.map(
				(at) => `<div class="card"><h3>Anvil ${at}</h3><a href="/${at}">more</a><span class="p">${at}0 €</span></div>`,
			)
			.join('');
		expect((await read(properties, cards)).values).toEqual({
			products: [
				{ name: 'Anvil 1', url: 'https://shop.example/1', price: 10 },
				{ name: 'Anvil 2', url: 'https://shop.example/2', price: 20 },
			],
		});
		const table =
			'<table><tr><th>Product</th><th>Price</th><th>Note</th></tr><tr><td>Anvil 1</td><td>10 €</td><td>a</td></tr><tr><td>Anvil 2</td><td></td><td>b</td></tr></table>';
		const fields = await read(properties, table);
		expect(fields.values).toEqual({ products: [{ name: 'Anvil 1', price: 10 }, { name: 'Anvil 2' }] });
		expect(fields.missing).toEqual(['/products/0/url', '/products/1/url', '/products/1/price']);
	});

	it('selectors of the host, attributes, and what is struck out', async () => {
		const select = { '*': 'b', 'shop.example': ['.none', 'p.price, p.cost'] };
		const body = '<b>1</b><p class="price"><del>120</del><span> 99 €</span></p><i data-sku="A-1"></i>';
		const fields = await read(
			{ price: { ...number, 'x-select': select }, sku: { ...text, 'x-select': '[data-sku]@data-sku' } },
			body,
		);
		expect(fields.values).toEqual({ price: 99, sku: 'A-1' });
		expect(fields.sources['/price']).toEqual({ from: 'selector', at: 'p.price, p.cost', raw: '99 €' });
	});

	it('parts about other things are passed over', async () => {
		const body =
			'<h2>Related products</h2><p>Price: 5 €</p><h3>More of them</h3><p>SKU: X</p><h2>Details</h2><p>Colour: red</p>';
		const fields = await read({ price: number, sku: text, colour: text }, body);
		expect([fields.values, fields.missing]).toEqual([{ colour: 'red' }, ['/price', '/sku']]);
	});

	it('a stored document is read without its HTML, and says so', async () => {
		const reader = await readFieldSchema({
			type: 'object',
			properties: { sku: text, price: { ...number, 'x-select': 'b' } },
		});
		expect(reader.selectAt).toBe('/properties/price/x-select');
		const page = {
			structuredData: [{ '@type': 'Product', sources: ['microdata' as const], name: 'Anvil', sku: 'A-1' }],
		};
		const fields = reader.read({
			url: 'https://shop.example/5',
			markdown: '# Anvil\n\nPrice: 4 €\n',
			headings: [],
			title: 'Anvil',
			page,
		});
		expect(fields).toMatchObject({ basis: 'document', values: { sku: 'A-1', price: 4 } });
		expect(fields.sources['/sku']).toEqual({ from: 'microdata', at: 'Product.sku' });
	});
});

describe('values are converted only where nothing gets lost', () => {
	const price = async (written: string, lang: string) =>
		(await read({ price: { ...number, 'x-select': '.p' } }, `<p class="p">${written}</p>`, { lang })).values;

	it.each([
		['1.299,00 €', 'de', 1299],
		['€1,299.00', 'en', 1299],
		['1 299,50 €', 'fr', 1299.5],
		["CHF 1'299.–", 'de-CH', 1299],
		['1.299', 'de', 1299],
		['1,299', 'en', 1299],
		['1.299.000 Ft', 'hu', undefined],
		['0,125', 'en', 0.125],
		['from €5', 'en', undefined],
		['5–7 €', 'en', undefined],
		['€12.50 incl. VAT', 'en', 12.5],
	])('%s in %s', async (written, lang, value) => {
		expect(await price(written, lang)).toEqual(value === undefined ? {} : { price: value });
	});

	it.each([
		[{ ...text, format: 'date' }, '4 March 2026', '2026-03-04'],
		[{ ...text, format: 'date' }, '4.3.2026', '2026-03-04'],
		[{ ...text, format: 'date' }, '3 May 2026 to 5 May 2027', undefined],
		[{ ...text, format: 'date' }, 'May 2026', undefined],
		[{ ...text, format: 'date-time' }, '2026-03-04T10:00+01:00', '2026-03-04T10:00:00+01:00'],
		[{ ...text, format: 'date-time' }, '2026-03-04', undefined],
		[{ ...text, format: 'duration' }, '1 h 20 min', 'PT1H20M'],
		[{ ...text, format: 'email' }, 'mailto:a@b.example', 'a@b.example'],
		[{ enum: ['InStock', 'OutOfStock'] }, 'https://schema.org/InStock', 'InStock'],
		[{ enum: ['FULL_TIME'] }, 'Full-time', 'FULL_TIME'],
		[{ enum: ['in_stock'] }, 'sold out', undefined],
		[{ type: 'boolean' }, 'http://schema.org/OutOfStock', false],
		[{ type: 'boolean' }, 'PreOrder', undefined],
		[{ type: 'integer' }, '4.5', undefined],
		[{ type: 'integer', maximum: 3 }, '4', undefined],
		[{ ...text, pattern: '^[A-Z]-\\d+$' }, 'A-12', 'A-12'],
		[{ ...text, pattern: '^[A-Z]-\\d+$' }, 'a-12', undefined],
		[{ ...text, maxLength: 3 }, 'abcd', undefined],
	])('%j from %s', async (schema, written, value) => {
		const fields = await read({ field: { ...schema, 'x-select': '.p' } }, `<p class="p">${written}</p>`);
		expect(fields.values).toEqual(value === undefined ? {} : { field: value });
		if (value === undefined) expect(fields.invalid).toMatchObject([{ field: '/field', raw: written }]);
	});

	it('1.299 has a meaning only in a language', () => {
		const read = (language: string) => readNumber('1.299', language, new Set(), false);
		expect([read('de'), read('en')]).toEqual([{ value: 1299 }, { value: 1.299 }]);
		for (const language of ['', 'zxx'])
			expect(read(language)).toMatchObject({ problem: expect.stringContaining('1299 or 1.299') });
	});

	it('3/4/2026 is a day only where the language says which', async () => {
		const day = async (lang: string) =>
			(await read({ day: { ...text, format: 'date', 'x-select': '.p' } }, '<p class="p">3/4/2026</p>', { lang }))
				.values;
		expect([await day('en'), await day('en-US'), await day('en-GB')]).toEqual([
			{},
			{ day: '2026-03-04' },
			{ day: '2026-04-03' },
		]);
	});
});

describe('schemas', () => {
	it.each([
		[[], '', 'a JSON Schema is an object'],
		[{ type: 'string' }, '/type', 'an object or an array of objects'],
		[{ $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }, '/$schema', 'is not supported; use'],
		[
			{ type: 'object', properties: { a: { type: 'string', format: 'ipv4' } } },
			'/properties/a/format',
			'available are date, date-time',
		],
		[{ type: 'object', properties: { a: { allOf: [] } } }, '/properties/a/allOf', 'is not supported; remove it'],
		[
			{ type: 'object', properties: { 'a/b': { type: 'string', 'x-selct': 'h1' } } },
			'/properties/a~1b/x-selct',
			'did you mean x-select?',
		],
		[
			{ type: 'object', properties: { a: { type: 'string', pattern: '(?=a)' } } },
			'/properties/a/pattern',
			'no look-around',
		],
		[
			{ type: 'object', properties: { a: { type: 'string', minimum: 1 } } },
			'/properties/a/minimum',
			'is for number and integer',
		],
		[
			{ type: 'object', properties: { a: { type: 'string', 'x-select': 'a:hover' } } },
			'/properties/a/x-select',
			'without a browser',
		],
		[
			{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
			'/properties/a/anyOf',
			'only one schema',
		],
		[{ type: 'object', properties: { a: text }, required: ['b'] }, '/required/0', 'is not in properties'],
		[
			{
				type: 'object',
				$defs: { n: { type: 'object', properties: { k: { $ref: '#/$defs/n' } } } },
				properties: { a: { $ref: '#/$defs/n' } },
			},
			'/properties/a/properties/k/$ref',
			'leads back to itself',
		],
	])('refuses %j', async (schema, pointer, problem) => {
		const error = await readFieldSchema(schema).catch((given: unknown) => given);
		expect(error).toBeInstanceOf(FieldSchemaError);
		expect(error).toMatchObject({ pointer, problem: expect.stringContaining(problem) });
	});

	it('references that double at each level end at the bound of fields', async () => {
		const Defs = Object.fromEntries(
			Array.from({ length: 7 }, (_, at) => [
				`d${at}`,
				{
					type: 'object',
					properties: Object.fromEntries(
						'abcdefgh'.split('').map((name) => [name, at === 6 ? text : { $ref: `#/$defs/d${at + 1}` }]),
					),
				},
			]),
		);
		const error = await readFieldSchema({
			type: 'object',
			$defs: Defs,
			properties: { a: { $ref: '#/$defs/d0' } },
		}).catch((given: Error) => given);
		expect(String(error)).toContain('more than 500 fields');
	});

	it('a null beside a type, and references, are read', async () => {
		const fields = await read(
			{
				a: { anyOf: [{ $ref: '#/definitions/t' }, { type: 'null' }], 'x-select': 'b' },
				c: { type: ['number', 'null'], 'x-select': 'b' },
			},
			'<b>7</b>',
			{ more: { definitions: { t: text } } },
		);
		expect(fields.values).toEqual({ a: '7', c: 7 });
	});

	it('a pattern that would backtrack without end is matched at once', async () => {
		const fields = await read(
			{ a: { ...text, pattern: '^(a+)+$', 'x-select': '.p' } },
			`<p class="p">${'a'.repeat(5000)}!</p>`,
		);
		expect(fields.invalid).toHaveLength(1);
	});
});

describe('the cost of a page', () => {
	const stepsOf = (count: number, selector: string): number => {
		const { html } = parseHtml(`<ul>${'<li><b>x</b></li>'.repeat(count)}</ul>`);
		const finder = new ElementFinder('shop.example');
		finder.find(readPicks(selector, '').get('*')![0]!, html);
		return finder.steps;
	};

	it('twice the elements, twice the steps', () => {
		expect(stepsOf(2000, 'li b') / stepsOf(1000, 'li b')).toBeLessThan(2.1);
	});

	it('selectors that look at siblings end at a bound', () => {
		expect(stepsOf(20_000, 'li:nth-child(2) + li')).toBeLessThan(4_100_000);
	});
});
