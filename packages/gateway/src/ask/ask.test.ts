import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway, type GatewayOptions } from '../engine/gateway.ts';
import { IdentityChecker } from '../identify/identity-checker.ts';
import { openLedger } from '../ledger/ledger.ts';

const origin = 'https://site.example.com';

/** A policy file without its origin; tests share parts of it. */
type Written = Readonly<Record<string, unknown>>;

/** A gateway with a clock, and requests of agents to it. */
function start(written: Written, options: Partial<GatewayOptions> = {}) {
	const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
	const config = checkConfig({ origin, ...written });
	const gateway = createGateway(config, {
		origin: async () => new Response('<p>page</p>', { headers: { 'content-type': 'text/html' } }),
		now: () => clock.now,
		...options,
	});
	interface Client {
		readonly userAgent?: string;
		readonly identity?: string;
		readonly address?: string;
	}
	const send = (path: string, { userAgent, identity, address = '203.0.113.9' }: Client, method = 'GET') => {
		const headers = {
			...(userAgent !== undefined && { 'user-agent': userAgent }),
			...(identity !== undefined && { 'x-agent-identity': identity }),
		};
		return gateway.handle(new Request(origin + path, { headers, method }), { address });
	};
	const ask = async (client: Client, directive = 'read') => {
		const { headers } = await send(`/.well-known/robots2-ask?directive=${directive}`, client, 'HEAD');
		return headers.get('x-robots2-decision');
	};
	const page = async (client: Client, path = '/page') => (await send(path, client)).status;
	return { gateway, clock, send, ask, page };
}

describe('agents that a rule grants', () => {
	const rule = { policy: { read: 'ask' }, ask: { read: { decision: 'allow', agents: ['GoodBot'] } } } as const;

	it('G2-23: the endpoint and the page judge the same identity', async () => {
		const { ask, page } = start(rule);
		const client = { userAgent: 'GPTBot/1.2', identity: 'GoodBot/1.0 (ai-assistant)' };
		expect([await ask(client), await page(client)]).toEqual(['deny', 403]);
		const reversed = { userAgent: 'GoodBot/1.0', identity: 'GPTBot/1.2 (ai-assistant)' };
		expect([await ask(reversed), await page(reversed)]).toEqual(['deny', 403]);
		const both = { userAgent: 'GoodBot/1.0 (compatible; GPTBot/1.2)', identity: 'GoodBot/1.0 (ai-assistant)' };
		expect([await ask(both), await page(both)]).toEqual(['deny', 403]);
	});

	it('G2-24: a name that nothing can verify is taken on trust, unless the rule wants it verified', async () => {
		const client = { userAgent: 'x/1', identity: 'GoodBot/1.0 (ai-assistant)' };
		const trusting = start(rule);
		expect([await trusting.page(client), await trusting.ask(client), await trusting.page(client)]).toEqual([
			403,
			'allow',
			200,
		]);
		const strict = start({ ...rule, ask: { read: { ...rule.ask.read, agents: ['GoodBot'], identity: 'verified' } } });
		expect([await strict.ask(client), await strict.page(client)]).toEqual(['deny', 403]);
		const { headers } = await strict.send('/.well-known/robots2-ask?directive=read', client);
		expect(headers.get('x-wayleave-reason')).toBe('identity-not-verified');
	});

	it('G2-24: a name that can be verified has to be, unless the rule takes it as claimed', async () => {
		const list = 'https://openai.com/gptbot.json';
		const lookup = (url: string, address: string) =>
			({ result: url === list && address === '192.0.2.7' ? 'listed' : 'not-listed', stale: false }) as never;
		const options = () => ({ identifier: new IdentityChecker({ lists: { lookup, add() {} } }) });
		const policy = {
			policy: { read: 'ask' },
			ask: { read: { decision: 'allow' as const, agents: ['GPTBot'] } },
		} as const;
		const gptbot = (address: string) => ({ userAgent: 'GPTBot/1.2', identity: 'GPTBot/1.2 (data-harvester)', address });
		const { ask, page } = start(policy, options());
		expect([await ask(gptbot('203.0.113.9')), await page(gptbot('203.0.113.9'))]).toEqual(['deny', 403]);
		expect([await ask(gptbot('192.0.2.7')), await page(gptbot('192.0.2.7'))]).toEqual(['allow', 200]);
		expect(await page(gptbot('203.0.113.9'))).toBe(403);
		const claimed = { ...policy, ask: { read: { ...policy.ask.read, identity: 'claimed' } } };
		const lenient = start(claimed, options());
		expect([await lenient.ask(gptbot('203.0.113.9')), await lenient.page(gptbot('203.0.113.9'))]).toEqual([
			'allow',
			200,
		]);
	});

	it('a signature by somebody’s own host proves no name of an agent', async () => {
		const identifier = {
			now: () => ({
				outcome: 'verified' as const,
				name: 'GoodBot',
				categories: [],
				client: 'evil.example',
				address: '203.0.113.9',
				evidence: {},
			}),
			ask: () => Promise.reject(new Error('not asked')),
		};
		const policy = { ...rule, ask: { read: { ...rule.ask.read, agents: ['GoodBot'], identity: 'verified' } } } as const;
		const { ask, page } = start(policy, { identifier });
		const client = { identity: 'GoodBot/1' };
		expect([await ask(client), await page(client)]).toEqual(['deny', 403]);
	});

	it('a no for a name holds for everybody who gives it', async () => {
		const { ask } = start({
			policy: { read: 'ask' },
			ask: { read: [{ decision: 'deny', agents: ['BadBot', 'GPTBot'] }, { decision: 'allow' }] },
		});
		expect(await ask({ userAgent: 'GPTBot/1', identity: 'Fine/1' })).toBe('deny');
		expect(await ask({ userAgent: 'Fine/1 BadBot/2', identity: 'Fine/1' })).toBe('deny');
		expect(await ask({ userAgent: 'Fine/1', identity: 'Fine/1' })).toBe('allow');
	});

	it('G2-35: an agent is closed out until it asks, and what it was allowed is its own', async () => {
		const { ask, page } = start({ ...rule, ask: { read: { decision: 'allow', agents: ['Teller'] } } });
		const teller = { userAgent: 'Teller/3.0', identity: 'Teller/3.0 (ai-assistant)' };
		expect(await page(teller)).toBe(403);
		expect(await page({ userAgent: 'Teller/3.0' })).toBe(403);
		expect(await ask(teller)).toBe('allow');
		expect(await page(teller)).toBe(200);
		expect(await page({ ...teller, address: '198.51.100.1' })).toBe(403);
		expect(await page({ ...teller, userAgent: 'Another/1' })).toBe(200);
		expect(await page({ userAgent: 'GPTBot/1', identity: 'Another/1' })).toBe(403);
	});
});

