import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@wayleave/io';
import { sql } from 'kysely';
import { openStore } from '../packages/crawler/src/store/open.ts';
import type { FrontierUrl, NewUrl, Store } from '../packages/crawler/src/store/types.ts';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { option, showTable } from './measure.ts';

// What a page costs in the store when 10,000 and when a million URLs are known, in SQLite and in PostgreSQL.
// Each page: taken from the frontier, committed with its document and 50 links, 5 of them new, 45 known; of those 9 lead
// anywhere, the others to one host, as most links of a page do (`--links anywhere`: all do, the worst that can be). Every
// twentieth time the host is given back and another one taken. Both sizes take turns, so that what else the machine does
// falls on both. Run: npm run bench:known [-- --pages 1500] [--links anywhere] [--buffers 1GB] [--only postgres]

const sizes = [10_000, 1_000_000] as const;
/** Hosts with nothing left to visit: one for every hundred URLs. */
const urlsPerHost = 100;
const liveHosts = 20;
/** Addresses of a host that are taken at a time, as a crawl takes them. */
const window = 40;
const at = Date.now();
const pages = Number(option('pages') ?? 1500);

const knownHosts = 10_000 / urlsPerHost;
const known = (n: number) => `http://known${n % knownHosts}.test/articles/${n}`;
/** Of how many links one leads anywhere. */
const everyAnywhere = option('links') === 'anywhere' ? 1 : 5;

/** A link of a page that is known: to the one host to which most links of its host lead, or anywhere. */
function knownLink(host: number, page: number, n: number, size: number): string {
	if (n % everyAnywhere === 0) return known(((page * 7919 + n * 104_729) % size) + 1);
	const ofHost = (page * 7919 + n * 7) % (size / knownHosts);
	return known((host % liveHosts) + 1 + knownHosts * ofHost);
}

async function fill(url: string, count: number): Promise<Store> {
	const seeds = Array.from({ length: liveHosts }, (_, n): NewUrl => {
		const host = `live${n}.test`;
		return { url: `http://${host}/`, kind: 'page', host, depth: 0, dates: 0, seed: true };
	});
	const store = await openStore(url);
	await store.begin({ seeds, scope: 'bench', refresh: false, at, reconsider: () => undefined });
	const db = openDatabase(url, { statementTimeout: 0 });
	const numbers = url.startsWith('postgres')
		? sql`generate_series(1, ${sql.lit(count)}) as n(i)`
		: sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n) as n`;
	await sql`insert into host (name) select 'old' || i || '.test' from ${numbers} where i <= ${sql.lit(count / urlsPerHost)}`.execute(
		db,
	);
	await sql`insert into url (key, kind, host, state, depth, dates, run, outcome, at)
		select 'http://known' || (i % ${sql.lit(knownHosts)}) || '.test/articles/' || i, 0,
			${sql.lit(liveHosts)} + 1 + i / ${sql.lit(urlsPerHost)}, 1, 3, 0, 1, 'fetched', ${sql.lit(at)} from ${numbers}`.execute(
		db,
	);
	await sql`insert into page (url, etag, fetched_at, checked_at)
		select id, '"' || id || '"', ${sql.lit(at)}, ${sql.lit(at)} from url where state = 1`.execute(db);
	if (url.startsWith('postgres')) {
		await sql`vacuum analyze`.execute(db);
		// What filling has left in memory is not for the pages to write.
		await sql`checkpoint`.execute(db);
	}
	await db.destroy();
	return store;
}

const document = { identity: { title: 'T' }, content: { markdown: 'word '.repeat(800) } } as never;

/** Visits pages for as long as it is asked to. */
async function* visits(store: Store, size: number): AsyncGenerator<void> {
	let [host] = await store.claimHosts(1);
	let waiting: FrontierUrl[] = [];
	for (let page = 0; ; page++) {
		if (page % 20 === 19) {
			await store.releaseHost({ ...host!, nextAt: Date.now() });
			[host] = await store.claimHosts(1);
			waiting = [];
		}
		if (waiting.length === 0) waiting = await store.pending(host!.id, 'page', Date.now(), window);
		const next = waiting.shift();
		const links = Array.from({ length: 50 }, (_, n): NewUrl => {
			const url = n < 5 ? `http://${host!.name}/${page}-${n}` : knownLink(host!.id, page, n, size);
			return { url, kind: 'page', host: new URL(url).hostname, depth: 1, dates: 0 };
		});
		const content = { etag: `"${page}"`, bodyHash: new Uint8Array(32), snapshot: { fetchedAt: at, document } };
		const visit = { id: next!.id, ending: { outcome: 'fetched' as const }, attempts: 1, at, found: links, content };
		await store.commit({ visits: [visit], hosts: [host!], positions: new Map(), widened: [] });
		yield;
	}
}

/** Blocks that PostgreSQL did not have in its own cache, since the last call. */
async function blocksRead(url: string): Promise<number | undefined> {
	if (!url.startsWith('postgres')) return undefined;
	const db = openDatabase(url);
	const { rows } = await sql<{ blocks: number }>`select blks_read as blocks, pg_stat_reset() from pg_stat_database
		where datname = current_database()`.execute(db);
	await db.destroy();
	return rows[0]!.blocks;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

async function compare(name: string, place: (size: number) => Promise<string>): Promise<string[][]> {
	const runs = [];
	for (const size of sizes) {
		const url = await place(size);
		const store = await fill(url, size);
		runs.push({ size, url, store, walk: visits(store, size), times: [] as number[] });
	}
	for (const { walk, url } of runs) {
		for (let warm = 0; warm < 100; warm++) await walk.next();
		await blocksRead(url);
	}
	const before = process.memoryUsage().rss;
	for (let page = 0; page < pages; page++)
		for (const { walk, times } of runs) times.push(await timed(() => walk.next()));
	const grown = Math.round((process.memoryUsage().rss - before) / 1e6);
	const rows = [];
	for (const { size, url, store, times } of runs) {
		const sorted = times.toSorted((a, b) => a - b);
		const median = sorted[sorted.length >> 1]!;
		const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
		const blocks = await blocksRead(url);
		const tally = await timed(() => store.tally());
		rows.push({ size, median, mean, blocks, tally });
		await store.close();
	}
	const [small] = rows;
	return rows.map(({ size, median, mean, blocks, tally }) => [
		name,
		size.toLocaleString('en'),
		`${median.toFixed(2)} ms`,
		`${mean.toFixed(2)} ms`,
		`${median === small!.median ? '' : `${((median / small!.median - 1) * 100).toFixed(0)} %`}`,
		blocks === undefined ? '' : (blocks / pages).toFixed(1),
		`${tally.toFixed(0)} ms`,
		`${grown} MB`,
	]);
}

const folder = mkdtempSync(join(tmpdir(), 'wayleave-known-'));
const buffers = option('buffers');
const server = await startPostgres(buffers === undefined ? [] : ['-c', `shared_buffers=${buffers}`]);
try {
	console.log(
		showTable([
			['store', 'known URLs', 'median', 'mean', 'growth', 'blocks read', 'tally', 'memory'],
			...(option('only') === 'postgres'
				? []
				: await compare('SQLite', async (size) => `sqlite:${join(folder, `${size}.db`)}`)),
			...(await compare('PostgreSQL', () => server.database())),
		]),
	);
} finally {
	await server.stop();
	rmSync(folder, { recursive: true, force: true });
}
