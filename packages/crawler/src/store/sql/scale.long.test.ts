import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore } from './open.ts';

/** Bytes, without the parts of files that the system has in memory anyway. */
function ownMemory(): number {
	const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
	const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1];
	return kilobytes === undefined ? process.memoryUsage().rss : Number(kilobytes) * 1024;
}

it('CB-120 resuming with a million URLs that have ended: memory stays flat, and it begins after a few looks at them', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-scale-'));
	const url = `sqlite:${join(folder, 'crawl.db')}`;
	const at = Date.UTC(2026, 10, 28);
	const seeds = [{ url: 'http://h.test/', kind: 'page', host: 'h.test', depth: 0, dates: 0, seed: true } as const];
	const request = { seeds, scope: 'host', refresh: false, at, reconsider: () => undefined };
	const first = await openStore(url);
	await first.begin(request);
	await first.close();
	const db = openDatabase(url);
	await sql`insert into url (key, kind, host, state, depth, dates, run, outcome)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
		select 'http://h.test/page/' || i, 0, 1, 1, 1, 0, 1, 'fetched' from n`.execute(db);
	await sql`update crawl_run set documents = 1000000`.execute(db);
	const looked = performance.now();
	await sql`select count(*) from url where outcome = 'fetched'`.execute(db);
	const oneLook = performance.now() - looked;
	await db.destroy();
	const before = ownMemory();
	const started = performance.now();
	const store = await openStore(url);
	const state = await store.begin(request);
	const [host] = await store.leases.claimHosts(10);
	const rows = await store.frontier.pending(host!.id, 'page', at, 40);
	const took = performance.now() - started;
	console.log(
		`begun and claimed in ${(took / oneLook).toFixed(1)} times one look at all, ${Math.round((ownMemory() - before) / 1e6)} MB more`,
	);
	expect(state).toMatchObject({ mode: 'resume', known: 1_000_001, pending: 1, documents: 1_000_000 });
	expect(rows.map((row) => row.url)).toEqual(['http://h.test/']);
	expect(ownMemory() - before).toBeLessThan(100e6);
	expect(took).toBeLessThan(3 * oneLook);
	await store.close();
	rmSync(folder, { recursive: true });
});
