import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './load.ts';
import { configJsonSchema } from './schema.ts';

const full = `
origin: https://example.com
paths: { allow: ["/"], disallow: ["/admin"], agents: { GPTBot: { disallow: ["/"] } } }
policy:  { crawl: yes, read: yes, summarise: yes, quote: short-only, derivative: no, train: ask, store: session-only, attribution: required }
categories: { search-indexer: { store: yes }, data-harvester: { crawl: no } }
ask:     { train: { decision: allow, scopes: ["/blog/*"], agents: ["ExampleBot"] } }
rate:    { default: 30, burst: 10 }
som:     { endpoint: /v1/som, scope: main-content, freshness: 3600, tokenBudget: 3000, offerDisallowed: true }
pagedigest: { state: ./.wayleave/revisions.db, coverage: complete }
honeypots: ["/api/export"]
publish: { contentUsage: true, contentSignal: true, tdmrep: true, llmsTxt: true }
identity: { trustedProxies: [], verify: { ranges: true, reverseDns: true, signatures: true } }
ledger:  { store: sqlite:./.wayleave/ledger.db, retentionDays: 90, hashAddresses: false }
reportTo: [mailto:webmaster@example.com]
`;

function problems(text: string) {
	try {
		parseConfig(text, 'f.yaml');
		return [];
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
	}
}

