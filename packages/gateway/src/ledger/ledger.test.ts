import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '@wayleave/io/sql';
import { describe, expect, it } from 'vitest';
import { newDatabase } from '../../../io/src/testing/databases.ts';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { sampleEntry as sample } from '../testing/sample-entry.ts';
import { type LedgerOptions, openLedger } from './ledger.ts';
import { type LedgerSchema, ledgerMigrations } from './schema.ts';

const day = 86_400_000;
const databases = [
	['SQLite', async () => 'sqlite::memory:'],
	['PostgreSQL', newDatabase],
] as const;

describe.each(databases)('the ledger in %s', (name, database) => {
	const open = async (options: LedgerOptions = {}) => openLedger(await database(), options);

	it('keeps the files of a site, one version per site, and opens a ledger of the last version', async () => {
		const file = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-ledger-')), 'ledger.db')}`;
		const store = name === 'SQLite' ? file : await database();
		const old = openDatabase<LedgerSchema>(store);
		await migrate(old, ledgerMigrations.slice(0, 1), { component: 'gateway' });
		await old.destroy();
		const ledger = await openLedger(store);
		const origin = 'https://site.example.com';
		expect(await ledger.recallSite(origin)).toBeUndefined();
		for (const robots of ['User-agent: *\n', 'User-agent: *\nDisallow: /\0\n']) {
			ledger.recordSite(origin, { own: { robots, llms: true, server: 'iis' }, readAt: robots.length });
		}
		ledger.recordSite('https://other.example', { own: { robots: new Uint8Array([0xe9, 0]), llms: false }, readAt: 7 });
		await ledger.flush();
		const robots = 'User-agent: *\nDisallow: /\0\n';
		expect(await ledger.recallSite(origin)).toEqual({
			own: { robots, llms: true, server: 'iis' },
			readAt: robots.length,
		});
		expect(await ledger.recallSite('https://other.example')).toEqual({
			own: { robots: new Uint8Array([0xe9, 0]), llms: false },
			readAt: 7,
		});
		await ledger.db.updateTable('gateway_site').set({ own: '[1' }).execute();
		expect(await ledger.recallSite(origin)).toBeUndefined();
		await ledger.close();
	});

	it('keeps entries as they are, written together', async () => {
		const ledger = await open();
		for (let at = 0; at < 1201; at++) ledger.record({ ...sample, at });
		await ledger.flush();
		const rows = await ledger.db.selectFrom('gateway_request').selectAll().execute();
		expect(rows).toHaveLength(1201);
		expect(rows[3]).toMatchObject({
			at: 3,
			path: sample.path,
			policy: null,
			status: 200,
			rule_line: null,
			violation: 0,
		});
		await ledger.close();
	});

	it('drops and counts what a full queue cannot take, and what cannot be written', async () => {
		const told: unknown[] = [];
		const ledger = await open({ maxQueue: 10, onTrouble: (error) => told.push(error) });
		for (let at = 0; at < 15; at++) ledger.record(sample);
		expect(ledger.dropped).toBe(5);
		await ledger.db.schema.dropTable('gateway_request').execute();
		await ledger.flush();
		expect([ledger.dropped, told.length]).toEqual([15, 1]);
		await ledger.close();
	});

	it('forgets what is older than the retention', async () => {
		const ledger = await open({ retentionDays: 2, now: () => 10 * day });
		for (const at of [7, 7.9, 8.1, 9]) ledger.record({ ...sample, at: at * day });
		await ledger.flush();
		expect(await ledger.prune()).toBe(2);
		await ledger.close();
	});

	it('has pseudonyms in place of addresses where that is wished, another each day', async () => {
		let time = 0;
		const ledger = await open({ hashAddresses: true, now: () => time });
		ledger.record(sample);
		ledger.record({ ...sample, client: 'GPTBot' });
		await ledger.flush();
		time = day;
		ledger.record(sample);
		await ledger.flush();
		const rows = await ledger.db.selectFrom('gateway_request').select(['client', 'address', 'evidence']).execute();
		expect(JSON.stringify(rows)).not.toContain('192.0.2.7');
		expect(rows[0]!.client).toBe(rows[0]!.address);
		expect(rows[1]).toMatchObject({ client: 'GPTBot', address: rows[0]!.address });
		expect(rows[2]!.address).not.toBe(rows[0]!.address);
		await ledger.close();
	});

	it('PB-78 remembers over a restart which versions there were, and who had read which', async () => {
		const ledger = await open({ now: () => 5000 });
		let time = 1000;
		const config = checkConfig({ origin: 'https://example.com' });
		const gateway = createGateway(config, { recorder: ledger, now: () => time });
		const request = new Request('https://example.com/robots.txt', { headers: { 'user-agent': 'GPTBot/1' } });
		await gateway.handle(request, { address: '192.0.2.7' });
		const first = gateway.published().policyVersion.version;
		time = 3000;
		gateway.adopt({ robots: 'User-agent: *\nDisallow: /new\n' });
		await ledger.flush();
		const past = await ledger.pastPolicyVersions(config.origin);
		expect(past.map(({ policyVersion, until }) => [policyVersion.version, until])).toEqual([
			[gateway.published().policyVersion.version, 5000],
			[first, 3000],
		]);
		expect(past[1]!.policyVersion.for({ token: 'GPTBot' }).decide('crawl', 'https://example.com/new').permitted).toBe(
			true,
		);
		expect(await ledger.recall()).toEqual([{ agent: 'GPTBot', client: '192.0.2.7', policy: first, at: 1000 }]);
		await ledger.close();
	});
});
