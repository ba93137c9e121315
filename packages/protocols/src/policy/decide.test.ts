import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../evidence.ts';
import { parseRobots } from '../robots/index.ts';
import { parseRobots2 } from '../robots2/index.ts';
import { type HostPolicies, type MissingFile, type PageSignals, parseTdmrep, preparePolicies } from './index.ts';

const vectors = JSON.parse(readFileSync(new URL('../../../../vectors/policy/decisions.json', import.meta.url), 'utf8'));
const home = 'https://a.test/';

type Written = string | Omit<MissingFile, 'source'> | { source: string; text: string }[] | undefined;

function readRobots(written: Written): HostPolicies['robots'] {
	const source = `${home}robots.txt`;
	if (typeof written === 'string') return { source, file: parseRobots(written).value };
	return written && !Array.isArray(written) ? { source, ...written } : undefined;
}

function readRobots2(written: Written): HostPolicies['robots2'] {
	const source = `${home}robots2.txt`;
	if (written === undefined) return undefined;
	if (typeof written !== 'string' && !Array.isArray(written)) return { source, ...written };
	const files = typeof written === 'string' ? [{ source, text: written }] : written;
	return { files: files.map((each) => ({ source: each.source, file: parseRobots2(each.text).value })) };
}

const short = ({ source, line, text }: Evidence) => `${source.replace(home, '')}:${line} ${text}`;

describe('decide', () => {
	for (const { title, agent, robots, robots2, tdmrep, page, asks, operator, expect: questions } of vectors.cases) {
		it(title, () => {
			const source = `${home}.well-known/tdmrep.json`;
			const lines = tdmrep && `[\n${tdmrep.map((rule: unknown) => JSON.stringify(rule)).join(',\n')}]`;
			const host = {
				robots: readRobots(robots),
				robots2: readRobots2(robots2),
				files: lines && { tdmrep: { source, value: parseTdmrep(lines).value } },
				asks,
				operator,
			} as HostPolicies;
			const prepared = preparePolicies(host, { ...vectors.agent, ...agent });
			for (const { use, path, representation, ...wanted } of questions) {
				const url = path.startsWith('/') ? new URL(path, home).href : path;
				const signals: PageSignals = { source: 'page', ...page };
				const verdict = prepared.decide(use, url, { page: signals, representation });
				const told = {
					...verdict,
					because: verdict.because.map(short),
					also: verdict.also.map(short),
					contradicts: verdict.contradicts.map((pair) => pair.map(short)),
				};
				expect.soft(told, `${use} ${path}`).toMatchObject(wanted);
				if (wanted.effect === 'deny') expect.soft(verdict.because, `${use} ${path}`).not.toEqual([]);
			}
		});
	}
});

it('the longest delay comes with its line, a comma read as a point', () => {
	const robots = readRobots('User-agent: *\nCrawl-delay: 1\nCrawl-delay: 1,5\nDisallow: /x');
	const prepared = preparePolicies({ robots: robots! }, { token: 'ExampleBot' });
	expect(prepared.crawlDelay).toBe(1.5);
	expect(short(prepared.crawlDelayLine!)).toBe('robots.txt:3 Crawl-delay: 1,5');
});
