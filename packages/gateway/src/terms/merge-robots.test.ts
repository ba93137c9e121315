import { readFileSync } from 'node:fs';
import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { Config, ConfigInput } from '../config/schema.ts';
import { readOwnRobots } from './own-robots.ts';
import { type Terms, termsOf } from './terms.ts';
import * as arbitrary from './testing/configs.ts';
import { isClosed } from './testing/meaning.ts';

const merge = (own: string | Uint8Array, written: Omit<ConfigInput, 'origin'>): Terms =>
	termsOf(checkConfig({ origin: 'https://example.com', ...written }), { ownRobots: own });
const unmarked = (text: string) => text.replace(/^# (?:>>>|<<<) wayleave.*\n/gm, '');
const allowed = (text: string, agent: string, path: string) =>
	matchRobots(parseRobots(text).value, agent, path).allowed;

interface Vector {
	readonly name: string;
	readonly own: string;
	readonly policy: Omit<ConfigInput, 'origin'>;
	readonly robots: string;
	readonly problems: readonly { readonly code: string; readonly line: number }[];
}
const vectors: Vector[] = JSON.parse(
	readFileSync(new URL('../../../../vectors/publish/robots.json', import.meta.url), 'utf8'),
);

describe('vectors/publish/robots.json', () => {
	it.each(vectors)('$name', ({ own, policy, robots, problems }) => {
		const merged = merge(own, policy);
		expect(merged.robots).toBe(robots);
		expect(merged.problems.map(({ code, line }) => ({ code, line }))).toEqual(problems);
		expect(merge(robots, policy).robots).toBe(robots);
	});
});

/** Files of sites, with all that makes merging hard: shared, repeated and empty groups, records between agents. */
const line = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom('User-agent: *', 'User-agent: GPTBot', 'User-agent: OtherBot', 'user-agent: gptbot/1.0'),
	},
	{
		weight: 4,
		arbitrary: fc
			.tuple(fc.constantFrom('Allow', 'Disallow', 'disallow'), arbitrary.pattern)
			.map((both) => both.join(': ')),
	},
	fc.constantFrom(
		'',
		'# a remark',
		'Crawl-delay: 5',
		'Sitemap: https://example.com/s.xml',
		'Content-Signal: search=yes',
		'Disallow:',
		'what?',
	),
);
const ownFile = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(''));

