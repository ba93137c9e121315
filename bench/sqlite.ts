import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrontierUrl, NewUrl } from '../packages/crawler/src/store/roles/frontier.ts';
import type { Store } from '../packages/crawler/src/store/roles/store.ts';
import type { openStore as OpenStore } from '../packages/crawler/src/store/sql/open.ts';
import { driverOf } from '../packages/io/src/sql/drivers/choose.ts';
import { middle, option, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Measures the processor time per page in a crawl store, for each SQLite driver that this Node can load. A page is taken
// from the frontier and committed with its document and 50 links, 40 of them already known. The drivers take turns, ten
// pages each, so that other load on the machine affects all of them. The WebAssembly driver supports only in-memory
// databases, so the other drivers run there once more.
//
// Run: npm run bench:sqlite [-- --rounds 60] [--other DIR: also measure the store of another checkout, with its driver]

const rounds = Number(option('rounds') ?? 60);
const pagesPerTurn = 10;
const at = Date.now();
const folder = temporaryFolder();
const document = { identity: { title: 'T' }, content: { markdown: 'word '.repeat(800) } } as never;

const page = (url: string, depth: number): NewUrl => ({
	url,
	kind: 'page',
	host: new URL(url).hostname,
	depth,
	dates: 0,
	seed: depth === 0,
});

async function* visits(store: Store): AsyncGenerator<void> {
	await store.begin({
		seeds: [page('http://a.test/', 0)],
		scope: 'bench',
		refresh: false,
		at,
		reconsider: () => undefined,
	});
	const [host] = await store.leases.claimHosts(1);
	if (host === undefined) throw new Error('the store has no host');
	let waiting: FrontierUrl[] = [];
	for (let number = 0; ; number++) {
		if (waiting.length === 0) waiting = await store.frontier.pending(host.id, 'page', Date.now(), 40);
		const next = waiting.shift();
		if (next === undefined) throw new Error('the store has no page');
		const found = Array.from({ length: 50 }, (_, n) =>
			page(`http://a.test/${n < 10 ? `${number}-${n}` : `known-${n}`}`, 1),
		);
		const content = { etag: `"${number}"`, bodyHash: new Uint8Array(32), snapshot: { fetchedAt: at, document } };
		const visit = {
			id: next.id,
			ending: { outcome: 'fetched' as const },
			attempts: 1,
			at,
			found,
			links: found,
			content,
		};
		await store.commit({ visits: [visit], hosts: [host], positions: new Map(), scopeExpansions: [] });
		yield;
	}
}

interface Contestant {
	readonly name: string;
	readonly store: Store;
	readonly walk: AsyncGenerator<void>;
	readonly times: number[];
}

async function open(name: string, driver: string, url: string, by: typeof OpenStore): Promise<Contestant> {
	process.env.WAYLEAVE_SQLITE = driver;
	const store = await by(url);
	delete process.env.WAYLEAVE_SQLITE;
	return { name, store, walk: visits(store), times: [] };
}

async function contest(contestants: readonly Contestant[]): Promise<void> {
	for (let round = -5; round < rounds; round++)
		for (const { walk, times } of contestants) {
			const before = process.cpuUsage();
			for (let pages = 0; pages < pagesPerTurn; pages++) await walk.next();
			const { user, system } = process.cpuUsage(before);
			if (round >= 0) times.push((user + system) / pagesPerTurn);
		}
	const base = middle(contestants[0]?.times ?? []);
	const rows = contestants.map(({ name, times }) => [
		name,
		`${middle(times).toFixed(0)} µs`,
		middle(times.map((time, round) => time / (contestants[0]?.times[round] ?? base))).toFixed(2),
	]);
	console.log(showTable([['store', 'a page, median', 'ratio'], ...rows]));
	for (const { store } of contestants) await store.close();
}

/** In either place that the file has had. */
async function storeOf(root: string): Promise<typeof OpenStore> {
	const places = ['sql/open.ts', 'open.ts'].map((name) => join(root, 'packages/crawler/src/store', name));
	const file = places.find((place) => existsSync(place));
	if (file === undefined) throw new Error(`${root} has no packages/crawler/src/store/sql/open.ts`);
	return (await import(pathToFileURL(file).href)).openStore;
}
const own = await storeOf(join(import.meta.dirname, '..'));
const other = option('other');

const isLoadable = (name: 'better-sqlite3' | 'node') => {
	try {
		return driverOf(name).name === name;
	} catch {
		console.log(`${name}: not here`);
		return false;
	}
};
const drivers = (['better-sqlite3', 'node'] as const).filter(isLoadable);
const files: Contestant[] = [];
if (other !== undefined)
	files.push(await open(`file, ${other}`, '', `sqlite:${join(folder, 'other.db')}`, await storeOf(resolve(other))));
for (const driver of drivers)
	files.push(await open(`file, ${driver}`, driver, `sqlite:${join(folder, `${driver}.db`)}`, own));
console.log(`Node ${process.version}`);
await contest(files);
const memory: Contestant[] = [];
for (const driver of drivers) memory.push(await open(`memory, ${driver}`, driver, 'memory', own));
memory.push(await open('memory, wasm', 'wasm', 'memory', own));
await contest(memory);
