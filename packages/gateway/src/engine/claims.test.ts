import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { openGateway, type RunningGateway } from '../running/open-gateway.ts';
import { createGateway } from './gateway.ts';

// The same requests through the gateway in a server of one's own and through the one of the command: what is said about
// a client, and by it, comes to the same end.

const origin = 'https://site.example.com';
const harvesters = { 'data-harvester': { crawl: 'no', read: 'no' } } as const;
const orchard = {
	token: 'OrchardBot',
	operator: 'Orchard',
	source: 'https://orchard.example.org/bot',
	category: 'data-harvester',
} as const;

interface Case {
	readonly title: string;
	readonly policy: Omit<ConfigInput, 'origin'>;
	/** The robots.txt of the site. */
	readonly robots?: string;
	readonly path?: string;
	readonly userAgent?: string;
	readonly identity?: string;
	readonly status: number;
	/** The name that the ledger has; null for nobody. */
	readonly name?: string | null;
}

const byCategory = (userAgent: string, status: number, more: Partial<Case> = {}): Case => ({
	title: `${userAgent}${more.identity === undefined ? '' : ` that declares ${more.identity}`}`,
	policy: { categories: harvesters, identity: { agents: [orchard] } },
	userAgent,
	status,
	...more,
});

const cases: Case[] = [
	byCategory('CCBot/2.0', 403, {
		title: 'G2-18: CCBot that declares itself an assistant',
		identity: 'CCBot/2.0 (ai-assistant)',
	}),
	byCategory('GPTBot/1.1', 403, { title: 'G2-19: GPTBot that declares no category', identity: 'GPTBot/1.1' }),
	byCategory('GPTBot/1.1', 403, {
		title: 'G2-20: GPTBot that declares another name',
		identity: 'Other/1.1 (search-indexer)',
		name: 'GPTBot',
	}),
	byCategory('OrchardBot/2', 403, { title: 'G2-21: an agent that only the policy file describes', name: 'OrchardBot' }),
	byCategory('CCBot/2.0', 403, { title: 'G2-22 guard: CCBot that declares nothing' }),
	byCategory('Tool/1', 403, { identity: 'GPTBot/1 (ai-assistant)', title: 'a declared name carries its category' }),
	byCategory('Tool/1', 403, {
		identity: 'ccbot helper/1 (ai-assistant)',
		title: 'a known name inside of a declared one does',
	}),
	byCategory('Googlebot/2.1 GPTBot/1.2', 403, {
		title: 'a second name in the User-Agent adds its restriction',
		name: 'Googlebot',
	}),
	byCategory('ChatGPT-User/1.0', 200, { title: 'guard: an assistant is no harvester' }),
	byCategory('ChatGPT-User/1.0', 403, {
		identity: 'ChatGPT-User/1.0 (data-harvester)',
		title: 'a declared category adds its restriction',
	}),
	byCategory('AIWebIndex/2.0 (+https://a.test/bot; GPTBot)', 403, {
		title: 'the name of a crawler of AIWebIndex counts',
	}),
	byCategory('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 200, {
		title: 'guard: a browser',
		name: null,
	}),
	{
		title: 'the policy file gives GPTBot another category: that of the catalogue counts too',
		policy: {
			categories: harvesters,
			identity: { agents: [{ ...orchard, token: 'GPTBot', category: 'search-indexer' }] },
		},
		userAgent: 'GPTBot/1.2',
		status: 403,
	},
	{
		title: 'a path that is closed to one of its names is closed',
		policy: { paths: { agents: { OrchardBot: { disallow: ['/'] } } } },
		userAgent: 'GPTBot/1.2',
		identity: 'OrchardBot/1 (ai-assistant)',
		status: 403,
		name: 'GPTBot',
	},
	{
		title: 'an assistant with an invalid second name keeps to the rules for crawlers',
		policy: { paths: { disallow: ['/'] } },
		userAgent: 'ChatGPT-User/1.0 GPTBot/1.2',
		status: 403,
	},
	{
		title: 'G2-32: Bytespider is named in the policy file',
		policy: { paths: { agents: { Bytespider: { disallow: ['/'] } } } },
		userAgent: 'Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)',
		status: 403,
		name: 'Bytespider',
	},
	{
		title: 'G2-33: an agent known only from the policy file',
		policy: { paths: { agents: { OrchardBot: { disallow: ['/'] } } } },
		userAgent: 'OrchardBot/2.1 (+https://orchard.example.org/bot)',
		status: 403,
		name: 'OrchardBot',
	},
	{
		title: 'G2-33: a name in other letters, with dots and digits, in brackets',
		policy: { paths: { agents: { 'Web.X_9-bot': { disallow: ['/'] } } } },
		userAgent: 'Mozilla/5.0 [WEB.X_9-BOT/3]',
		status: 403,
		name: 'Web.X_9-bot',
	},
	{
		title: 'G2-33: a name of two words',
		policy: { paths: { agents: { 'Orchard Fetcher': { disallow: ['/'] } } } },
		userAgent: 'Mozilla/5.0 (compatible; orchard fetcher/2)',
		status: 403,
		name: 'Orchard Fetcher',
	},
	{
		title: 'G2-33 guard: part of a name matches no agent',
		policy: { paths: { agents: { OrchardBot: { disallow: ['/'] } } } },
		userAgent: 'MyOrchardBot/1 OrchardBots/1 (see https://orchard.example.org/OrchardBot)',
		status: 200,
		name: null,
	},
	{
		title: 'G2-34: a group of the robots.txt of the site',
		policy: {},
		robots: 'User-agent: BulkHarvester\nDisallow: /\n',
		userAgent: 'BulkHarvester/1.0',
		status: 403,
		name: 'BulkHarvester',
	},
	{
		title: 'G2-34: a group for a name of several words',
		policy: {},
		robots: 'User-agent: Screaming Goat Spider\nDisallow: /\n',
		userAgent: 'Screaming Goat Spider/19.0',
		status: 403,
		name: 'Screaming Goat Spider',
	},
	{
		title: 'G2-34: a group for the suffixed name of a known agent',
		policy: {},
		robots: 'User-agent: Baiduspider-render\nDisallow: /\n\nUser-agent: *\nDisallow:\n',
		userAgent: 'Baiduspider-render/2.0',
		status: 403,
		name: 'Baiduspider-render',
	},
	{
		title: 'G2-34 guard: a group for a browser closes the site to no browser',
		policy: {},
		robots: 'User-agent: Mozilla\nUser-agent: bot\nDisallow: /\n',
		userAgent: 'Mozilla/5.0 (X11; Linux x86_64; bot) Gecko/20100101 Firefox/130.0',
		status: 200,
		name: null,
	},
	{
		title: 'G2-35: an agent that a rule for asks names has to ask',
		policy: { policy: { read: 'ask' }, ask: { read: { decision: 'allow', agents: ['Teller'] } } },
		userAgent: 'Teller/3.0',
		status: 403,
		name: 'Teller',
	},
	...(
		[
			['G2-36', 'Mozilla/5.0 (compatible; Bytespider)', 'Bytespider'],
			['G2-37', 'Diffbot', 'Diffbot'],
			['G2-37', 'cohere-training-data-crawler', 'cohere-training-data-crawler'],
			['G2-37', 'FacebookBot/1.0', 'FacebookBot'],
			['G2-38', 'TikTokSpider', 'TikTokSpider'],
			['G2-38', 'DeepSeekBot/1.0', 'DeepSeekBot'],
			['G2-38', 'Claude-Web/1.0', 'Claude-Web'],
			['G2-40', 'Kangaroo Bot/1.0', 'Kangaroo Bot'],
			['G2-40', '"GPTBot/1.0"', 'GPTBot'],
			['G2-40', 'Mozilla/5.0+(compatible;+GPTBot/1.2;++https://openai.com/gptbot)', 'GPTBot'],
		] as const
	).map(([id, userAgent, name]) => byCategory(userAgent, 403, { title: `${id}: ${userAgent} is a harvester`, name })),
	...['NotGPTBotter/1', 'Mozilla/5.0 (see https://example.com/GPTBot)', 'MySpider/1'].map((userAgent) =>
		byCategory(userAgent, 200, { title: `G2-40 guard: ${userAgent} is nobody`, name: null }),
	),
	...(
		[
			['Baiduspider-render/2.0', 'Baiduspider'],
			['DuckDuckBot-Https/1.1', 'DuckDuckBot'],
			['SemrushBot-SA', 'SemrushBot'],
			['AdsBot-Google-Mobile-Apps', 'AdsBot-Google-Mobile'],
		] as const
	).map(
		([userAgent, name]): Case => ({
			title: `G2-39: ${userAgent} is ${name}`,
			policy: { identity: { verify: { ranges: false, reverseDns: false, signatures: false } } },
			userAgent,
			status: 200,
			name,
		}),
	),
];

