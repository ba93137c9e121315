import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import type { FrontierUrl, NewUrl } from '../packages/crawler/src/store/roles/frontier.ts';
import type { Store } from '../packages/crawler/src/store/roles/store.ts';
import { openStore } from '../packages/crawler/src/store/sql/open.ts';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { knownHosts, knownLink, sizes } from './known/links.ts';
import { middle, option, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

// What a page costs when 10,000 and when a million URLs are known, in SQLite and in PostgreSQL.
//
// First in the store alone. Each page: taken from the frontier, committed with its document and 50 links, 5 of them new, 45
// known; of those 9 lead anywhere, the others to one host, as most links of a page do (`--links anywhere`: all do, the
// worst that can be). Every twentieth time the host is given back and another one taken. Both sizes take turns, so that
// what else the machine does falls on both.
//
// Then in a whole crawl: pages of about 49 kB with ten links to new pages and 45 such known ones, fetched, read, stored; all
// of its pages, and the later half, when the caches are warm.
//
// Run: npm run bench:known [-- --pages 1500] [--crawl 4000] [--rounds 3] [--links anywhere] [--buffers 1GB] [--only postgres]

/** Hosts with nothing left to visit: one for every hundred URLs. */
const urlsPerHost = 100;
const liveHosts = 20;
/** Addresses of a host that are taken at a time, as a crawl takes them. */
const window = 40;
const at = Date.now();
const pages = Number(option('pages') ?? 1500);
const crawled = Number(option('crawl') ?? 4000);
const rounds = Number(option('rounds') ?? 3);
const everyAnywhere = option('links') === 'anywhere' ? 1 : undefined;

const liveSeeds = Array.from({ length: liveHosts }, (_, n) => `http://live${n}.test/`);

const page = (url: string, depth: number): NewUrl => ({
	url,
	kind: 'page',
	host: new URL(url).hostname,
	depth,
	dates: 0,
	seed: depth === 0,
});

async function fill(url: string, count: number, seeds: readonly NewUrl[]): Promise<Store> {
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
			${sql.lit(seeds.length)} + 1 + i / ${sql.lit(urlsPerHost)}, 1, 3, 0, 1, 'fetched', ${sql.lit(at)} from ${numbers}`.execute(
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
	let [host] = await store.leases.claimHosts(1);
	let waiting: FrontierUrl[] = [];
	for (let number = 0; ; number++) {
		if (number % 20 === 19) {
			await store.leases.releaseHost({ ...host!, nextAt: Date.now() });
			[host] = await store.leases.claimHosts(1);
			waiting = [];
		}
		if (waiting.length === 0) waiting = await store.frontier.pending(host!.id, 'page', Date.now(), window);
		const next = waiting.shift();
		const links = Array.from({ length: 50 }, (_, n): NewUrl => {
			if (n < 5) return page(`http://${host!.name}/${number}-${n}`, 1);
			return page(knownLink(host!.id % liveHosts, number, n, size, everyAnywhere), 1);
		});
		const content = { etag: `"${number}"`, bodyHash: new Uint8Array(32), snapshot: { fetchedAt: at, document } };
		const visit = { id: next!.id, ending: { outcome: 'fetched' as const }, attempts: 1, at, found: links, content };
		await store.commit({ visits: [visit], hosts: [host!], positions: new Map(), scopeExpansions: [] });
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

async function compare(name: string, place: () => Promise<string>): Promise<string[][]> {
	const runs = [];
	for (const size of sizes) {
		const url = await place();
		const store = await fill(
			url,
			size,
			liveSeeds.map((seed) => page(seed, 0)),
		);
		runs.push({ size, url, store, walk: visits(store, size), times: [] as number[] });
	}
	for (const { walk, url } of runs) {
		for (let warm = 0; warm < 100; warm++) await walk.next();
		await blocksRead(url);
	}
	const before = process.memoryUsage().rss;
	for (let n = 0; n < pages; n++) for (const { walk, times } of runs) times.push(await timed(() => walk.next()));
	const grown = Math.round((process.memoryUsage().rss - before) / 1e6);
	const rows = [];
	for (const { size, url, store, times } of runs) {
		const median = middle(times);
		const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
		const blocks = await blocksRead(url);
		const tally = await timed(() => store.frontier.tally());
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

/** Whole crawls, those with few and with many known URLs in turn; each round in a store of its own. */
async function compareCrawls(name: string, place: () => Promise<string>): Promise<string[][]> {
	const runs = sizes.map((size) => ({ size, figures: [] as { all: number; late: number; mib: number }[] }));
	for (let round = 0; round < rounds; round++)
		for (const { size, figures } of runs) {
			const site = await startSite(size);
			const url = await place();
			await (await fill(url, size, [page(`${site.origin}/`, 0)])).close();
			const child = spawn(process.execPath, [path('known/crawl.mjs'), url, site.origin, String(crawled)], {
				stdio: ['ignore', 'pipe', 'inherit'],
			});
			const [line] = await once(createInterface(child.stdout), 'line');
			figures.push(JSON.parse(line));
			site.stop();
		}
	const [small] = runs;
	return runs.map(({ size, figures }) => {
		const columns = (['all', 'late'] as const).flatMap((part) => {
			const median = (of: typeof figures) => middle(of.map((one) => one[part]));
			const growth = (median(figures) / median(small!.figures) - 1) * 100;
			return [
				`${median(figures).toFixed(2)} ms`,
				figures.map((one) => one[part].toFixed(2)).join(' '),
				figures === small!.figures ? '' : `${growth.toFixed(0)} %`,
			];
		});
		return [name, size.toLocaleString('en'), ...columns, `${middle(figures.map(({ mib }) => mib)).toFixed(0)} MiB`];
	});
}

async function startSite(known: number): Promise<{ origin: string; stop(): void }> {
	const args = ['--conditions=wayleave-source', '--import', 'tsx', path('crawl/site.ts'), '1000000', String(known)];
	const site = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	const [line] = await once(createInterface(site.stdout), 'line');
	return { origin: JSON.parse(line).origin, stop: () => site.kill() };
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const folder = temporaryFolder();
const buffers = option('buffers');
const server = await startPostgres(buffers === undefined ? [] : ['-c', `shared_buffers=${buffers}`]);
let files = 0;
const places: Readonly<Record<string, () => Promise<string>>> = {
	...(option('only') !== 'postgres' && { SQLite: async () => `sqlite:${join(folder, `${files++}.db`)}` }),
	PostgreSQL: () => server.database(),
};
try {
	const alone = [['store alone', 'known URLs', 'median', 'mean', 'growth', 'blocks read', 'tally', 'memory']];
	for (const [name, place] of Object.entries(places)) alone.push(...(await compare(name, place)));
	console.log(showTable(alone));
	if (crawled > 0) {
		const whole = [
			['whole crawl', 'known URLs', 'all pages', 'rounds', 'growth', 'later half', 'rounds', 'growth', 'memory'],
		];
		for (const [name, place] of Object.entries(places)) whole.push(...(await compareCrawls(name, place)));
		console.log(`\n${showTable(whole)}`);
	}
} finally {
	await server.stop();
}
