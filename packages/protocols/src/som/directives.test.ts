import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	checkSom,
	parseSomLink,
	parseSomMeta,
	parseSomRecords,
	parseSomSchemaOrg,
	resolveSom,
	type SomDeclarations,
	somDefaults,
} from './index.ts';

const records = (text: string) =>
	text.split('\n').flatMap((line, index) => {
		const [, key, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
		return key === undefined ? [] : [{ key, value: value!, line: index + 1, column: key.length + 3 }];
	});

const page = 'https://example.com/article';
const robots = (text: string): SomDeclarations => ({ robots: parseSomRecords(records(text)).value });
const offerOf = (text: string) => resolveSom(robots(text), page).offer;
const codes = (text: string) => checkSom(records(text)).map(({ code, line }) => `${line} ${code}`);

const basic = `User-agent: *
Allow: /

SOM-Endpoint: https://cache.example.com/v1/som
SOM-Format: SOM/1.0
SOM-Scope: main-content
SOM-Freshness: 3600
SOM-Token-Budget: 3000`;

describe('robots.txt (SOM directives §4.2)', () => {
	it('SOM-04 SOM-15 reads the example of the draft (§4.3)', () => {
		expect(offerOf(basic)).toEqual({
			url: 'https://cache.example.com/v1/som?url=https%3A%2F%2Fexample.com%2Farticle',
			endpoint: 'https://cache.example.com/v1/som',
			format: 'SOM/1.0',
			scope: 'main-content',
			freshness: 3600,
			tokenBudget: 3000,
			auth: 'none',
			layers: { target: 'robots', format: 'robots', scope: 'robots', freshness: 'robots', tokenBudget: 'robots' },
		});
		expect(codes(basic)).toEqual([]);
	});

	it('SOM-02 names are case-insensitive', () => {
		for (const name of ['som-endpoint', 'SOM-ENDPOINT', 'Som-Endpoint']) {
			expect(offerOf(`${name}: https://example.com/som`)?.endpoint).toBe('https://example.com/som');
		}
	});

	it('SOM-03 without SOM-Endpoint the others have no effect', () => {
		const text = 'SOM-Format: markdown\nSOM-Scope: article-body';
		expect(resolveSom(robots(text), page)).toEqual({});
		expect(codes(text)).toEqual(['1 som-endpoint-missing']);
	});

	it('SOM-07 SOM-09 SOM-13 values that are not stated have defaults', () => {
		expect(offerOf('SOM-Endpoint: https://example.com/som')).toMatchObject({
			format: 'SOM/1.0',
			scope: 'full-page',
			freshness: 86_400,
			auth: 'none',
			layers: { target: 'robots' },
		});
		expect(somDefaults.freshness).toBe(24 * 3600);
	});

	it('SOM-08 knows three formats, and does not use an endpoint with another one', () => {
		for (const format of ['SOM/1.0', 'markdown', 'accessibility-tree']) {
			expect(offerOf(`SOM-Endpoint: https://example.com/som\nSOM-Format: ${format}`)?.format).toBe(format);
		}
		const unknown = 'SOM-Endpoint: https://example.com/som\nSOM-Format: SOM/2.0';
		expect(resolveSom(robots(unknown), page)).toEqual({ refusal: 'format-unknown' });
		expect(codes(unknown)).toEqual(['2 som-unknown-format']);
	});

	it('SOM-09 reports an unknown scope and takes the default', () => {
		for (const scope of ['full-page', 'main-content', 'article-body']) {
			expect(offerOf(`SOM-Endpoint: https://example.com/som\nSOM-Scope: ${scope}`)?.scope).toBe(scope);
		}
		const unknown = 'SOM-Endpoint: https://example.com/som\nSOM-Scope: everything';
		expect(offerOf(unknown)?.scope).toBe('full-page');
		expect(codes(unknown)).toEqual(['2 som-unknown-scope']);
	});

	it('SOM-14 a freshness of 0 is kept, and a value that is not a whole number is reported', () => {
		expect(offerOf('SOM-Endpoint: https://example.com/som\nSOM-Freshness: 0')?.freshness).toBe(0);
		for (const value of ['-1', '1.5', '1h', '', '99999999999999999999']) {
			const text = `SOM-Endpoint: https://example.com/som\nSOM-Freshness: ${value}\nSOM-Token-Budget: ${value}`;
			expect(offerOf(text)).toMatchObject({ freshness: 86_400 });
			expect(offerOf(text)).not.toHaveProperty('tokenBudget');
			expect(codes(text)).toEqual(['2 som-invalid-number', '3 som-invalid-number']);
		}
	});

	it('AMB-70 the first valid line of each name wins', () => {
		const text = [
			'SOM-Endpoint: /v1/som',
			'SOM-Endpoint: https://one.example.com/som',
			'SOM-Endpoint: https://two.example.com/som',
			'SOM-Format: unheard-of',
			'SOM-Format: markdown',
			'SOM-Format: SOM/1.0',
		].join('\n');
		expect(offerOf(text)).toMatchObject({ endpoint: 'https://one.example.com/som', format: 'markdown' });
		expect(codes(text)).toEqual(['1 som-invalid-endpoint', '3 som-repeated', '4 som-unknown-format', '6 som-repeated']);
	});

	it.each(['/som', 'example.com/som', 'ftp://example.com/som', 'https://u:p@example.com/som', '', 'https://'])(
		'an endpoint of %j is none',
		(value) => {
			expect(resolveSom(robots(`SOM-Endpoint: ${value}`), page)).toEqual({});
			expect(codes(`SOM-Endpoint: ${value}`)).toEqual(['1 som-invalid-endpoint']);
		},
	);

	it('SOM-26 an endpoint over http is reported and not used, unless that is asked for', () => {
		const text = 'SOM-Endpoint: http://example.com/som';
		expect(codes(text)).toEqual(['1 som-endpoint-not-https']);
		expect(resolveSom(robots(text), page)).toEqual({ refusal: 'not-https' });
		expect(resolveSom(robots(text), page, { allowHttp: true }).offer?.endpoint).toBe('http://example.com/som');
	});

	it('AMB-68 an endpoint without a path works, but readers differ', () => {
		expect(codes('SOM-Endpoint: https://example.com')).toEqual(['1 som-endpoint-without-path']);
	});

	it('AMB-72 an endpoint that wants credentials is used only with them', () => {
		const text = (auth: string) => robots(`SOM-Endpoint: https://example.com/som\nSOM-Auth: ${auth}`);
		expect(resolveSom(text('none'), page).offer?.auth).toBe('none');
		expect(resolveSom(text('bearer'), page)).toEqual({ refusal: 'auth-required' });
		expect(resolveSom(text('bearer'), page, { credentials: ['bearer'] }).offer?.auth).toBe('bearer');
		expect(resolveSom(text('oauth'), page, { credentials: ['bearer'] })).toEqual({ refusal: 'auth-required' });
		expect(codes('SOM-Endpoint: https://example.com/som\nSOM-Auth: oauth')).toEqual(['2 som-unknown-auth']);
	});

	it('reports directives that do not exist, and passes over other records', () => {
		expect(codes('SOM-Endpont: https://example.com/som\nCrawl-delay: 1')).toEqual(['1 som-unknown-directive']);
	});
});

describe('page-level layers', () => {
	it('SOM-21 meta tags state endpoint, format and scope', () => {
		const { value, problems } = parseSomMeta([
			{ name: 'viewport', content: 'x' },
			{ name: 'SOM-Endpoint', content: 'https://b.example.com/som', line: 7 },
			{ name: 'som-format', content: 'markdown' },
			{ name: 'som-scope', content: 'article-body' },
			{ name: 'som-freshness', content: '1' },
		]);
		const { offer } = resolveSom({ ...robots(basic), meta: value }, page);
		expect(offer).toMatchObject({
			endpoint: 'https://b.example.com/som',
			format: 'markdown',
			scope: 'article-body',
			freshness: 3600,
			layers: { target: 'meta', format: 'meta', scope: 'meta', freshness: 'robots' },
		});
		expect(value.target).toMatchObject({ line: 7 });
		expect(problems.map(({ code }) => code)).toEqual(['som-unknown-directive']);
		expect(resolveSom(robots(basic), 'https://example.com/sibling').offer?.endpoint).toBe(
			'https://cache.example.com/v1/som',
		);
	});

	it('SOM-23 a Link header names the representation as written', () => {
		const header =
			'</style.css>; rel=preload, <https://cache.example.com/v1/som?url=x>; rel="alternate semantic-representation"; type="application/som+json"';
		const link = parseSomLink(header, page).value;
		expect(resolveSom({ link }, page).offer).toMatchObject({
			url: 'https://cache.example.com/v1/som?url=x',
			format: 'SOM/1.0',
			layers: { target: 'link', format: 'link' },
		});
		expect(parseSomLink('</som/a>; rel=semantic-representation', page).value.target?.value.url).toBe(
			'https://example.com/som/a',
		);
	});

	it('AMB-73 AMB-75 the type in a Link states the format, JSON of no particular kind does not', () => {
		const format = (type: string) =>
			parseSomLink(`<https://a.test/>; rel=semantic-representation; type="${type}"`, page).value.format;
		expect(format('text/markdown; charset=utf-8')?.value).toBe('markdown');
		expect(format('Application/SOM+JSON')?.value).toBe('SOM/1.0');
		expect(format('application/json')).toBeUndefined();
		expect(format('application/vnd.x+json; v=1')).toBeUndefined();
		expect(format('text/html')).toMatchObject({ value: undefined, written: 'text/html' });
		const link = parseSomLink('<https://a.test/>; rel=semantic-representation; type="text/html"', page);
		expect(link.problems.map(({ code }) => code)).toEqual(['som-unknown-format']);
		expect(resolveSom({ ...robots(basic), link: link.value }, page)).toEqual({ refusal: 'format-unknown' });
	});

	it('a Link without a usable target is reported', () => {
		const { value, problems } = parseSomLink('<ftp://a.test/>; rel=semantic-representation', page);
		expect(value).toEqual({});
		expect(problems.map(({ code }) => code)).toEqual(['som-invalid-endpoint']);
	});

	it('SOM-22 Schema.org markup supplies URL, format, scope and token count', () => {
		const node = {
			'@context': 'https://schema.org',
			'@type': 'WebPageSemanticRepresentation',
			sourceUrl: page,
			representationUrl: 'https://cache.example.com/som?url=...',
			representationFormat: 'SOM/1.0',
			tokenCount: 1200,
			compressionRatio: 14.2,
			contentScope: 'article-body',
		};
		const wanted = {
			url: 'https://cache.example.com/som?url=...',
			format: 'SOM/1.0',
			scope: 'article-body',
			tokenCount: 1200,
		};
		for (const blocks of [[node], [[node]], [{ '@graph': [{ '@type': 'WebPage', hasPart: node }] }]]) {
			expect(resolveSom({ 'schema-org': parseSomSchemaOrg(blocks, page).value }, page).offer).toMatchObject(wanted);
		}
		const typed = { ...node, '@type': ['WebPage', 'https://schema.org/WebPageSemanticRepresentation'] };
		expect(parseSomSchemaOrg([typed], page).value.target).toBeDefined();
	});

	it('markup about another page, or without a URL, is passed over', () => {
		const type = { '@type': 'WebPageSemanticRepresentation' };
		const { value, problems } = parseSomSchemaOrg(
			[
				{ ...type, sourceUrl: 'https://example.com/other', representationUrl: 'https://a.test/' },
				{ ...type, representationUrl: 7 },
				{
					...type,
					sourceUrl: `${page}#top`,
					representationUrl: '/som/a',
					representationFormat: 'x',
					contentScope: 'y',
					tokenCount: -1,
				},
			],
			page,
		);
		expect(problems.map(({ code }) => code)).toEqual([
			'som-foreign-source',
			'som-invalid-endpoint',
			'som-unknown-format',
			'som-unknown-scope',
		]);
		expect(value.target?.value.url).toBe('https://example.com/som/a');
		expect(value).not.toHaveProperty('scope');
		expect(value).not.toHaveProperty('tokenCount');
	});
});

describe('precedence', () => {
	it('SOM-25 Link, then meta, then Schema.org, then robots.txt', () => {
		const declarations: SomDeclarations = {
			...robots('SOM-Endpoint: https://robots.example.com/som'),
			'schema-org': parseSomSchemaOrg(
				[{ '@type': 'WebPageSemanticRepresentation', representationUrl: 'https://schema.example.com/r' }],
				page,
			).value,
			meta: parseSomMeta([{ name: 'som-endpoint', content: 'https://meta.example.com/som' }]).value,
			link: parseSomLink('<https://link.example.com/r>; rel=semantic-representation', page).value,
		};
		const left: Record<string, unknown> = { ...declarations };
		for (const layer of ['link', 'meta', 'schema-org', 'robots']) {
			expect(resolveSom(left, page).offer?.layers.target).toBe(layer);
			delete left[layer];
		}
		expect(resolveSom(left, page)).toEqual({});
	});

	it('AMB-75 each field comes from the highest layer that states it', () => {
		const meta = parseSomMeta([{ name: 'som-scope', content: 'article-body' }]).value;
		const link = parseSomLink('<https://l.example.com/r>; rel=semantic-representation; type=text/markdown', page).value;
		expect(resolveSom({ ...robots(basic), meta, link }, page).offer).toMatchObject({
			url: 'https://l.example.com/r',
			format: 'markdown',
			scope: 'article-body',
			freshness: 3600,
			tokenBudget: 3000,
			layers: { target: 'link', format: 'link', scope: 'meta', freshness: 'robots', tokenBudget: 'robots' },
		});
	});

	it('AMB-74 for a page that may not be fetched only robots.txt counts', () => {
		const link = parseSomLink('<https://l.example.com/r>; rel=semantic-representation', page).value;
		expect(resolveSom({ ...robots(basic), link }, page, { pageDisallowed: true }).offer?.layers.target).toBe('robots');
		expect(resolveSom({ link }, page, { pageDisallowed: true })).toEqual({});
	});
});

it('nothing throws', () => {
	const key = fc.constantFrom('SOM-Endpoint', 'som-format', 'SOM-Scope', 'SOM-Freshness', 'som-x', '');
	const record = fc.record({ key, value: fc.string({ unit: 'binary' }), line: fc.nat(), column: fc.nat() });
	fc.assert(
		fc.property(fc.array(record), fc.string(), fc.array(fc.jsonValue()), (lines, text, blocks) => {
			const declarations: SomDeclarations = {
				robots: parseSomRecords(lines).value,
				meta: parseSomMeta(lines.map(({ key: name, value: content }) => ({ name, content }))).value,
				link: parseSomLink(`<${text}>; rel=semantic-representation; type="${text}"`, text).value,
				'schema-org': parseSomSchemaOrg(
					[{ '@type': 'WebPageSemanticRepresentation', x: blocks, sourceUrl: text }],
					text,
				).value,
			};
			resolveSom(declarations, text);
		}),
	);
});