describe('the robots.txt of a site and the policy file', () => {
	it('keeps every line of the site where it stands and adds to its group', () => {
		const own =
			'# Tidemark\nUser-agent: *\nDisallow: /private/ # not yet\n\nUser-agent: Harvester\nDisallow: /\n\nSitemap: https://a.test/s.xml\n';
		const { robots, problems } = merge(own, { paths: { disallow: ['/admin'] }, policy: { train: 'no' } });
		expect(unmarked(robots)).toBe(
			'# Tidemark\nUser-agent: *\nDisallow: /private/ # not yet\nDisallow: /admin\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no\n\n' +
				'User-agent: Harvester\nDisallow: /\nDisallow: /admin\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no\n\nSitemap: https://a.test/s.xml\n',
		);
		expect(problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
	});

	it('leaves a file as it is when there is nothing to add', () => {
		const own = 'User-agent: *\r\nDisallow: /x\r\n';
		expect(merge(own, {}).robots).toBe(own);
		expect(merge('User-agent: *\n', {}).robots).toBe('User-agent: *\n');
	});

	it('gives a named agent what the site says to everybody, since its group replaces that', () => {
		const { robots } = merge('User-agent: *\nDisallow: /private\nCrawl-delay: 7\n', {
			paths: { agents: { GPTBot: { disallow: ['/x'] } } },
		});
		expect(unmarked(robots)).toContain('\nUser-agent: GPTBot\nDisallow: /private\nDisallow: /x\nCrawl-delay: 7\n');
	});

	it('makes one group of several for one agent, and switches the old lines off', () => {
		const own = 'User-agent: *\nDisallow: /a\n\nUser-agent: Bot\nUser-agent: *\nDisallow: /b\n';
		const { robots } = merge(own, { paths: { disallow: ['/c'] } });
		expect(robots).toContain('# wayleave: off: Disallow: /a\n');
		expect(
			parseRobots(robots).value.groups.map(({ agents, rules }) => [
				agents.map(({ name }) => name),
				rules.map(({ pattern }) => pattern),
			]),
		).toEqual([
			[['*'], ['/a', '/b', '/c']],
			[['Bot'], ['/b', '/c']],
		]);
	});

	it('lets the Disallow stand where both say the opposite, and tells the line', () => {
		const own = 'User-agent: *\nAllow: /\nAllow: /a/ok\nDisallow: /b\n';
		const { robots, problems } = merge(own, { paths: { disallow: ['/', '/a'], allow: ['/b'] } });
		expect([allowed(robots, 'x', '/'), allowed(robots, 'x', '/a/ok'), allowed(robots, 'x', '/b')]).toEqual([
			false,
			true,
			false,
		]);
		expect(problems.map(({ code, line, args }) => [code, line, args.pattern])).toEqual([
			['publish-rules-contradict', 2, '/'],
			['publish-own-allow-wins', 3, '/a/ok'],
			['publish-rules-contradict', 4, '/b'],
		]);
	});

	it('R2-53 PB-97 switches off what would lead to a honeypot', () => {
		const { robots, problems } = merge(
			'User-agent: *\nAllow: /api/export$\nAllow: /api/*export*\nAllow: /api/*port\n',
			{
				honeypots: ['/api/export'],
			},
		);
		expect(allowed(robots, 'x', '/api/export')).toBe(false);
		expect(problems.map(({ code, line }) => [code, line])).toEqual([
			['publish-honeypot-open', 2],
			['publish-honeypot-open', 3],
		]);
	});

	it('tells of a signal of the site that forbids what the policy allows', () => {
		const { problems } = merge('User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n', {
			policy: { train: 'yes', store: 'yes' },
		});
		expect(problems.map(({ code, line }) => [code, line])).toEqual([['publish-signal-contradicts', 2]]);
	});

	it('REP-01 writes bytes that are not UTF-8 as readers take them', () => {
		const own = Buffer.from('# caf\xe9\nUser-agent: *\nDisallow: /caf\xe9\nDisallow: /na\xc3\xafve\n', 'latin1');
		const { robots } = merge(own, { paths: { disallow: ['/x'] } });
		expect(robots).toContain('Disallow: /caf%E9\nDisallow: /naïve\nDisallow: /x\n'.replace('Disallow: /x\n', ''));
		expect(allowed(robots, 'x', '/caf%e9')).toBe(false);
	});

	it('keeps lines of a block whose end was lost', () => {
		const robots = merge('User-agent: *\nDisallow: /a\n', { paths: { disallow: ['/b'] } }).robots.replace(
			/^# <<<.*\n/m,
			'',
		);
		expect(readOwnRobots(robots).lines).toEqual(['User-agent: *', 'Disallow: /a', 'Disallow: /b']);
	});

	it('is the same when done again, and gives the site its file back', () => {
		fc.assert(
			fc.property(ownFile, arbitrary.config, (own, config) => {
				const once = termsOf(config, { ownRobots: own }).robots;
				expect(termsOf(config, { ownRobots: once }).robots).toBe(once);
				expect(readOwnRobots(once).lines).toEqual(own.split('\n').slice(0, -1));
			}),
			{ numRuns: 250 },
		);
	});

	it('leaves each agent one group, closed to honeypots', () => {
		fc.assert(
			fc.property(ownFile, arbitrary.config, (own, config) => {
				const { robots } = termsOf(config, { ownRobots: own });
				const names = parseRobots(robots).value.groups.flatMap(({ agents }) => [
					...new Set(agents.map(({ name }) => nameOf(name))),
				]);
				expect(names).toEqual([...new Set(names)]);
				for (const trap of config.honeypots)
					for (const name of ['gptbot', 'otherbot', 'x']) expect(allowed(robots, name, trap)).toBe(false);
			}),
			{ numRuns: 250 },
		);
	});

	it('withholds from an agent what the site or the policy withholds, unless a longer path opens it', () => {
		fc.assert(
			fc.property(ownFile, arbitrary.config, arbitrary.token, arbitrary.path, (own, config, token, path) => {
				const { robots } = termsOf(config, { ownRobots: own });
				expect(allowed(robots, token, path)).toBe(expected(own, config, token, path));
			}),
			{ numRuns: 400 },
		);
	});

	it('keeps sitemaps, remarks and what it does not know', () => {
		fc.assert(
			fc.property(ownFile, arbitrary.config, (own, config) => {
				const { robots } = termsOf(config, { ownRobots: own });
				const lines = new Set(robots.split('\n'));
				for (const each of own.split('\n')) if (/^(?:#|Sitemap|what)/.test(each)) expect(lines.has(each)).toBe(true);
			}),
		);
	});
});

/** Both files' rules for the agent together, worked out one by one. */
function expected(own: string, config: Config, token: string, path: string): boolean {
	if (config.honeypots.includes(path) || isClosed(config, token)) return false;
	const { groups } = parseRobots(own).value;
	const of = (name: string) => groups.filter(({ agents }) => agents.some((agent) => nameOf(agent.name) === name));
	const mine = Object.entries(config.paths.agents ?? {})
		.filter(([name]) => nameOf(name) === nameOf(token))
		.flatMap(([, lists]) => rulesOf(lists));
	const restricted = mine.some(({ allow }) => !allow);
	const specific = of(nameOf(token));
	const site = (specific.length > 0 ? specific : of('*')).flatMap(({ rules }) => rules);
	const has = (rules: readonly Rule[], allow: boolean, pattern: string) =>
		rules.some((rule) => rule.allow === allow && rule.pattern === pattern);
	const theirs = site
		.filter(({ pattern, allow }) => pattern !== '' && !(allow && restricted && specific.length === 0))
		.filter(({ allow, pattern }, _, all) => allow || !has(all, true, pattern));
	const general = rulesOf(config.paths).filter(({ allow, pattern }) =>
		allow ? !restricted : !has(mine, true, pattern) || has(mine, false, pattern),
	);
	const all = [...theirs, ...mine, ...general, ...config.honeypots.map((pattern) => ({ allow: false, pattern }))];
	const opensTrap = (pattern: string) =>
		config.honeypots.some((trap) => pattern.length >= trap.length && matches(pattern, trap));
	const closing = all.filter(({ allow }) => !allow);
	const opening = all.filter(({ allow, pattern }) => allow && !has(all, false, pattern) && !opensTrap(pattern));
	return longest(opening, path) >= longest(closing, path);
}

interface Rule {
	readonly allow: boolean;
	readonly pattern: string;
}

function nameOf(written: string): string {
	return written.toLowerCase().replace(/\/.*/, '');
}

function longest(rules: readonly Rule[], path: string): number {
	return Math.max(-1, ...rules.filter(({ pattern }) => matches(pattern, path)).map(({ pattern }) => pattern.length));
}

function rulesOf({
	allow = [],
	disallow = [],
}: {
	allow?: readonly string[] | undefined;
	disallow?: readonly string[] | undefined;
}) {
	return [
		...disallow.map((pattern) => ({ allow: false, pattern })),
		...allow.map((pattern) => ({ allow: true, pattern })),
	].filter(({ allow: opens, pattern }) => !(opens && disallow.includes(pattern)));
}

function matches(pattern: string, path: string): boolean {
	const file = parseRobots(`User-agent: *\nDisallow: ${pattern}\n`).value;
	return !matchRobots(file, 'x', path).allowed;
}
