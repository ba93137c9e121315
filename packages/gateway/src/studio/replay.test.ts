import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import type { Entry } from '../ledger/entry.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { sampleEntry } from '../testing/sample-entry.ts';
import { type ReplayOptions, replay } from './replay.ts';

const origin = 'https://harbour.example';
const until = Date.parse('2026-03-08T00:00:00Z');
const period = { since: until - 7 * 86_400_000, until };
const policy = (written: object = {}) => checkConfig({ origin, policy: { crawl: 'yes', read: 'yes' }, ...written });

const agents = {
	Bytespider: { categories: 'data-harvester', address: '198.51.100.1' },
	GPTBot: { categories: 'data-harvester', address: '198.51.100.2' },
	'ChatGPT-User': { categories: 'ai-assistant', address: '198.51.100.3', purpose: 'assistant' },
} as const;

function entryOf(agent: keyof typeof agents, at: number, path: string, more: Partial<Entry> = {}): Entry {
	const { address, ...known } = agents[agent];
	const claimed = { userAgent: `Mozilla/5.0 (compatible; ${agent}/1.0)` };
	return {
		...sampleEntry,
		...known,
		at,
		agent,
		client: address,
		address,
		path,
		evidence: JSON.stringify({ reason: 'not-checked', claimed }),
		...more,
	};
}

let ledger: Ledger;
beforeAll(async () => {
	const file = join(mkdtempSync(join(tmpdir(), 'wayleave-replay-')), 'ledger.db');
	ledger = await openLedger(`sqlite:${file}`, { now: () => until });
	for (let hour = 0; hour < 168; hour++) {
		const at = period.since + hour * 3_600_000;
		ledger.record(entryOf('Bytespider', at, `/blog/${hour % 20}`));
		ledger.record(entryOf('Bytespider', at + 100_000, '/about'));
		ledger.record(entryOf('GPTBot', at + 1000, '/blog/1'));
		ledger.record(entryOf('ChatGPT-User', at + 2000, '/blog/1'));
	}
	// Before the period.
	ledger.record(entryOf('Bytespider', period.since - 1, '/old'));
	await ledger.flush();
});
afterAll(() => ledger.close());

const compare = (before: object, after: object, more: Partial<ReplayOptions> = {}) =>
	replay({ db: ledger.db, period, before: policy(before), after: policy(after), own: {}, ...more });

describe('what another policy would have done last week', () => {
	it('a blocked agent: its requests, their paths, and the line; nobody else changes', async () => {
		const found = await compare({}, { paths: { agents: { Bytespider: { disallow: ['/'] } } } });
		expect(found).toMatchObject({ recorded: 672, replayed: 672, changed: 336 });
		expect(found.sample).toBeUndefined();
		const [first, ...others] = found.agents;
		expect(first).toMatchObject({
			agent: 'Bytespider',
			operator: 'ByteDance',
			requests: 336,
			changed: 336,
			before: { allowed: 336, denied: 0 },
			after: { allowed: 0, denied: 336 },
		});
		expect(first?.changes).toMatchObject([
			{ from: 'allowed', to: 'denied', requests: 336, morePaths: 11, rule: { text: 'Disallow: /' } },
		]);
		expect(first?.changes[0]?.paths[0]).toEqual({ path: '/about', requests: 168 });
		expect(first?.changes[0]?.paths).toHaveLength(10);
		expect(others.map(({ agent, changed }) => [agent, changed])).toEqual([
			['GPTBot', 0],
			['ChatGPT-User', 0],
		]);
	});

	it('the same policy changes nothing', async () => {
		const found = await compare({}, {});
		expect(found.changed).toBe(0);
		expect(found.agents.every(({ changes, uses }) => changes.length === 0 && uses.length === 0)).toBe(true);
	});

	it('a closed category denies its crawlers', async () => {
		const found = await compare({}, { categories: { 'data-harvester': { crawl: 'no' } } });
		expect(found.agents.filter(({ changed }) => changed > 0).map(({ agent, changed }) => [agent, changed])).toEqual([
			['Bytespider', 336],
			['GPTBot', 168],
		]);
	});

	it('path rules for all leave the assistants of people alone, as the gateway does', async () => {
		const found = await compare({}, { paths: { disallow: ['/blog'] } });
		expect(found.agents.map(({ agent, changed }) => [agent, changed])).toEqual([
			['Bytespider', 168],
			['GPTBot', 168],
			['ChatGPT-User', 0],
		]);
	});

	it('a rate slows down what came faster, by the times of the requests', async () => {
		const start = period.since + 3 * 86_400_000;
		const burst = await openLedger('sqlite::memory:', { now: () => until });
		for (let at = 0; at < 60; at++) burst.record(entryOf('GPTBot', start + at * 100, '/a'));
		await burst.flush();
		const found = await replay({
			db: burst.db,
			period,
			before: policy(),
			after: policy({ rate: { default: 10, burst: 5 } }),
			own: {},
		});
		// Five at once and one more in the six seconds of all.
		expect(found.agents[0]?.after).toMatchObject({ allowed: 5, slowed: 55 });
		await burst.close();
	});

	it('a rule about use only is reported by use, and changes no request', async () => {
		const found = await compare({ policy: { read: 'yes', train: 'yes' } }, { policy: { read: 'yes', train: 'no' } });
		expect(found.changed).toBe(0);
		expect(found.agents.find(({ agent }) => agent === 'GPTBot')?.uses).toContainEqual({
			use: 'train',
			from: 'allow',
			to: 'deny',
		});
	});

	it('of more requests than can be replayed, a part of each hour is, and that is said', async () => {
		const found = await compare({}, { paths: { agents: { Bytespider: { disallow: ['/'] } } } }, { maxRequests: 336 });
		expect(found).toMatchObject({ recorded: 672, replayed: 336 });
		expect(found.sample).toMatch(/first 50 % of the requests of each hour: 336 of 672/);
	});

	it('damaged evidence, and agents without end, are counted and bounded', async () => {
		const odd = await openLedger('sqlite::memory:', { now: () => until, maxQueue: 10_000 });
		for (let at = 0; at < 2500; at++)
			odd.record({
				...sampleEntry,
				at: period.since + at,
				agent: `Odd${at}Bot`,
				evidence: '{"claimed":{"user',
				path: '/',
			});
		await odd.flush();
		const found = await replay({
			db: odd.db,
			period,
			before: policy(),
			after: policy({ paths: { disallow: ['/'] } }),
			own: {},
		});
		expect(found).toMatchObject({ replayed: 2500, changed: 2500, others: { requests: 2400, changed: 2400 } });
		expect(found.agents).toHaveLength(100);
		await odd.close();
	});

	it('an agent that only the new policy names: what the ledger cannot know is said', async () => {
		const found = await compare({}, { paths: { agents: { NewcomerBot: { disallow: ['/'] } } } });
		expect(found.limits.join(' ')).toMatch(/NewcomerBot: until a policy names an agent that is not in the catalogue/);
	});
});
