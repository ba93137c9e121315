import { knownAgents } from '@wayleave/protocols/identity';
import { matchRobots, parseRobots } from '@wayleave/protocols/robots';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { createGateway } from '../engine/gateway.ts';
import { termsOf } from './terms.ts';

const origin = 'https://site.example.com';
const terms = (written: Omit<ConfigInput, 'origin'>, ownRobots = '') =>
	termsOf(checkConfig({ origin, ...written }), { ownRobots });
const named = (robots: string) => [...robots.matchAll(/^User-agent: (.*)$/gm)].map(([, name]) => name);
const harvesters = { categories: { 'data-harvester': { crawl: 'no', read: 'no' } } } as const;

describe('agents to whose category the site is closed', () => {
	it('G2-36 G2-37 G2-38: robots.txt lists each of them by name, with Disallow: /, and no other agent', () => {
		const { robots } = terms({ ...harvesters, paths: { disallow: ['/admin'] } });
		const file = parseRobots(robots).value;
		for (const { token, category } of knownAgents) {
			expect([token, matchRobots(file, token, '/page').allowed]).toEqual([token, category !== 'data-harvester']);
		}
		for (const name of ['Bytespider', 'Diffbot', 'TikTokSpider', 'Claude-Web', 'GPTBot', 'CCBot'])
			expect(named(robots)).toContain(name);
		expect(named(robots)).not.toContain('Googlebot');
	});

	it('listed agents get 403, others do not', async () => {
		const gateway = createGateway(checkConfig({ origin, ...harvesters }), { origin: async () => new Response('page') });
		const listed = new Set(named(gateway.published().terms.robots).map((name) => name?.toLowerCase()));
		for (const { token, name = token, signalOnly } of knownAgents) {
			const request = new Request(`${origin}/page`, { headers: { 'user-agent': `${name}/1.0` } });
			const { status } = await gateway.handle(request, { address: '203.0.113.9' });
			// What only stands in robots.txt is carried by no honest request.
			const expected = signalOnly === true || listed.has(token.toLowerCase()) ? 403 : 200;
			expect([name, status]).toEqual([name, expected]);
		}
	});

	it('the site’s own group for one of them opens nothing, and its other agents keep theirs', () => {
		const own = 'User-agent: GPTBot\nUser-agent: ExampleBot\nAllow: /blog\nDisallow: /x\n';
		const { robots, problems } = terms(harvesters, own);
		const file = parseRobots(robots).value;
		const allowed = (agent: string, path: string) => matchRobots(file, agent, path).allowed;
		expect([allowed('GPTBot', '/blog'), allowed('ExampleBot', '/blog'), allowed('ExampleBot', '/x')]).toEqual([
			false,
			true,
			false,
		]);
		expect(problems.map(({ code, line }) => [code, line])).toContainEqual(['publish-category-wins', 3]);
		expect(terms(harvesters, robots).robots).toBe(robots);
	});

	it('a path that the policy file allows one of them is allowed in vain, and that is said', () => {
		const { robots, problems } = terms({ ...harvesters, paths: { agents: { GPTBot: { allow: ['/blog'] } } } });
		expect(matchRobots(parseRobots(robots).value, 'GPTBot', '/blog').allowed).toBe(false);
		expect(problems.map(({ code, args }) => [code, args.agent])).toContainEqual(['publish-category-wins', 'GPTBot']);
	});

	it.each([
		[
			'read: no closes out who reads, not search',
			{ read: 'no' },
			['GPTBot', 'ChatGPT-User'],
			['Googlebot', 'AhrefsBot'],
		],
		['ask closes nobody out', { read: 'ask' }, [], ['GPTBot', 'Googlebot']],
		['crawl: no closes all of them out', { crawl: 'no' }, ['GPTBot', 'Googlebot'], ['facebookexternalhit']],
	] as const)('%s', (_, policy, closed, open) => {
		const file = parseRobots(terms({ policy }).robots).value;
		for (const agent of closed) expect([agent, matchRobots(file, agent, '/').allowed]).toEqual([agent, false]);
		for (const agent of open) expect([agent, matchRobots(file, agent, '/').allowed]).toEqual([agent, true]);
	});

	it('G2-40: a name that robots.txt cannot carry is published as readers take it, and that is said', () => {
		const { robots, problems } = terms({
			...harvesters,
			paths: { agents: { 'Orchard Fetcher': { disallow: ['/x'] } } },
		});
		expect(named(robots)).toEqual(expect.arrayContaining(['Kangaroo', 'Orchard', 'img2dataset']));
		expect(robots).not.toMatch(/^User-agent: .* /m);
		for (const mode of ['default', 'rfc9309', 'google'] as const) {
			const file = parseRobots(robots, { mode }).value;
			expect([mode, matchRobots(file, 'Kangaroo', '/').allowed, matchRobots(file, 'Orchard', '/x').allowed]).toEqual([
				mode,
				false,
				false,
			]);
			// Strict readers skip a line with a digit, and know no such token.
			const token = { default: 'img2dataset', google: 'img', rfc9309: undefined }[mode];
			if (token !== undefined) expect([mode, matchRobots(file, token, '/').allowed]).toEqual([mode, false]);
		}
		expect(problems.map(({ code, args }) => [code, args.agent ?? ''])).toEqual(
			expect.arrayContaining([
				['publish-agent-name', 'Orchard Fetcher'],
				['publish-names-cut', ''],
			]),
		);
	});
});

