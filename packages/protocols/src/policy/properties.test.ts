import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRobots } from '../robots/index.ts';
import { formatRobots2, parseRobots2, robots2Draft } from '../robots2/index.ts';
import { robots2Text } from '../robots2/testing/arbitraries.ts';
import {
	type Agent,
	decide,
	type Policies,
	parseContentSignal,
	parseContentUsage,
	parseTdmrep,
	preparePolicies,
	robotsTagRules,
	type Use,
	uses,
	type Verdict,
} from './index.ts';

const agents: fc.Arbitrary<Agent> = fc.record(
	{
		token: fc.constantFrom('AIWebIndex', 'GPTBot'),
		name: fc.constantFrom('Tester', 'monitoring'),
		categories: fc.subarray(['ai-assistant', 'ai-researcher', 'search-indexer', 'data-harvester']),
		operatorMarket: fc.constantFrom('news', 'weather'),
	},
	{ requiredKeys: ['token'] },
);
const use = fc.constantFrom<Use>(...uses);
const url = fc.constantFrom('https://a.test/', 'https://a.test/a', 'https://a.test/b/c?d=e', 'https://a.test/a%2Fb');

function site(robots: string, robots2: string, header = ''): Policies {
	return {
		robots: { source: 'https://a.test/robots.txt', file: parseRobots(robots).value },
		robots2: { files: [{ source: 'https://a.test/robots2.txt', file: parseRobots2(robots2).value }] },
		page: { source: 'https://a.test/', headers: { 'content-usage': header, 'x-robots-tag': header } },
	};
}

const strength = ({ effect, permitted }: Verdict) =>
	permitted ? 0 : { allow: 0, limited: 0, unspecified: 1, ask: 2, deny: 3 }[effect];

describe('decide, on any input', () => {
	it('never throws, and explains every refusal', () => {
		fc.assert(
			fc.property(fc.string(), robots2Text, fc.string(), agents, use, fc.oneof(url, fc.string()), (...input) => {
				const [robots, robots2, header, agent, wanted, at] = input;
				const verdict = decide(site(robots, robots2, header), agent, wanted, at);
				if (!verdict.permitted) expect(verdict.because.length).toBeGreaterThan(0);
			}),
		);
	});
	it('the vocabularies never throw', () => {
		fc.assert(
			fc.property(fc.string(), fc.json(), (text, json) => {
				parseContentSignal(text);
				parseContentUsage(text);
				parseTdmrep(text);
				parseTdmrep(json);
				robotsTagRules({ 'x-robots-tag': text }, ['a']);
			}),
		);
	});
	it('formatting a robots2.txt keeps the decisions', () => {
		fc.assert(
			fc.property(robots2Text, agents, use, url, (text, agent, wanted, at) => {
				const again = formatRobots2(robots2Draft(parseRobots2(text).value));
				const [before, after] = [text, again].map((each) => decide(site('', each), agent, wanted, at));
				const told = ({ effect, permitted, ask, limits }: Verdict) => ({ effect, permitted, ask, limits });
				expect(told(after!), again).toEqual(told(before!));
			}),
			{ numRuns: 300 },
		);
	});
	it('a stricter statement never widens a verdict', () => {
		const stricter = fc.constantFrom(
			'crawl: no',
			'read: no',
			'train: no',
			'store: no',
			'quote: no',
			'compete: no',
			'summarise: ask',
			'store: session-only',
			'rate: 0',
			'User-agent: *\nDisallow: /a',
		);
		fc.assert(
			fc.property(robots2Text, stricter, agents, use, url, (text, line, agent, wanted, at) => {
				// In front: there it is global, and its User-agent line cannot take rules away from a group.
				const header = 'train-ai=y';
				const before = decide(site('', text, header), agent, wanted, at);
				const after = decide(site('', `${line}\n${text}`, header), agent, wanted, at);
				// Where nothing was said, `session-only` and `ask` are the first word, and may permit what silence did not.
				if (before.effect !== 'unspecified') expect(strength(after)).toBeGreaterThanOrEqual(strength(before));
			}),
			{ numRuns: 300 },
		);
	});
	it('a refusal in any vocabulary only narrows', () => {
		const refusals = fc.constantFrom(
			{ headers: { 'content-usage': 'train-ai=n' } },
			{ headers: { 'content-signal': 'ai-train=no, ai-input=no, search=no' } },
			{ headers: { 'x-robots-tag': 'noai, noimageai, nosnippet, noarchive, noindex' } },
			{ headers: { 'tdm-reservation': '1' } },
			{ meta: [{ name: 'robots', content: 'noimageai' }] },
		);
		fc.assert(
			fc.property(robots2Text, refusals, agents, use, url, (text, refusal, agent, wanted, at) => {
				const policies = site('', text);
				const before = decide(policies, agent, wanted, at);
				const after = decide({ ...policies, page: { source: at, ...refusal } }, agent, wanted, at);
				expect(strength(after)).toBeGreaterThanOrEqual(strength(before));
			}),
		);
	});
	it('prepared and unprepared answers agree', () => {
		fc.assert(
			fc.property(fc.string(), robots2Text, agents, (robots, robots2, agent) => {
				const policies = site(robots, robots2);
				const prepared = preparePolicies(policies, agent);
				for (const wanted of uses) {
					const once = decide(policies, agent, wanted, 'https://a.test/a');
					expect(prepared.decide(wanted, 'https://a.test/a', { page: policies.page! })).toEqual(once);
				}
			}),
		);
	});
});