describe('scope and lifetime of permissions', () => {
	const once = { policy: { read: 'ask' }, ask: { read: { decision: 'allow-once' } } } as const;
	const nimbus = { identity: 'Nimbus/1.0 (ai-assistant)', userAgent: 'x/1' };

	it('G2-25: permissions for one use are not saved up', async () => {
		const { ask, page } = start(once);
		for (let times = 0; times < 6; times++) expect(await ask(nimbus)).toBe('allow-once');
		const pages = [];
		for (let times = 0; times < 9; times++) pages.push(await page(nimbus));
		expect(pages).toEqual([200, ...Array(8).fill(403)]);
		expect([await ask(nimbus), await page(nimbus), await page(nimbus)]).toEqual(['allow-once', 200, 403]);
	});

	it('G2-25: they expire after five minutes, or as the rule says', async () => {
		const usual = start(once);
		await usual.ask(nimbus);
		usual.clock.now += 299_000;
		expect(await usual.page(nimbus)).toBe(200);
		await usual.ask(nimbus);
		usual.clock.now += 300_000;
		expect(await usual.page(nimbus)).toBe(403);
		const short = start({ ...once, ask: { read: { decision: 'allow-once', maxAge: 10 } } });
		await short.ask(nimbus);
		short.clock.now += 10_000;
		expect(await short.page(nimbus)).toBe(403);
	});

	it('an allow holds as long as it may be kept, and ends when the rule does', async () => {
		const policy = { policy: { read: 'ask' }, ask: { read: { decision: 'allow', maxAge: 60 } } } as const;
		const { gateway, clock, ask, page } = start(policy);
		await ask(nimbus);
		expect(await page(nimbus)).toBe(200);
		clock.now += 60_000;
		expect(await page(nimbus)).toBe(403);
		await ask(nimbus);
		expect(await page(nimbus)).toBe(200);
		const changed = start(
			{ policy: { read: 'ask' }, ask: { read: { decision: 'allow', agents: ['Another'] } } },
			{ clientMemory: gateway.clientMemory },
		);
		changed.clock.now = clock.now;
		expect(await changed.page(nimbus)).toBe(403);
	});

	it('a later no revokes an earlier permission', async () => {
		const policy = { policy: { read: 'ask' }, ask: { read: { decision: 'allow' } } } as const;
		const { gateway, ask } = start(policy);
		await ask(nimbus);
		const denying = start({ policy: { read: 'ask' } }, { clientMemory: gateway.clientMemory });
		expect(await denying.ask(nimbus)).toBe('deny');
		const again = start(policy, { clientMemory: gateway.clientMemory });
		expect(await again.page(nimbus)).toBe(403);
	});

	it('one that is spent at the SOM endpoint is spent for pages too, and for two requests at once', async () => {
		const { ask, page, send } = start({ ...once, som: {} });
		const som = () => send(`/v1/som?url=${encodeURIComponent(`${origin}/page`)}`, nimbus);
		await ask(nimbus);
		const statuses = (await Promise.all([som(), som()])).map(({ status }) => status);
		expect(statuses.sort()).toEqual([200, 403]);
		expect(await page(nimbus)).toBe(403);
		await ask(nimbus);
		expect((await send('/v1/som', nimbus)).status).toBe(400);
		expect(await page(nimbus)).toBe(200);
	});

	it('the memory of clients bounds them', async () => {
		const { gateway, ask, page } = start(once, { maxClients: 10 });
		for (let at = 0; at < 50; at++) await ask({ identity: `Nimbus${at}/1`, address: `203.0.113.${at}` });
		expect(gateway.clientMemory.size).toBe(10);
		expect(await page({ identity: 'Nimbus1/1' })).toBe(403);
		await ask({ identity: 'Nimbus1/1' });
		expect(await page({ identity: 'Nimbus1/1' })).toBe(200);
		expect(gateway.clientMemory.size).toBe(10);
	});

	it('an allow outlives a restart by the ledger; one for a single use does not', async () => {
		const ledger = await openLedger('sqlite::memory:', { now: () => Date.parse('2026-01-01T01:00:00Z') });
		const policy = { policy: { read: 'ask' }, ask: { read: { decision: 'allow', agents: ['Teller'] } } } as const;
		const teller = { userAgent: 'Teller/3', identity: 'Teller/3' };
		const before = start(policy, { recorder: ledger });
		await before.ask(teller);
		const single = start(once, { recorder: ledger });
		await single.ask(nimbus);
		await ledger.flush();
		const grants = await ledger.recallGrants();
		await ledger.close();
		expect(grants).toEqual([
			{ agent: 'Teller', client: '203.0.113.9', directive: 'read', at: Date.parse('2026-01-01T00:00:00Z') },
		]);
		const after = start(policy, { grants });
		expect(await after.page(teller)).toBe(200);
		after.clock.now += 86_400_000;
		expect(await after.page(teller)).toBe(403);
	});
});

