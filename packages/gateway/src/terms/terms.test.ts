import { agentCategories } from '@wayleave/protocols/identity';
import { decide, preparePolicies, uses } from '@wayleave/protocols/policy';
import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import { checkRobots2, parseRobots2 } from '@wayleave/protocols/robots2';
import { parseSomLink, parseSomMeta, parseSomRecords, parseSomSchemaOrg } from '@wayleave/protocols/som';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfig, parseConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { pageHeaders, pageTags } from './page-terms.ts';
import { somPageLayers, somSettings } from './som-terms.ts';
import { policiesOf, termsOf } from './terms.ts';
import * as arbitrary from './testing/configs.ts';
import { meaningOf } from './testing/meaning.ts';

const origin = 'https://example.com';
const config = (written: Omit<ConfigInput, 'origin'> = {}) => checkConfig({ origin, ...written });

describe('published files mean the same as the policy file', () => {
	const asker = fc.record({
		token: arbitrary.token,
		category: fc.constantFrom(undefined, ...agentCategories),
	});

	it('decide() over the published files gives the verdicts of the policy file, for every use, category and path', () => {
		fc.assert(
			fc.property(arbitrary.config, asker, arbitrary.path, (file, who, path) => {
				const terms = termsOf(file);
				const page = {
					source: origin + path,
					headers: pageHeaders({ signals: terms.signals, manifest: true }, origin + path),
				};
				const agent = { token: who.token, ...(who.category && { categories: [who.category] }) };
				const prepared = preparePolicies(policiesOf(terms, origin), agent);
				for (const use of uses) {
					const { effect } = prepared.decide(use, origin + path, { page });
					expect(`${use} ${effect}`).toBe(`${use} ${meaningOf(file, who, use, path)}`);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('R2-53 PB-97 honeypots are disallowed to everybody in both files, whatever else is allowed', () => {
		fc.assert(
			fc.property(arbitrary.config, arbitrary.token, (file, token) => {
				const terms = termsOf(file);
				for (const trap of file.honeypots) {
					expect(matchRobots(parseRobots(terms.robots).value, token, trap).allowed).toBe(false);
					expect(matchRobots(parseRobots2(terms.robots2).value.paths, token, trap).allowed).toBe(false);
				}
			}),
		);
	});

	it('R2-07 a reader of robots.txt gets the same decisions from both files, and no error', () => {
		fc.assert(
			fc.property(arbitrary.config, arbitrary.token, arbitrary.path, (file, token, path) => {
				const { robots, robots2 } = termsOf(file);
				const asRobots = parseRobots(robots2, { mode: 'rfc9309' });
				const serious = asRobots.problems.filter(({ severity }) => severity === 'error');
				expect(serious).toEqual([]);
				const inBoth = [robots, robots2].map((text) => matchRobots(parseRobots(text).value, token, path).allowed);
				expect(matchRobots(asRobots.value, token, path).allowed).toBe(inBoth[0]);
				expect(inBoth[1]).toBe(inBoth[0]);
			}),
		);
	});

	it('a linter finds nothing in robots2.txt but what the policy itself leaves open', () => {
		fc.assert(
			fc.property(arbitrary.config, (file) => {
				const errors = checkRobots2(termsOf(file).robots2).filter(({ severity }) => severity === 'error');
				expect(errors).toEqual([]);
			}),
		);
	});
});

describe('a policy file in other words', () => {
	it('says in each vocabulary what it can say', () => {
		const all = termsOf(config({ policy: { crawl: 'yes', read: 'yes', summarise: 'yes', train: 'no', store: 'no' } }));
		expect(all.robots).toContain('Content-Usage: train-ai=n\nContent-Signal: search=yes, ai-input=yes, ai-train=no\n');
		expect(JSON.parse(all.signals.files[0]?.text ?? '')).toEqual([
			{ location: '/*', 'tdm-reservation': 1, 'tdm-policy': 'https://example.com/robots2.txt' },
		]);
		expect(pageHeaders({ signals: all.signals, manifest: true }, `${origin}/`)).toEqual({
			link: '</.well-known/pagedigest.json>; rel="https://pagedigest.org/rel"',
			'content-usage': 'train-ai=n',
			'content-signal': 'search=yes, ai-input=yes, ai-train=no',
			'tdm-reservation': '1',
			'x-robots-tag': 'noarchive, noai',
		});
	});

	it('leaves ask to robots2.txt, and what is not the same for all categories', () => {
		const { robots, signals } = termsOf(
			config({ policy: { train: 'ask', summarise: 'no' }, categories: { 'search-indexer': { summarise: 'yes' } } }),
		);
		expect(robots).toBe(
			'# >>> wayleave: from the policy file, written anew each time\nUser-agent: *\nDisallow:\n# <<< wayleave\n',
		);
		expect(signals.files).toEqual([]);
	});

	it('takes names that differ in case as one, and keeps what holds for all in the group of each', () => {
		const { robots } = termsOf(
			config({ paths: { disallow: ['/admin'], agents: { GPTBot: { disallow: ['/'] }, gptbot: { allow: ['/ok'] } } } }),
		);
		expect(robots.match(/User-agent: .*/g)).toEqual(['User-agent: *', 'User-agent: GPTBot']);
		const file = parseRobots(robots).value;
		const allowed = (path: string) => matchRobots(file, 'GPTBot', path).allowed;
		expect(['/ok', '/x', '/admin'].map(allowed)).toEqual([true, false, false]);
	});

	it('PB-72 refuses a path that begins with a star, and says where', () => {
		expect(() => parseConfig(`origin: ${origin}\npaths: { disallow: ["*.pdf"] }`)).toThrow(/:2:21: .*begins with \//);
	});

	it('PB-68 PB-70 writes neither a byte order mark nor a Host line', () => {
		const { robots } = termsOf(config({ paths: { disallow: ['/x'] } }), {
			ownRobots: '\uFEFFUser-agent: *\nDisallow: /y\n',
		});
		expect(robots).toMatch(/^User-agent/);
		expect(robots).not.toMatch(/host/i);
	});

	it('R2-30 AMB-08 a rate is a rate in robots2.txt and a delay in robots.txt', () => {
		const { robots, robots2 } = termsOf(config({ rate: { default: 30 } }));
		expect(robots).toContain('Crawl-delay: 2\n');
		expect(robots2).toContain('rate: 30\n');
		expect(termsOf(config({ rate: { default: 90 } })).robots).not.toContain('Crawl-delay');
	});

	it('AWI-62 makes the verification file of a token', () => {
		expect(termsOf(config({ verification: 'abc123' })).verification).toBe('aiwi-verify=abc123\n');
	});

	it('tells what will not come about as it is meant', () => {
		const codes = (written: Omit<ConfigInput, 'origin'>) => termsOf(config(written)).problems.map(({ code }) => code);
		expect(codes({ ask: { train: { decision: 'allow' } } })).toEqual(['publish-ask-unasked']);
		expect(codes({ paths: { agents: { Bot2: { disallow: ['/'] } } } })).toEqual(['publish-agent-name']);
		expect(codes({ paths: { disallow: ['/'] } })).toEqual(['publish-site-closed']);
		expect(codes({ policy: { train: 'no', store: 'yes' } })).toEqual(['publish-tdm-silent']);
		expect(codes({ policy: { train: 'no', store: 'no' } })).toEqual([]);
	});
});

describe('the SOM endpoint', () => {
	const som = { endpoint: '/v1/som', scope: 'main-content', freshness: 3600, tokenBudget: 3000 } as const;
	const pageUrl = `${origin}/a?b=1`;

	it('SOM-24 stands the same in robots.txt, meta tags, JSON-LD and Link header', () => {
		const file = config({ som });
		const terms = termsOf(file);
		const { meta, schemaOrg, link } = somPageLayers(somSettings(file)!, pageUrl);
		const target = 'https://example.com/v1/som?url=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1';
		const layers = [
			parseSomRecords(parseRobots(terms.robots).value.records).value,
			parseSomMeta(
				meta
					.map((tag) => /name="(.*)" content="(.*)"/.exec(tag)!)
					.map(([, name, content]) => ({ name: name!, content: content! })),
			).value,
			parseSomSchemaOrg([schemaOrg], pageUrl).value,
			parseSomLink(link, pageUrl).value,
		];
		expect(layers.map(({ target: at }) => at?.value.url)).toEqual([
			'https://example.com/v1/som',
			'https://example.com/v1/som',
			target,
			target,
		]);
		expect(layers.map(({ format }) => format?.value)).toEqual(['SOM/1.0', 'SOM/1.0', 'SOM/1.0', 'SOM/1.0']);
		expect(layers.map(({ scope }) => scope?.value)).toEqual([
			'main-content',
			'main-content',
			'main-content',
			undefined,
		]);
	});

	it('SOM-26 warns of an endpoint without https', () => {
		const { problems } = termsOf(checkConfig({ origin: 'http://example.com', som }));
		expect(problems.map(({ code }) => code)).toEqual(['som-endpoint-not-https']);
	});

	it('PB-71 can stay out of robots.txt, or be a comment in it', () => {
		const robots = (somInRobots: 'comment' | 'off') => termsOf(config({ som, publish: { somInRobots } })).robots;
		expect(robots('comment')).toContain('# SOM-Endpoint: https://example.com/v1/som\n');
		expect(parseRobots(robots('comment')).value.records).toEqual([]);
		expect(robots('off')).not.toContain('SOM-');
	});
});

describe('the head of a page', () => {
	const { signals } = termsOf(config({ policy: { train: 'no', store: 'no' } }));

	it('names the manifest and its representations', () => {
		const tags = pageTags(
			{ signals, manifest: true, somFile: '/a.som.json', markdownFile: '/a%20b.md', somScope: 'main-content' },
			`${origin}/a</script>ü`,
		);
		expect(tags).toEqual([
			'<link rel="https://pagedigest.org/rel" href="/.well-known/pagedigest.json">',
			'<meta name="robots" content="noarchive, noai">',
			'<meta name="tdm-reservation" content="1">',
			expect.stringMatching(/^<script type="application\/ld\+json">\{[^<>]*\}<\/script>$/),
			'<link rel="alternate" type="text/markdown" href="/a%20b.md">',
		]);
	});

	it('R2-53 says nothing on a honeypot', () => {
		expect(pageTags({ signals, manifest: true, honeypot: true }, `${origin}/trap`)).toEqual([]);
	});

	it('decide() reads the same from the tags as from the headers', () => {
		const meta = pageTags({ signals, manifest: false }, origin)
			.map((tag) => /name="(.*)" content="(.*)"/.exec(tag)!)
			.map(([, name, content]) => ({ name: name!, content: content! }));
		const effect = (use: 'train' | 'store') =>
			decide({ page: { source: origin, meta } }, { token: 'X' }, use, origin).effect;
		expect([effect('train'), effect('store')]).toEqual(['deny', 'deny']);
	});
});
