import { describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { ConfigInput } from '../config/schema.ts';
import { createGateway, type GatewayOptions } from '../engine/gateway.ts';
import { IdentityChecker } from '../identify/identity-checker.ts';
import type { Entry } from '../ledger/entry.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Identity } from '../request/identity.ts';
import { lengthOf } from '../request/response.ts';
import { countMapWrites } from '../testing/count-steps.ts';

interface Sent {
	address?: string;
	headers?: Record<string, string>;
	target?: string;
}

/** A gateway, and what it answers to one request after the other. */
function gatewayOf(config: Omit<ConfigInput, 'origin'>, options: GatewayOptions = {}) {
	let time = 1_755_268_200_000;
	const entries: Entry[] = [];
	const meter = createMetrics();
	const gateway = createGateway(checkConfig({ origin: 'https://site.example.com', ...config }), {
		identifier: new IdentityChecker({}),
		now: () => time,
		onEntry: (entry) => entries.push(entry),
		meter,
		...options,
	});
	const send = ({ address = '203.0.113.7', headers = { 'user-agent': 'GPTBot/1.2' }, target = '/x' }: Sent = {}) => {
		const decided = gateway.decide({ method: 'GET', target, address, header: (name) => headers[name] });
		if (decided instanceof Promise) throw new Error('nothing is to be looked up here');
		const responded = gateway.respond(decided);
		if (responded instanceof Promise) throw new Error('nothing is to be compiled here');
		gateway.record(decided, responded?.served ?? { status: 200, bytes: 0 });
		return responded?.response;
	};
	const wait = (milliseconds: number) => {
		time += milliseconds;
	};
	return { send, entries, meter, wait };
}

const closed = { paths: { disallow: ['/'] } };

describe('G2-10: a refusal costs the same, however many names clients make up', () => {
	const kinds: Record<string, (count: number) => Sent> = {
		'X-Agent-Identity': (count) => ({ headers: { 'x-agent-identity': `Name${count}/1 (ai-assistant)` } }),
		'a version': (count) => ({ headers: { 'user-agent': `GPTBot/${count}` } }),
		categories: (count) => ({ headers: { 'x-agent-identity': `Name/1 (c${count}, d${count})` } }),
		paths: (count) => ({ target: `/${count}` }),
		queries: (count) => ({ target: `/x?${count}` }),
		addresses: (count) => ({ address: `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}` }),
		'all of it': (count) => ({
			headers: { 'x-agent-identity': `Name${count}/1 (ai-assistant)`, 'user-agent': `x/${count}` },
			target: `/${count}?${count}`,
			address: `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`,
		}),
	};
	for (const [name, made] of Object.entries(kinds)) {
		it(`G2-10: ${name}`, () => {
			const { send } = gatewayOf({ ...closed, rate: { refusals: 1_000_000_000 } });
			let count = 0;
			const thousand = () =>
				countMapWrites(() => {
					for (let each = 0; each < 1000; each++) expect(send(made(count++))?.status).toBe(403);
				});
			const [first, second, third] = [thousand(), thousand(), thousand()];
			expect(second).toBeLessThanOrEqual(first);
			expect(third).toBeLessThanOrEqual(first);
		});
	}

	it('G2-10: the answer names the agent that asked, whichever asked before', () => {
		const { send } = gatewayOf(closed);
		const agents = ['One', 'Two "quoted\\', 'One', 'Three'.repeat(50), 'One'].map((name) => {
			const answer = send({ headers: { 'x-agent-identity': `${name}/1 (ai-assistant)` } });
			const text = Buffer.from(answer!.body as Uint8Array).toString();
			expect(lengthOf(answer!.body)).toBe(text.length);
			return (JSON.parse(text) as { agent: string; code: string; evidence: unknown[] }).agent;
		});
		expect(agents[0]).toBe('One');
		expect([agents[2], agents[4]]).toEqual(['One', 'One']);
		expect(agents[3]).toMatch(/^Three/);
	});
});

describe('a client that is only ever refused gets no body', () => {
	it('G2-10: after the refusals of a minute 429 without a body, from this address only, until some time has passed', () => {
		const { send, wait, entries, meter } = gatewayOf({ ...closed, rate: { refusals: 100 } });
		for (let count = 0; count < 100; count++) expect(send({ target: `/${count}` })?.status).toBe(403);
		const slowed = send();
		expect(slowed).toMatchObject({ status: 429, body: '' });
		expect(Number(slowed?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
		// Another name does not help; another address has refusals of its own.
		expect(send({ headers: { 'x-agent-identity': 'Other/1 (ai-assistant)' } })?.status).toBe(429);
		expect(send({ address: '203.0.113.8' })?.status).toBe(403);
		for (let count = 0; count < 1000; count++) send();
		expect(entries.filter(({ action }) => action === 'limit')).toMatchObject([{ reason: 'too-many-refusals' }]);
		expect(meter.format()).toContain('action="limit",purpose="agent",would=""} 1002');
		wait(60_000);
		expect(send()?.status).toBe(403);
	});

	it('G2-10: 300 a minute unless the policy file says otherwise; addresses of one IPv6 network count as one', () => {
		const { send } = gatewayOf(closed);
		const answers = Array.from({ length: 301 }, (_, at) => send({ address: `2001:db8::${at.toString(16)}` })?.status);
		expect([answers[299], answers[300]]).toEqual([403, 429]);
	});

	it('G2-10 guard: allowed requests and people are never slowed by it, whichever other clients share their address', () => {
		const identity = (name: string, outcome: Identity['outcome']): Identity => ({
			outcome,
			name,
			categories: ['search-indexer'],
			client: name,
			address: '203.0.113.7',
			evidence: {},
		});
		const now = (visit: { header(name: string): string | undefined }): Identity => {
			const userAgent = visit.header('user-agent') ?? '';
			if (userAgent.startsWith('Googlebot')) return identity('Googlebot', 'verified');
			if (userAgent.startsWith('GPTBot')) return { ...identity('GPTBot', 'unverified'), categories: [] };
			return { outcome: 'unknown', categories: [], client: '203.0.113.7', address: '203.0.113.7', evidence: {} };
		};
		const { send } = gatewayOf(
			{ paths: { agents: { GPTBot: { disallow: ['/'] } }, disallow: ['/private'] }, rate: { refusals: 10 } },
			{ identifier: { now, ask: async (visit) => now(visit) } },
		);
		const statuses = (userAgent: string, target?: string) =>
			new Set(
				Array.from({ length: 500 }, () => {
					return send({ headers: { 'user-agent': userAgent }, ...(target && { target }) })?.status ?? 200;
				}),
			);
		expect(statuses('GPTBot/1')).toEqual(new Set([403, 429]));
		expect(statuses('Googlebot/2.1')).toEqual(new Set([200]));
		expect(statuses('Mozilla/5.0 Firefox/140')).toEqual(new Set([200]));
		// A browser that sends what nobody can judge is told so each time.
		expect(statuses('Mozilla/5.0 Firefox/140', '/a/../b')).toEqual(new Set([400]));
		expect(statuses('GPTBot/1', '/a/../b')).toEqual(new Set([429]));
	});

	it('G2-10 guard: a gateway that only observes slows no client', () => {
		const { send } = gatewayOf({ ...closed, rate: { refusals: 5 } }, { observe: true });
		for (let count = 0; count < 20; count++) expect(send()).toBeUndefined();
	});
});

it('a ledger that cannot keep up holds a bounded number of entries', async () => {
	const { Ledger } = await import('../ledger/ledger.ts').then((module) => ({ Ledger: module.openLedger }));
	const ledger = await Ledger('sqlite::memory:', { maxQueue: 1000, batchTime: 1 });
	let release = () => {};
	const stuck = new Promise<void>((resolve) => {
		release = resolve;
	});
	const { executeQuery } = ledger.db;
	(ledger.db as { executeQuery: unknown }).executeQuery = async (...parts: unknown[]) => {
		await stuck;
		return (executeQuery as (...given: unknown[]) => unknown).apply(ledger.db, parts);
	};
	const { send } = gatewayOf({}, { recorder: ledger });
	for (let count = 0; count < 3000; count++) {
		send();
		if (count % 500 === 0) void ledger.flush();
	}
	expect(ledger.dropped).toBe(2000);
	release();
	await ledger.close();
});