describe('a policy file', () => {
	it('is read as a whole', () => {
		const config = parseConfig(full);
		expect(config.policy).toMatchObject({ crawl: 'yes', derivative: 'no', train: 'ask' });
		expect(config.som).toMatchObject({ format: 'SOM/1.0', offerDisallowed: true, tokenBudget: 3000 });
		expect(config.categories['data-harvester']).toEqual({ crawl: 'no' });
	});

	it('needs no more than an origin', () => {
		expect(parseConfig('origin: https://example.com')).toMatchObject({
			policy: {},
			honeypots: [],
			publish: { contentUsage: true },
			ledger: { retentionDays: 90 },
		});
	});

	it('means the same as JSON with booleans', () => {
		expect(parseConfig('{"origin":"https://example.com","policy":{"crawl":true,"train":false}}').policy).toEqual({
			crawl: 'yes',
			train: 'no',
		});
	});

	it('tells the place of everything that is wrong', () => {
		expect(
			problems('origin: https://example.com/x\npolicy:\n  train: maybe\n  trian: no\npaths:\n  disallow: [admin]\n'),
		).toEqual([
			'1:1 origin: expected an origin without a path: https://example.com',
			'3:3 policy.train: expected one of no, ask, yes',
			'4:3 policy.trian: unknown key; did you mean train?',
			'6:14 paths.disallow.0: expected a path that begins with / and contains neither spaces nor #',
		]);
		expect(problems('policy: {}')[0]).toMatch(/origin/);
		expect(problems('a: [1\nb: 2')[0]).toMatch(/^\d+:\d+ /);
		expect(problems('a: 1\na: 2')[0]).toBe('2:1 : the key appears twice: keep one');
		expect(problems('')[0]).toBe('0:0 : the file is empty: set at least "origin"');
	});

	it('U2-26: a misspelt key gets the one that is meant, and what is below it is checked in the same go', () => {
		expect(problems('polcy: { tarin: no }')).toEqual([
			'1:1 polcy: unknown key; did you mean policy?',
			'1:1 origin: is missing: the origin of the site, https://example.com',
			'1:10 polcy.tarin: unknown key; did you mean train?',
		]);
		expect(problems('origin: https://example.com\npolicy: { tarin: no }')).toEqual([
			'2:11 policy.tarin: unknown key; did you mean train?',
		]);
		// Categories, values, keys inside lists and inside one of several forms.
		expect(
			problems(
				[
					'origin: https://example.com',
					'categories: { serach-indexer: { stroe: yes } }',
					'policy: { store: sesion-only }',
					'ask: { train: [{ decison: allow }] }',
					'pathes: { dissallow: [/a] }',
				].join('\n'),
			),
		).toEqual([
			'2:15 categories.serach-indexer: unknown key; did you mean search-indexer?',
			'2:33 categories.serach-indexer.stroe: unknown key; did you mean store?',
			'3:11 policy.store: expected one of no, session-only, yes; did you mean session-only?',
			'4:18 ask.train.0.decison: unknown key; did you mean decision?',
			'5:1 pathes: unknown key; did you mean paths?',
			'5:11 pathes.dissallow: unknown key; did you mean disallow?',
		]);
		// No neighbour: no guess, and nothing that every object has is taken for a key.
		expect(problems('origin: https://example.com\nzzzzzz: 1\nconstructor: 1')).toEqual([
			'2:1 zzzzzz: unknown key',
			'3:1 constructor: unknown key',
		]);
	});

	it('U2-27: a missing origin and text instead of a list get an example', () => {
		const message = (text: string) => {
			try {
				parseConfig(text, 'f.yaml');
			} catch (error) {
				return (error as ConfigError).message.split('\n');
			}
			return [];
		};
		expect(message('paths: { disallow: "/admin" }')).toEqual([
			'f.yaml:1:1: origin is missing: the origin of the site, https://example.com',
			'f.yaml:1:10: paths.disallow: expected a list: ["/admin"]',
		]);
		expect(message('origin:')).toEqual(['f.yaml:1:1: origin is missing: the origin of the site, https://example.com']);
	});

	it.each([
		['rate: { default: "30" }', 'rate.default: expected a number without quotes: 30'],
		['rate: { default: often }', 'rate.default: expected a number, such as 30'],
		['rate: { default: 0 }', 'rate.default: expected a number of at least 1'],
		['rate: { default: 1.5 }', 'rate.default: expected a whole number'],
		['rate: 30', 'rate: expected keys with their values: default, burst, searchEngines, unknown, refusals'],
		['rate: [30]', 'rate: expected keys with their values: default, burst, searchEngines, unknown, refusals'],
		['policy: { rate: fast }', 'policy.rate: expected requests per minute, such as 30, or polite'],
		['ledger: { hashAddresses: "yes" }', 'ledger.hashAddresses: expected true without quotes'],
		['ledger: { store: 5 }', 'ledger.store: expected text in quotes: "5"'],
		[
			'som: { scope: main }',
			'som.scope: expected one of full-page, main-content, article-body; did you mean main-content?',
		],
		['som: { freshness: -1 }', 'som.freshness: expected a number of at least 0'],
		['pagedigest: { prefixes: [] }', 'pagedigest.prefixes: expected a list with at least one entry'],
		['identity: { agents: [{ token: X }] }', 'identity.agents.0.operator: is missing'],
		['reportTo: webmaster@example.com', 'reportTo: expected a list: ["webmaster@example.com"]'],
		['honeypots: 5', 'honeypots: expected a list: [5]'],
		['ask: { train: { decision: allow, maxAge: 999999 } }', 'ask.train.maxAge: expected a number of at most 86400'],
	])('U2-28: %s', (line, sentence) => {
		expect(problems(`origin: https://example.com\n${line}`)[0]?.replace(/^\d+:\d+ /, '')).toBe(sentence);
	});

	it('U2-29: an origin without a scheme has its place and what to write', () => {
		const wanted = '1:1 origin: expected a URL with its scheme: https://site.example.com';
		expect(problems('origin: site.example.com')).toEqual([wanted]);
		expect(problems('origin: //site.example.com')[0]).toMatch(/^1:1 origin: expected a URL with its scheme/);
		expect(problems('origin: "https://"')[0]).toMatch(/^1:1 origin: /);
		expect(problems('origin: "https://["')[0]).toMatch(/^1:1 origin: /);
	});

	it('U2-30: a value that is not known gets the list of those that are', () => {
		expect(problems('origin: https://example.com\npolicy: { store: maybe }')).toEqual([
			'2:11 policy.store: expected one of no, session-only, yes',
		]);
	});

	it.each([
		['a: b: c', '1:4 : two keys are on one line'],
		['a: [1', '1:6 : a closing ] or } is missing'],
		['\ta: 1', '1:1 : indent lines with spaces, not tabs'],
		["a: 'x", 'something is missing here'],
		['a: *x', 'has no anchor'],
		['a: 1\n---\nb: 2', 'a file holds one document'],
		['a: 1\n  b: 2', 'two keys are on one line'],
		['a: "\\q"', 'YAML has no such backslash escape'],
	])('YAML that is none, %j, is said in words for its writer', (text, sentence) => {
		expect(problems(text).join('\n')).toContain(sentence);
		expect(problems(text).join('\n')).not.toMatch(/implicit|scalar|collection|flow|Unresolved/i);
	});

	it('has a JSON Schema that agrees', () => {
		const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(configJsonSchema());
		expect(validate({ origin: 'https://example.com', policy: { train: 'no' } })).toBe(true);
		expect(validate({ origin: 'https://example.com', policy: { train: 'maybe' } })).toBe(false);
	});
});