describe('responses of the endpoint', () => {
	it('G2-79: an allow for one scope names it, and nothing else is opened by it', async () => {
		const { send, ask, page } = start({
			policy: { read: 'ask', train: 'ask' },
			ask: {
				train: { decision: 'allow', scopes: ['/blog/*'] },
				read: { decision: 'allow', scopes: ['/blog/*'] },
			},
		});
		const client = { userAgent: 'Teller/3', identity: 'Teller/3' };
		const { status, headers } = await send('/.well-known/robots2-ask?directive=train', client);
		expect([status, headers.get('x-robots2-decision'), headers.get('x-robots2-scope')]).toEqual([
			200,
			'allow',
			'/blog/*',
		]);
		await ask(client);
		expect([await page(client, '/blog/a'), await page(client, '/docs/'), await page(client, '/blog/')]).toEqual([
			200, 403, 403,
		]);
	});

	it.each(['GET', 'HEAD'])('G2-80: %s is answered without a body', async (method) => {
		const { send } = start({ policy: { train: 'ask' }, ask: { train: { decision: 'allow' } } });
		for (const client of [{ identity: 'Teller/3' }, {}]) {
			const response = await send('/.well-known/robots2-ask?directive=train', client, method);
			expect(response.headers.get('content-length')).toBe('0');
			expect(await response.text()).toBe('');
		}
	});
});
