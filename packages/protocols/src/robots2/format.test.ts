import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCategories } from '../identity/index.ts';
import { matchRobots, parseRobots } from '../robots/index.ts';
import {
	checkRobots2,
	effectivePolicy,
	formatRobots2,
	parseRobots2,
	type Robots2Draft,
	Robots2FormatError,
	robots2Draft,
} from './index.ts';
import { robots2Text } from './testing/arbitraries.ts';

const draft: Robots2Draft = {
	meta: { 'spec-version': '2.0', 'chain-id': 'a.test' },
	paths: [
		{
			agents: ['*'],
			rules: [
				{ allow: true, pattern: '/' },
				{ allow: false, pattern: '/admin' },
			],
		},
	],
	policy: { store: 'session-only', crawl: 'YES', rate: '30', market: 'reference publishing' },
	quality: { 'primary-language': 'en-AU' },
	reportTo: ['mailto:webmaster@a.test'],
	sections: [{ category: 'data-harvester', policy: { crawl: 'no' } }],
	chain: 'https://robotsv2.org/community-baseline.txt',
};

describe('formatRobots2', () => {
	it('AMB-44 writes global policy before the sections and the chain last', () => {
		expect(formatRobots2(draft)).toBe(
			`# meta: spec-version: 2.0
# meta: chain-id: a.test

User-agent: *
Allow: /
Disallow: /admin

crawl: yes
store: session-only
market: reference publishing
rate: 30

primary-language: en-AU

report-to: mailto:webmaster@a.test

[agent: data-harvester]
crawl: no

chain: https://robotsv2.org/community-baseline.txt
`,
		);
		expect(checkRobots2(formatRobots2(draft))).toEqual([]);
	});
	it('R2-07 stays safe for readers of robots.txt', () => {
		const file = parseRobots(formatRobots2(draft)).value;
		expect(matchRobots(file, 'AnyBot', '/admin/x').allowed).toBe(false);
		expect(matchRobots(file, 'AnyBot', '/x').allowed).toBe(true);
	});
	it('R2-37 writes and reads sections for the eight categories', () => {
		const sections = agentCategories.map((category) => ({ category, policy: { crawl: 'ask' } }));
		const { value, problems } = parseRobots2(formatRobots2({ sections }));
		expect(value.sections.map(({ categories }) => categories[0])).toEqual(agentCategories);
		expect(problems).toEqual([]);
	});
	it('AMB-40 writes British forms', () => {
		const american = { policy: { summarize: 'no', monetize: 'no' } } as Robots2Draft;
		expect(formatRobots2(american)).toBe('summarise: no\nmonetise: no\n');
	});
	it('writes an agent without rules so that the next group does not become its own', () => {
		const paths = [
			{ agents: ['a'], rules: [] },
			{ agents: ['b'], rules: [{ allow: false, pattern: '/' }] },
		];
		const file = parseRobots2(formatRobots2({ paths })).value.paths;
		expect([matchRobots(file, 'a', '/x').allowed, matchRobots(file, 'b', '/x').allowed]).toEqual([true, false]);
	});
	it.each<[string, unknown]>([
		['AMB-42 a value that is none', { policy: { quote: 'ask' } }],
		['AMB-51 rate: 0', { policy: { rate: '0' } }],
		['AMB-51 a negative rate', { policy: { rate: '-1' } }],
		['R2-33 honest: no', { policy: { honest: 'no' } }],
		['a line end', { policy: { market: 'a\ntrain: yes' } }],
		['a comment', { policy: { market: 'a # b' } }],
		['an empty value', { policy: { market: '' } }],
		['a chain that is not https', { chain: 'http://b.test/' }],
		['a chain that is no URL', { chain: 'baseline' }],
		['a category with a bracket', { sections: [{ category: 'a]', policy: {} }] }],
		['a report-to that is neither', { reportTo: ['webmaster'] }],
		['a directive of another place', { policy: { 'content-type': 'news' } }],
		['an unknown directive', { policy: { 'age-rating': '12' } }],
		['a pattern with a line end', { paths: [{ agents: ['*'], rules: [{ allow: true, pattern: '/\nDisallow: /' }] }] }],
		['a meta name with a colon', { meta: { 'a:b': 'c' } }],
	])('refuses %s', (_, wrong) => {
		expect(() => formatRobots2(wrong as Robots2Draft)).toThrow(Robots2FormatError);
	});
	it('the file of the draft comes back with the same policy for every category', () => {
		const written = readFileSync(new URL('../../../../vectors/robots2/draft-0.2.1.txt', import.meta.url), 'utf8');
		const before = parseRobots2(written).value;
		const after = parseRobots2(formatRobots2(robots2Draft(before)));
		expect(after.problems).toEqual([]);
		expect(after.value.chain?.value).toBe(before.chain?.value);
		expect([...after.value.meta]).toEqual([...before.meta]);
		for (const category of agentCategories) {
			const [a, b] = [before, after.value].map((file) =>
				effectivePolicy([{ source: 'x', file }], { categories: [category] }),
			);
			const told = (policy: typeof a) => Object.entries(policy!).map(([name, setting]) => `${name}: ${setting.value}`);
			expect(told(b)).toEqual(told(a));
		}
	});
	it('writes whatever was read, and reading it again gives the same text', () => {
		fc.assert(
			fc.property(fc.oneof(robots2Text, fc.string()), (text) => {
				const once = formatRobots2(robots2Draft(parseRobots2(text).value));
				expect(formatRobots2(robots2Draft(parseRobots2(once).value))).toBe(once);
			}),
			{ numRuns: 300 },
		);
	});
});
