import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { crawlWith } from '../engine/crawl.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { openRolling } from '../sinks/rolling/open.ts';
import type { Sink } from '../sinks/types.ts';
import type { StoreTrouble } from '../store/roles/store.ts';
import { openStore, placesOf } from '../store/sql/open.ts';
import { warcFormat } from '../warc/write/rolling-format.ts';
import { lateStore } from './around-store.ts';
import type { Said, WorkerOptions } from './fleet-types.ts';
import { seeded } from './random.ts';
import { simpleReader } from './simple-reader.ts';

/** Finds every host on this machine. */
export function fleetFetcher(connectionsPerHost: number): Fetcher {
	return createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://bot.test/; Testbot)',
		lookup: async () => [{ address: '127.0.0.1', family: 4 }],
		allowPrivate: () => true,
		connectionsPerHost,
	});
}

async function sinksOf({ out, rolling, roll }: WorkerOptions): Promise<Sink[]> {
	const lines = out === undefined ? [] : [jsonlSink(out)];
	const open = (name: string) => {
		const isArchive = name.includes('.warc.gz');
		return openRolling(
			{ name, cwd: '/', lines: {}, roll, crawl: true },
			isArchive ? warcFormat('.warc.gz') : undefined,
		);
	};
	return [...lines, ...(await Promise.all((rolling ?? []).map(open)))];
}

/** One worker of a fleet; what it says last is how it has ended. */
export async function runWorker(options: WorkerOptions, signal: AbortSignal, say: (said: Said) => void): Promise<void> {
	const { store: url, seeds, reader = 'simple', lease, patience, late, sitemaps = false, documents, ...rest } = options;
	const { out: _, rolling: __, roll: ___, ...others } = rest;
	const storeOptions = { ...(lease !== undefined && { lease }), ...(patience !== undefined && { patience }) };
	const isGroup = placesOf(url).length > 1;
	const onTrouble = (trouble: StoreTrouble) => say({ type: 'store', ...trouble });
	const own = { ...storeOptions, ...(documents !== undefined && { documents }), onTrouble };
	const store = isGroup ? undefined : await openStore(url, own);
	const read = reader === 'simple' ? simpleReader : (await import('../read/read-page.ts')).readPage;
	const fetcher = fleetFetcher(options.concurrency);
	const crawling = crawlWith(
		read,
		seeds,
		{
			...others,
			...(isGroup && documents !== undefined && { documents }),
			store: store === undefined || late === undefined ? (store ?? url) : lateStore(store, seeded(late)),
			sitemaps,
			sinks: await sinksOf(options),
			signal,
			fetcher,
			ownSites: seeds.map((seed) => new URL(seed).hostname),
		},
		storeOptions,
	);
	const told = ['start', 'store', 'page'] as const;
	for (const type of told) crawling.on(type, (event) => say({ ...event }));
	const { complete, totals, requests, milliseconds } = await crawling.run();
	const { user, system } = process.cpuUsage();
	const memory = Math.round(process.memoryUsage().rss / 1e6);
	await fetcher.close();
	await store?.close();
	say({ type: 'end', complete, totals, requests, milliseconds, cpu: Math.round((user + system) / 1000), memory });
}
