import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matchRobots, parseRobots, prepareRobots, type RobotsMode } from './index.ts';
import { plainVerdict } from './testing/plain-matcher.ts';

type Answer = 'allow' | 'deny';
type Verdict = { id: string; robots: string; agent: string; url: string } & Record<RobotsMode, Answer>;
interface Case {
	id: string;
	symptom: string;
	robots?: string;
	generated?: string;
	verdicts: [agent: string, path: string, answer: Answer][];
}

const load = <T>(name: string): T[] =>
	JSON.parse(readFileSync(new URL(`../../../../vectors/robots/${name}`, import.meta.url), 'utf8'));

const verdicts = load<Verdict>('verdicts.json');
const ids = [...new Set(verdicts.map(({ id }) => id))];

describe('vectors/robots/verdicts.json', () => {
	for (const id of ids) {
		it(`${id} in each mode`, () => {
			for (const vector of verdicts.filter((one) => one.id === id)) {
				const answers = (['rfc9309', 'google', 'default'] as const).map((mode) => {
					const { value } = parseRobots(vector.robots, { mode });
					const { allowed } = matchRobots(value, vector.agent, vector.url);
					expect(plainVerdict(value, vector.agent, vector.url).allowed).toBe(allowed);
					return [mode, allowed ? 'allow' : 'deny'];
				});
				expect({ ...vector, ...Object.fromEntries(answers) }).toEqual(vector);
			}
		});
	}
});

const generated: Record<string, string> = {
	'XB-20': `User-agent: *\n${Array.from({ length: 12_000 }, (_, at) => `Disallow: /pad${String(at).padStart(6, '0')}/\n`).join('')}Disallow: /secret/`,
	'XB-33': 'User-agent: x\nUser-agent: y\nDisallow: /z\n'.repeat(5000),
};

describe('vectors/robots/cases.json, in default mode', () => {
	for (const { id, symptom, robots, verdicts } of load<Case>('cases.json')) {
		it(`${id} ${symptom}`, () => {
			const { value } = parseRobots(robots ?? generated[id]!);
			for (const [agent, path, answer] of verdicts) {
				const url = path === '/a × 2000' ? `/${'a'.repeat(2000)}` : path;
				expect([agent, path, matchRobots(value, agent, url).allowed]).toEqual([agent, path, answer === 'allow']);
			}
		});
	}

	it('XB-22 XB-34 a delay is the one of the agents above it, though the group is shared', () => {
		const split = parseRobots(
			'User-agent: SemrushBot*\nCrawl-delay: 10\n\nUser-agent: Bingbot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /no',
		).value;
		expect(split.groups).toHaveLength(1);
		expect(prepareRobots(split, 'SemrushBot').crawlDelay).toBe(10);
		expect(prepareRobots(split, 'Bingbot').crawlDelay).toBe(5);
		expect(prepareRobots(split, 'FooBot').crawlDelay).toBeUndefined();
		expect(prepareRobots(split, 'FooBot').selected).toBe('*');
	});

	it('XB-26 the sitemap inside a group is the file’s', () => {
		const { value } = parseRobots(
			'User-agent: *\nDisallow:\nSitemap: https://a.test/s.xml\n\nUser-agent: SurveyBot\nDisallow: /',
		);
		expect(value.sitemaps.map(({ value }) => value)).toEqual(['https://a.test/s.xml']);
	});
});
