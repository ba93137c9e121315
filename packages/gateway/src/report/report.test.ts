import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { formatReportCsv, formatReportJson, formatReportTable } from './format.ts';
import { formatReportHtml } from './page/page.ts';
import { type Report, readReport } from './read-report.ts';
import { formatSubmission } from './submission.ts';
import { violationsOf } from './violations.ts';

const origin = 'https://example.com';
const always = { since: 0, until: 2e12 };
let ledger: Ledger;
let time = 1_800_000_000_000;

const databases = [
	['SQLite', async () => 'sqlite::memory:'],
	['PostgreSQL', newDatabase],
] as const;

/** A gateway that writes into the ledger, and a way to come to it. */
function site(config: object) {
	const gateway = createGateway(checkConfig({ origin, ...config }), {
		recorder: ledger,
		now: () => time,
		origin: async () => new Response('page'),
	});
	return async (path: string, name: string, wait = 10_000) => {
		time += wait;
		const headers = { 'user-agent': `${name}/1.0`, 'x-agent-identity': `${name}/1.0 (ai-assistant)` };
		await gateway.handle(new Request(origin + path, { headers }), { address: '192.0.2.7' });
	};
}

async function report(): Promise<Report> {
	await ledger.flush();
	return readReport(ledger.db, origin, always);
}

describe.each(databases)('the report from %s', (_name, database) => {
	beforeEach(async () => {
		ledger = await openLedger(await database());
	});
	afterEach(() => ledger.close());

	it('tells who kept which rule', async () => {
		const get = site({
			paths: { disallow: ['/private'] },
			honeypots: ['/trap'],
			rate: { default: 30 },
			categories: { 'ai-assistant': { read: 'ask' } },
			ask: { read: { decision: 'allow', agents: ['GoodBot', 'BadBot', 'HastyBot', 'BlindBot'] } },
		});
		const ask = '/.well-known/robots2-ask?directive=read';
		for (const path of ['/robots.txt', '/robots2.txt', ask, '/a', '/b']) await get(path, 'GoodBot');
		for (const path of ['/robots.txt', ask, '/private', '/trap', '/a']) await get(path, 'BadBot');
		for (const path of ['/robots.txt', ask, '/a', '/b']) await get(path, 'HastyBot', 1);
		for (const path of [ask, '/a']) await get(path, 'BlindBot');
		await get('/a', 'RudeBot');
		await get('/.well-known/robots2-ask?directive=read&agent=RudeBot/1.0', 'RudeBot');
		const { agents } = await report();
		const by = Object.fromEntries(agents.map((agent) => [agent.agent, agent]));
		expect(by.GoodBot).toMatchObject({ judgement: 'kept', policyReads: 2, pages: 2, requests: 5, disallowed: 0 });
		expect(by.BadBot).toMatchObject({ judgement: 'broken', disallowed: 1, honeypots: 1, policyReads: 1 });
		expect(by.HastyBot).toMatchObject({ judgement: 'broken', early: 1, disallowed: 0 });
		expect(by.BlindBot).toMatchObject({ judgement: 'unread', pages: 1 });
		expect(by.RudeBot).toMatchObject({ judgement: 'broken', unasked: 1, asks: 1 });
		expect(agents[0]!.agent).toBe('BadBot');
	});

	it('R2-56 PB-104 a submission says who, from where, when, what, against which rule and version', async () => {
		const get = site({ honeypots: ['/trap'] });
		await get('/robots.txt', 'BadBot');
		await get('/trap/x?y=1', 'BadBot');
		await ledger.flush();
		const violations = await violationsOf(ledger.db, always, 'badbot');
		const { text, json, subject } = formatSubmission(origin, 'BadBot', violations, always);
		const when = new Date(time).toISOString();
		for (const part of ['BadBot', '192.0.2.7', when, `${origin}/trap/x?y=1`, 'honeypot', 'unverified', 'BadBot/1.0']) {
			expect(text).toContain(part);
		}
		expect(text).toMatch(/version \S{16} fetched, version \S{16} active/);
		expect(JSON.parse(json)).toMatchObject({
			violations: [{ ip: '192.0.2.7', timestamp: when, path: '/trap/x?y=1', agent: { name: 'BadBot' } }],
		});
		expect(subject).toContain('requests of BadBot that violate the terms of the site (1)');
	});

	it('is JSON, CSV, a page and a table, and no name from outside breaks out of them', async () => {
		const get = site({ honeypots: ['/trap'] });
		await get('/trap', '=cmd|"<script>alert(1)</script>"');
		const found = await report();
		expect(JSON.parse(formatReportJson(found))).toMatchObject({ agents: [{ honeypots: 1 }], violations: [{}] });
		const csv = formatReportCsv(found);
		expect(csv.split('\r\n')[1]).toMatch(/^"'=cmd\|""<script>/);
		const html = formatReportHtml(found);
		expect(html).not.toContain('<script');
		expect(html).toContain('&#60;script&#62;');
		expect(formatReportTable(found)).toMatch(/=cmd.* broken /);
	});

	it('counts pages that are fetched again unchanged by who has read the manifest', async () => {
		const base = {
			outcome: 'verified',
			client: 'Bot',
			agent: 'Bot',
			path: '/a',
			action: 'pass',
			status: 200,
			revision: 4,
		};
		const insert = (values: object) =>
			ledger.db
				.insertInto('gateway_request')
				.values({ at: 5, violation: 0, early: 0, bytes: 0, ...base, ...values } as never)
				.execute();
		await insert({});
		await insert({});
		expect((await report()).agents[0]!.overfetched).toBe(0);
		await insert({ action: 'file', path: '/.well-known/pagedigest.json', revision: null });
		await insert({ revision: 5 });
		expect((await report()).agents[0]!.overfetched).toBe(1);
	});
});
