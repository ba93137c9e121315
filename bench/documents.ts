// A crawl with its documents in the database, and the same with its documents in object storage, in turns: processor time
// of the process, and bytes of the database for each URL. Prints the tables of results/documents.md.
//
//   npm run bench:documents [-- --pages 2000] [--rounds 5] [--store postgres] [--place s3://…]
//   npm run bench:documents -- --growth [--pages 4000]   (bytes of a URL, in SQLite and PostgreSQL)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@wayleave/io/sql';
import { sql } from 'kysely';
import { startPostgres } from '../packages/io/src/testing/postgres.ts';
import { startSite } from './crawl/contest.ts';
import { showGrowth } from './growth.ts';
import { middle, option, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const pages = Number(option('pages') ?? 2000);
const rounds = Number(option('rounds') ?? 5);
const postgres = option('store') === 'postgres' ? await startPostgres() : undefined;
const folder = temporaryFolder();

if (process.argv.includes('--growth')) {
	const server = postgres ?? (await startPostgres());
	const written = Number(option('pages') ?? 4000);
	await showGrowth('SQLite', `sqlite:${join(folder, 'growth.db')}`, folder, written);
	await showGrowth('PostgreSQL', await server.database(), folder, written);
	await server.stop();
	rmSync(folder, { recursive: true, force: true });
	process.exit();
}

interface Figures {
	readonly cpu: number;
	readonly rss: number;
	/** Bytes of the database that the crawl has added. */
	readonly bytes: number;
	readonly urls: number;
}

/** The server for objects is a process of its own: its work does not count. */
async function startObjects(): Promise<{ place: string; stop(): void }> {
	const given = option('place');
	if (given !== undefined) return { place: given, stop() {} };
	const script = `import { startS3Double } from '${new URL('../packages/io/src/testing/s3-double.ts', import.meta.url)}';
		console.log((await startS3Double()).endpoint);`;
	const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	return { place: `s3://bucket/bench?endpoint=${String(line).trim()}`, stop: () => child.kill() };
}

const sizeOf = async (url: string): Promise<{ bytes: number; urls: number }> => {
	const db = openDatabase(url);
	const size = url.startsWith('sqlite:')
		? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
		: sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
	const { rows } = await size.execute(db);
	const counted = await sql<{ urls: number }>`select count(*) as urls from url`.execute(db).catch(() => ({ rows: [] }));
	await db.destroy();
	return { bytes: Number(rows[0]?.bytes ?? 0), urls: Number(counted.rows[0]?.urls ?? 0) };
};

async function crawl(origin: string, seed: string, store: string, documents: string | undefined): Promise<Figures> {
	const cwd = mkdtempSync(join(folder, 'crawl-'));
	const flags = [`${origin}${seed}`, '--delay', '0', '--store', store, '--quiet'];
	const child = spawn(
		process.execPath,
		[
			fileURLToPath(new URL('documents-child.cjs', import.meta.url)),
			...flags,
			...(documents === undefined ? [] : ['--documents', documents]),
		],
		{
			cwd,
			stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
			env: { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', ...process.env },
		},
	);
	const said = await text(child.stdio[3] as Readable);
	const after = await sizeOf(store);
	rmSync(cwd, { recursive: true, force: true });
	return { ...(JSON.parse(said) as Pick<Figures, 'cpu' | 'rss'>), ...after };
}

/** The tables of a store without any URL are no growth. */
async function emptySize(store: string): Promise<number> {
	const { openStore } = await import('@wayleave/crawler');
	await (await openStore(store)).close();
	return (await sizeOf(store)).bytes;
}

const site = await startSite(pages);
const objects = await startObjects();
const found: Record<'database' | 'objects', Figures[]> = { database: [], objects: [] };
for (let round = 0; round < rounds; round++)
	for (const name of round % 2 === 0 ? (['database', 'objects'] as const) : (['objects', 'database'] as const)) {
		const store = postgres === undefined ? `sqlite:${join(folder, `${name}${round}.db`)}` : await postgres.database();
		const place = objects.place.replace(/(?=\?)|$/, `/${process.pid}-${round}`);
		const empty = await emptySize(store);
		const figures = await crawl(site.origin, '/', store, name === 'objects' ? place : undefined);
		found[name].push({ ...figures, bytes: figures.bytes - empty });
		console.error(`round ${round + 1}, ${name}: ${((figures.cpu / pages) * 1000).toFixed(2)} ms a page`);
	}
site.child.kill();
objects.stop();
await postgres?.stop();

const row = (name: string, figures: readonly Figures[]): string[] => [
	name,
	((middle(figures.map(({ cpu }) => cpu)) / pages) * 1000).toFixed(2),
	middle(figures.map(({ bytes, urls }) => bytes / urls)).toFixed(0),
	middle(figures.map(({ rss }) => rss)).toFixed(0),
	String(middle(figures.map(({ urls }) => urls))),
];
console.log(
	showTable([
		['documents', 'CPU ms a page', 'database bytes a URL', 'MiB', 'URLs'],
		row('in the database', found.database),
		row('as objects', found.objects),
	]),
);
const ratios = found.objects.map(({ cpu }, round) => cpu / (found.database[round]?.cpu ?? 1));
const sorted = ratios.toSorted((a, b) => a - b);
// The median of all runs lies between the least and the greatest of n pairs, but for 2 in 2^n cases (order statistics).
const covered = (100 * (1 - 2 / 2 ** ratios.length)).toFixed(0);
console.log(
	[
		`\nCPU, objects over database, by round: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`,
		`median ${middle(ratios).toFixed(3)}, ${covered} % interval of it ${sorted[0]?.toFixed(3)} to ${sorted.at(-1)?.toFixed(3)}`,
	].join('\n'),
);
rmSync(folder, { recursive: true, force: true });