const headersOf = ({ userAgent, identity }: Case): Record<string, string> => ({
	...(userAgent !== undefined && { 'user-agent': userAgent }),
	...(identity !== undefined && { 'x-agent-identity': identity }),
});
const configOf = ({ policy }: Case) => checkConfig({ origin, ...policy });

const named = cases.map((each) => [each.title, each] as const);

describe('in a server of one’s own', () => {
	it.each(named)('%s', async (_, each) => {
		const names: (string | null)[] = [];
		const gateway = createGateway(configOf(each), {
			origin: async () => new Response('page'),
			onEntry: ({ agent }) => names.push(agent),
			...(each.robots !== undefined && { own: { robots: each.robots } }),
		});
		const request = new Request(`${origin}${each.path ?? '/page'}`, { headers: headersOf(each) });
		const { status } = await gateway.handle(request, { address: '203.0.113.9' });
		expect(status).toBe(each.status);
		if (each.name !== undefined) expect(names).toEqual(each.name === null ? [] : [each.name]);
	});
});

describe('in front of a site', () => {
	let site: Server;
	let robots: string | undefined;
	let upstream: string;
	let running: RunningGateway | undefined;

	beforeAll(async () => {
		site = createServer((request, response) => {
			if (request.url !== '/robots.txt') return void response.setHeader('content-type', 'text/html').end('page');
			if (robots === undefined) return void response.writeHead(404).end();
			response.setHeader('content-type', 'text/plain').end(robots);
		});
		await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
		upstream = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	});
	afterAll(() => new Promise((closed) => site.close(closed).closeAllConnections()));

	it.each(named)('%s', async (_, each) => {
		robots = each.robots;
		const names: (string | null)[] = [];
		const config = configOf(each);
		const verify = { ranges: false, reverseDns: false, signatures: false };
		const identity = { ...config.identity, verify };
		running = await openGateway(
			{ ...config, identity, ledger: { ...config.ledger, store: 'sqlite::memory:' } },
			{ upstream, onEntry: ({ agent }) => names.push(agent) },
		);
		try {
			const { port } = await running.listen(0, '127.0.0.1');
			const response = await fetch(`http://127.0.0.1:${port}${each.path ?? '/page'}`, {
				headers: { host: 'site.example.com', ...headersOf(each) },
			});
			await response.arrayBuffer();
			expect(response.status).toBe(each.status);
			if (each.name !== undefined) expect(names).toEqual(each.name === null ? [] : [each.name]);
		} finally {
			await running.close(0);
		}
	});

	it('G2-24 G2-34: the start says which names are taken on trust, and which nothing can match', async () => {
		robots = 'User-agent: Mozilla\nDisallow: /\n';
		const notes: string[] = [];
		const config = checkConfig({
			origin,
			policy: { read: 'ask' },
			ask: { read: { decision: 'allow', agents: ['Teller', 'GPTBot'] } },
			ledger: { store: 'sqlite::memory:' },
		});
		running = await openGateway(config, { upstream, onNote: (line) => notes.push(line) });
		await running.close(0);
		expect(notes).toContainEqual(
			expect.stringMatching(/^ask\.read: Teller cannot be verified, so the name is trusted/),
		);
		expect(notes).toContainEqual(
			expect.stringMatching(
				/^robots\.txt of the site, line 1: Mozilla is a word in the User-Agent .* it identifies no requests/,
			),
		);
		expect(notes.filter((line) => line.includes('GPTBot'))).toEqual([]);
	});
});
