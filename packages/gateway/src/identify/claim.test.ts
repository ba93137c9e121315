import { AgentIndex, agentCatalogue, knownAgents } from '@wayleave/protocols/identity';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import type { Entry } from '../ledger/entry.ts';
import { ClaimReader } from './claim.ts';
import { IdentityChecker } from './identity-checker.ts';
import { request } from './testing/world.ts';

const claims = new ClaimReader();
const read = (userAgent?: string, agentIdentity?: string) => claims.read(userAgent, agentIdentity);

const browsers = {
	'PB-26 http, search, admin, watch, flutter': [
		'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36 http/1.1',
		'Mozilla/5.0 (Linux; Android 13; SearchPhone) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36 search/2',
		'Mozilla/5.0 (Windows NT 10.0; admin) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
		'Mozilla/5.0 (Apple Watch; watchOS 11.0) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
		'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36 flutter/3.24',
	],
	'PB-27 CUBOT phones': [
		'Mozilla/5.0 (Linux; Android 7.0; CUBOT_NOTE_S Build/NRD90M) AppleWebKit/537.36 Chrome/64.0 Mobile Safari/537.36',
		'Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
	],
	'PB-28 .NET CLR and Silk': [
		'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; .NET CLR 2.0.50727; .NET CLR 3.5.30729)',
		'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/130.3 like Chrome/130.0 Safari/537.36',
	],
	'PB-29 tokens inside other words': [
		'Mozilla/5.0 (compatible; MyBaiduspider/1.0; +https://a.test/)',
		'NotGPTBot/1.0',
		'GPTBotter/2',
		'MySpider/1',
		'Mozilla/5.0 (compatible; +https://example.com/GPTBot)',
	],
};

describe('claims in a User-Agent', () => {
	for (const [title, userAgents] of Object.entries(browsers)) {
		it.each(userAgents)(`${title}: %s is no agent`, (userAgent) => {
			expect(read(userAgent).agent).toBeUndefined();
			const { outcome } = new IdentityChecker().identifyNow(request(userAgent, '192.0.2.1'));
			expect(outcome).toBe('unknown');
		});
	}

	it('every agent of the catalogue is found by its token, in any case and any place', () => {
		for (const { token: cut, name: token = cut, signalOnly } of knownAgents) {
			const forms = [
				`${token}/1.2`,
				`Mozilla/5.0 (compatible; ${token.toUpperCase()}/1.2; +https://a.test)`,
				`x ${token}`,
			];
			for (const form of forms) expect(read(form)[signalOnly ? 'signal' : 'agent']?.token).toBe(cut);
		}
	});

	it('a token with a hyphen is one token', () => {
		const userAgent = 'Mozilla/5.0 (compatible; Google-InspectionTool/1.0;)';
		expect(read(userAgent)).toMatchObject({
			name: 'Google-InspectionTool',
			version: '1.0',
			categories: ['monitoring'],
		});
	});

	it('an empty User-Agent and none are anonymous', () => {
		expect([read(undefined).anonymous, read('').anonymous, read(' ').anonymous, read('x').anonymous]).toEqual([
			true,
			true,
			true,
			false,
		]);
	});

	it('agents that the site adds come before those of the catalogue', () => {
		const own = { token: 'GPTBot', operator: 'Somebody', source: 'https://a.test/' };
		expect(new ClaimReader(new AgentIndex([own], agentCatalogue)).read('gptbot/1', undefined).agent?.operator).toBe(
			'Somebody',
		);
	});

	it('X-Agent-Identity adds roles, and names an agent where the User-Agent names none', () => {
		expect(read('GPTBot/1.3', 'GPTBot/1.3 (search-indexer)').categories).toEqual(['data-harvester', 'search-indexer']);
		expect(read('python-requests/2', 'ExampleBot/2.0 (ai-assistant)')).toMatchObject({
			name: 'ExampleBot',
			version: '2.0',
			categories: ['ai-assistant'],
		});
		expect(read('Mozilla/5.0', 'ClaudeBot').agent?.operator).toBe('Anthropic');
		expect(read('GPTBot/1.3', 'ClaudeBot/1').agent?.token).toBe('GPTBot');
	});

	it('PB-33 the second request with the same claim is read like the first', () => {
		const reader = new ClaimReader(agentCatalogue, 2);
		for (const userAgent of ['GPTBot/1', 'Mozilla/5.0', 'GPTBot/1', 'ClaudeBot/1', 'GPTBot/1']) {
			expect(reader.read(userAgent, undefined)).toEqual(new ClaimReader().read(userAgent, undefined));
		}
	});

	it('takes any text, and keeps little of it', () => {
		fc.assert(
			fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (userAgent, agentIdentity) => {
				const { shown } = read(userAgent.repeat(50), agentIdentity);
				expect((shown.userAgent ?? '').length).toBeLessThanOrEqual(300);
			}),
		);
	});
});

describe('AIWebIndex crawlers', () => {
	const config = checkConfig({ origin: 'https://example.com', paths: { agents: { AIWebIndex: { disallow: ['/'] } } } });
	const entries: Entry[] = [];
	const gateway = createGateway(config, {
		identifier: new IdentityChecker({ origin: config.origin }),
		origin: async () => new Response('page'),
		onEntry: (entry) => entries.push(entry),
	});
	const visit = async (userAgent: string) => {
		const request = new Request('https://example.com/', { headers: { 'user-agent': userAgent } });
		return (await gateway.handle(request, { address: '192.0.2.1' })).status;
	};

	it('AWI-05 a site refuses all of them by their one token, whatever they call themselves', async () => {
		expect(await visit('AIWebIndex/2.0 (+https://a.test/bot; One)')).toBe(403);
		expect(await visit('AIWebIndex/2.0 (+https://b.test/bot; Another)')).toBe(403);
		expect(await visit('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(200);
	});

	it('AWI-06 an ownership check is another kind than a crawl', async () => {
		entries.length = 0;
		await visit('AIWebIndex/2.0 verification (+https://a.test/bot)');
		await visit('AIWebIndex/2.0 (+https://a.test/bot; One)');
		expect(entries.map(({ purpose }) => purpose)).toEqual(['verification', 'agent']);
	});
});