describe('names by which no request can be told', () => {
	it('are reported with their line in the site’s robots.txt', () => {
		const { problems } = terms({}, 'User-agent: *\nDisallow:\n\nUser-agent: Mozilla\nUser-agent: (x)\nDisallow: /\n');
		expect(
			problems.filter(({ code }) => code === 'publish-name-unmatched').map(({ line, args }) => [line, args.name]),
		).toEqual([
			[4, 'Mozilla'],
			[5, '(x)'],
		]);
	});

	it('G2-34: names after the first of a User-agent line, and names that end in a star, are reported', () => {
		const lines = ['AlphaBot, BetaBot/2; Gamma Bot', 'Prefix-*', 'Wild*', 'PlainBot/1 (a, b)'];
		const { problems } = terms({}, `${lines.map((name) => `User-agent: ${name}\n`).join('')}Disallow: /\n`);
		expect(
			problems.filter(({ code }) => code === 'publish-name-unmatched').map(({ line, args }) => [line, args.name]),
		).toEqual([
			[1, 'BetaBot'],
			[1, 'Gamma Bot'],
			[2, 'Prefix-*'],
		]);
	});

	it('G2-24: of the names in a rule for asks it is said which are taken on trust, and which can never be proven', () => {
		const { problems } = terms({
			policy: { read: 'ask' },
			ask: {
				read: [
					{ decision: 'allow', agents: ['Teller', 'GPTBot', 'Google-Extended'] },
					{ decision: 'allow-once', agents: ['Other'], identity: 'verified' },
					{ decision: 'allow', agents: ['Known'], identity: 'claimed' },
					{ decision: 'deny', agents: ['Bad'] },
				],
			},
		});
		expect(
			problems.filter(({ code }) => code.startsWith('publish-name-')).map(({ code, args }) => [code, args.name]),
		).toEqual([
			['publish-name-on-trust', 'Teller'],
			['publish-name-unmatched', 'Google-Extended'],
			['publish-name-unprovable', 'Other'],
		]);
	});

	it.each(['Mozilla', 'Chrome', 'bot', 'x', 'Mobile Safari'])(
		'a policy file that names %s is refused with a sentence',
		(name) => {
			for (const written of [
				{ paths: { agents: { [name]: { disallow: ['/'] } } } },
				{ ask: { read: { decision: 'allow' as const, agents: [name] } } },
				{ identity: { agents: [{ token: name, operator: 'X', source: 'https://x.example/' }] } },
			])
				expect(() => checkConfig({ origin, ...written })).toThrow(
					/in the User-Agent of browsers and many agents: use the product token of one agent/,
				);
		},
	);
});
