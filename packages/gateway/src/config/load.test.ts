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
			'1:1 origin: an origin has no path: https://example.com',
			'6:14 paths.disallow.0: a path begins with / and has neither blanks nor #',
			'3:3 policy.train: one of no, ask, yes',
			'4:3 policy.trian: there is no such key',
		]);
		expect(problems('policy: {}')[0]).toMatch(/origin/);
		expect(problems('a: [1\nb: 2')[0]).toMatch(/^\d+:\d+ /);
		expect(problems('a: 1\na: 2')[0]).toMatch(/^2:1 .*unique/i);
		expect(problems('')[0]).toMatch(/expected object/i);
	});

	it('has a JSON Schema that agrees', () => {
		const validate = new Ajv2020({ strict: false, formats: { uri: true } }).compile(configJsonSchema());
		expect(validate({ origin: 'https://example.com', policy: { train: 'no' } })).toBe(true);
		expect(validate({ origin: 'https://example.com', policy: { train: 'maybe' } })).toBe(false);
	});
});
