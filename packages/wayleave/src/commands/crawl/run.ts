import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import {
	type AddressOptions,
	type Crawl,
	CrawlError,
	type CrawlOptions,
	crawl,
	formatCrawlMetrics,
	hashRoute,
	type LineOptions,
	openStore,
	type Store,
	type StoreEvent,
	type Summary,
} from '@wayleave/crawler';
import { sqliteProblem } from '@wayleave/io/sql';
import { present } from '@wayleave/protocols';
import { oneLine, quantity } from '@wayleave/protocols/text';
import type { CrawlPage } from '../../shared/crawl-page.ts';
import { listenForInterruption } from '../../shared/interruption.ts';
import { type MetricsRoutes, serveMetrics } from '../../shared/metrics-server.ts';
import { readListenAddress, showAddress } from '../../shared/options/addresses.ts';
import { tellMisspelt } from '../../shared/options/category.ts';
import { chunkOptions, refuseLostChunks } from '../../shared/options/chunks.ts';
import { agentOptions } from '../../shared/options/client.ts';
import { favored } from '../../shared/options/favor.ts';
import { fieldOptions, refuseLostFields } from '../../shared/options/fields.ts';
import { NewFiles } from '../../shared/options/new-files.ts';
import { renderOptions, withoutBrowser } from '../../shared/options/render.ts';
import { readSeeds, seedsName } from '../../shared/options/seeds.ts';
import { documentsPlace, filesOfStore, isShared, storeName, storeUrl } from '../../shared/options/store.ts';
import { coloursFor } from '../../shared/output/colours.ts';
import { distinctOuts, isArchive, isRollingOut, sinkFor } from '../../shared/output/destination.ts';
import { countNotStored, countPages, notStoredText } from '../../shared/output/not-stored.ts';
import { summaryTable } from '../../shared/output/summary.ts';
import { exitCodes, type Terminal, UsageError } from '../../terminal/command.ts';
import type { CrawlFlags } from './flags.ts';
import { noteChanges, watchOptions } from './notices.ts';
import { optimizeLaterAtFirst } from './optimize-later.ts';
import { startProgress } from './progress.ts';

/** A route in a seed must not be dropped in silence. */
function tellRoutes(seeds: readonly string[], { render }: CrawlFlags, terminal: Terminal): void {
	const route = render === undefined || render === 'never' ? seeds.map(hashRoute).find(Boolean) : undefined;
	if (route !== undefined) terminal.note(`${oneLine(route)} is left out: a route after # needs --render always\n`);
}

export async function runCrawl(urls: readonly string[], flags: CrawlFlags, terminal: Terminal): Promise<number> {
	collectEarly();
	const seeds = readSeeds(urls, flags.seeds, terminal);
	const name = seedsName(urls, flags.seeds);
	tellRoutes(seeds, flags, terminal);
	if (flags.warc !== undefined && !isArchive(flags.warc))
		throw new UsageError(`--warc ${flags.warc}: the name must end in .warc.gz`);
	const shared = isShared(flags.store);
	const documents = flags.out ?? (shared ? [] : [`./${name}.jsonl`]);
	if (shared) refusePartialFiles(documents);
	const outs = distinctOuts([...documents, ...(flags.warc === undefined ? [] : [flags.warc])], terminal.cwd);
	refuseLostChunks(flags, outs);
	refuseLostFields(flags, outs);
	const fields = await fieldOptions(flags, terminal);
	if (flags.json && outs.includes('-')) throw new UsageError('--json and --out - both write to stdout: choose one');
	const store = flags.store ?? ownStore(`./${name}.db`, terminal);
	refuseStoreAsFile(outs, store, terminal.cwd);
	const metricsAt = flags.metrics === undefined ? undefined : readListenAddress(flags.metrics, '--metrics');
	const made = new NewFiles(filesOf(outs, store, terminal.cwd));
	const stop = new AbortController();
	const client = await agentOptions(flags, seeds, terminal);
	const lines = { outcomes: flags.outcomes === true, ...(await chunkOptions(flags)), ...fields };
	// The page reads the same store: one in memory is opened here, so that both have it.
	const place = flags.documents === undefined ? undefined : documentsPlace(flags.documents, terminal.cwd);
	const inMemory =
		flags.ui && store === 'memory' ? await openStore(store, { ...(place && { documents: place }) }) : undefined;
	const crawling = start(seeds, {
		...client,
		...fields,
		...(await crawlOptions(flags, outs, lines, store, terminal, stop.signal)),
		...(inMemory ? { store: inMemory } : place && { documents: place }),
	});
	optimizeLaterAtFirst(crawling);
	const page = await openPage(crawling, flags, store, inMemory, terminal);
	const metrics = metricsAt && (await serveMetrics(metricsAt, crawlRoutes(crawling), { allowHosts: flags.allowHost }));
	if (metrics !== undefined) terminal.note(`metrics: http://${showAddress(metrics.address)}/metrics\n`);
	tellMisspelt([flags.category], terminal);
	let responses = 0;
	crawling.on('done', ({ summary }) => {
		responses += summary.responses;
	});
	const summary = await watch(crawling, flags, terminal, stop)
		.catch(async (error: unknown) => {
			await page?.close();
			throw error;
		})
		.finally(() => metrics?.server.close());
	// The address was mistyped, or the network is down. With --outcomes the files say so, and are what was asked for.
	const isInVain = responses + summary.responses === 0 && flags.outcomes !== true && made.isExpected;
	if (isInVain) made.remove();
	report(
		summary,
		flags,
		outs,
		store,
		terminal,
		isInVain ? 'no host responded: nothing was saved' : placesText(outs, store),
	);
	if (summary.complete && page !== undefined) await keepPage(terminal);
	await page?.close();
	await inMemory?.close();
	return exitCode(summary, outs.includes('-'));
}

/** Opens the page of `--ui` before the crawl begins. */
async function openPage(
	crawling: Crawl,
	{ ui, uiPort }: CrawlFlags,
	store: string,
	reader: Store | undefined,
	terminal: Terminal,
): Promise<CrawlPage | undefined> {
	if (uiPort !== undefined && !ui) throw new UsageError('--ui-port needs --ui');
	if (!ui) return undefined;
	const { cwd } = terminal;
	// A crawl without a page does not load it.
	const { LiveCrawl, openCrawlPage } = await import('../../shared/crawl-page.ts');
	const live = new LiveCrawl(crawling);
	const page = await openCrawlPage({
		store,
		cwd,
		live,
		...present({ reader, port: uiPort }),
	});
	terminal.note(`watch the crawl at ${page.url}\n`);
	return page;
}

/** A person looks at the page when the crawl has ended; a script waits for the end of the command. */
async function keepPage(terminal: Terminal): Promise<void> {
	if (!terminal.interactive) return;
	terminal.note('the page stays open until Ctrl-C; later, wayleave store ui shows the same store\n');
	const interruption = listenForInterruption(terminal);
	await interruption.reached;
}

/** The store of a crawl that names none. @throws Error where there is one that cannot be opened */
function ownStore(file: string, terminal: Terminal): string {
	const problem = sqliteProblem();
	if (problem === undefined) return `sqlite:${file}`;
	if (existsSync(resolve(terminal.cwd, file)))
		throw new Error(`${file} holds the state of an earlier crawl and cannot be opened: ${problem}`);
	terminal.err(`this crawl keeps its state in memory and cannot be resumed: ${problem}\n`);
	return 'memory';
}

/** The files that a crawl may make. */
function filesOf(outs: readonly string[], store: string, cwd: string): string[] {
	return [
		...filesOfStore(store, cwd),
		...outs.filter((out) => out !== '-' && !isRollingOut(out)).map((out) => resolve(cwd, out)),
	];
}

/**
 * V8 lets the heap of a long-lived process grow to a multiple of what is in use. Pages come and go: what is left of them
 * is collected here when it is a quarter of that, which keeps the process a sixth smaller at no cost to be measured.
 */
function collectEarly(): void {
	setFlagsFromString('--heap-growing-percent=25');
}

async function crawlOptions(
	flags: CrawlFlags,
	outs: readonly string[],
	lines: LineOptions,
	store: string,
	terminal: Terminal,
	signal: AbortSignal,
): Promise<CrawlOptions> {
	const watch = watchOptions(flags, terminal);
	return {
		...renderOptions(flags),
		...favored(flags),
		...(watch && { watch }),
		store: storeUrl(store, terminal.cwd),
		sinks: await Promise.all(outs.map((out) => sinkFor(out, terminal, lines, { roll: flags.roll, crawl: true }))),
		scope: flags.scope,
		sitemaps: flags.sitemaps,
		refresh: flags.refresh === true,
		everyOutcome: flags.outcomes === true,
		economics: flags.economics === true,
		signal,
		...present({ every: flags.every, budget: flags.budget, auditRate: flags.auditRate }),
		...present({ maxPages: flags.maxPages, prefer: flags.prefer, maxDepth: flags.maxDepth }),
		...addressOptions(flags),
		...present({ concurrency: flags.concurrency, threads: flags.threads, retries: flags.retries }),
		...(flags.maxCrawlDelay === undefined ? {} : { maxCrawlDelay: flags.maxCrawlDelay * 1000 }),
	};
}

/** Patterns that cannot match any address are mistakes. @throws UsageError */
function addressOptions({ include, exclude, ignoreParams, keepParams }: CrawlFlags): AddressOptions {
	for (const [flag, patterns = []] of [['--include', include] as const, ['--exclude', exclude] as const])
		for (const pattern of patterns)
			if (!/^(?:[/*]|https?:\/\/)/i.test(pattern))
				throw new UsageError(
					`${flag} ${pattern}: a pattern begins with /, * or a scheme, such as /${pattern.replace(/^\.?\/*/, '')}`,
				);
	return present({ include, exclude, ignoreParams, keepParams });
}

function crawlRoutes(crawling: Crawl): MetricsRoutes {
	return {
		metrics: () => formatCrawlMetrics(crawling.stats(), Date.now()),
		status: () => crawling.stats(),
	};
}

/** Wrong options are wrong usage; what happens later is not. */
function start(seeds: readonly string[], options: CrawlOptions): Crawl {
	try {
		return crawl(seeds, options);
	} catch (error) {
		if (error instanceof CrawlError) throw new UsageError(error.message);
		throw error;
	}
}

async function watch(crawling: Crawl, flags: CrawlFlags, terminal: Terminal, stop: AbortController): Promise<Summary> {
	if (flags.json) crawling.on('*', (event) => terminal.out(`${JSON.stringify(event)}\n`));
	let isBetween = false;
	crawling.on('cycle', () => {
		isBetween = true;
	});
	crawling.on('start', () => {
		isBetween = false;
	});
	// Hours of waiting would fill a log with the same line.
	const progress =
		flags.json || terminal.quiet
			? undefined
			: startProgress(terminal, () => (isBetween ? undefined : crawling.stats()));
	const say = (text: string) => (progress === undefined ? terminal.note(`${text}\n`) : progress.note(text));
	const note = (text: string): void => say(oneLine(text));
	crawling.on('start', ({ mode, known, pending, workers, changed = [] }) => {
		for (const sentence of changed) note(`unlike the crawl before: ${sentence}`);
		if (workers > 0) note(`joining ${quantity(workers, 'other worker')}`);
		if (mode === 'resume') note(`resuming: ${pending} of ${urls(known)} still to visit, including sitemaps`);
		if (mode === 'refresh') note(`rechecking ${urls(pending)}, including sitemaps`);
	});
	crawling.on('robots', ({ url, state, detail }) => {
		if (state === 'unreachable') note(`${url} could not be fetched${detail === undefined ? '' : `: ${detail}`}`);
	});
	crawling.on('wait', ({ host, why, until, status, detail }) => {
		if (why === 'backoff') return note(`${host}${detail ?? ''}; another try at ${until}`);
		const odd = detail === undefined ? '' : `; ${detail}`;
		note(`${host} asks for a pause${status === undefined ? '' : ` (${status})`}: ${why} until ${until}${odd}`);
	});
	let failed = 0;
	crawling.on('problem', ({ code, source, detail }) => {
		if (code === 'no-browser') note(withoutBrowser);
		// The first one tells a browser that does not start; of more there may be thousands.
		if (code === 'render-failed' && ++failed === 1)
			note(
				`the browser could not render ${source}; its HTML was parsed as sent (--json reports every such page): ${detail}`,
			);
	});
	crawling.on('host', ({ host, change, detail }) => {
		if (change === 'deferred') note(`${host} is deferred to a later run${detail === undefined ? '' : `: ${detail}`}`);
	});
	crawling.on('manifest', ({ url, state, detail }) => {
		if (state === 'invalid') note(`${url} cannot be used${detail === undefined ? '' : `: ${detail}`}`);
		if (state === 'anomalous') note(`${url} has lower revisions than before: the site is crawled without a manifest`);
	});
	crawling.on('trust', ({ origin, level, before }) => {
		note(`the trust in the manifest of ${origin} changed from ${before} to ${level}`);
	});
	if (flags.every !== undefined && !flags.json) {
		crawling.on('done', ({ summary }) => say(`\n${summaryTable(summary, coloursFor(terminal))}`));
		crawling.on('cycle', ({ next }) => note(`the next cycle begins at ${next}; Ctrl-C ends the crawl`));
	}
	if (!flags.json) noteChanges(crawling, note);
	crawling.on('store', ({ state, detail }) => note(storeNotes[state](detail)));
	const ignore = terminal.onInterrupt(() => {
		// No listener is left: the next Ctrl-C ends the process, and the state is as after a crash.
		ignore();
		if (!isBetween) note('finishing requests in flight; press Ctrl-C again to stop at once');
		stop.abort();
	});
	try {
		return await crawling.run();
	} finally {
		ignore();
		progress?.stop();
	}
}

const urls = (count: number): string => quantity(count, 'known URL');

const storeNotes: Readonly<Record<StoreEvent['state'], (detail: string) => string>> = {
	lost: (detail) => `waiting for the ${detail.startsWith('s3:') ? 'documents' : 'database'}: ${detail}`,
	back: (detail) => `available again ${detail}`,
	upgrade: (detail) => `upgrade of the store: ${detail}`,
	'lease-lost': (detail) => `${detail}; this worker starts again`,
	documents: (detail) => `documents are kept in ${detail}, as this store remembers`,
};

/** Refuses files with a shared store: each process would write only its own pages. */
function refusePartialFiles(outs: readonly string[]): void {
	const partial = outs.find((out) => out !== '-' && !isArchive(out) && !isRollingOut(out));
	if (partial === undefined) return;
	const reason = 'with a shared store, each process would write only the pages that it fetched';
	throw new UsageError(
		`--out ${partial}: ${reason}; use rolling files ('pages/*.jsonl.gz'), or export all pages with wayleave store export`,
	);
}

function refuseStoreAsFile(outs: readonly string[], store: string, cwd: string): void {
	const out = outs.find((each) => each !== '-' && `sqlite:${resolve(cwd, each)}` === storeUrl(store, cwd));
	if (out !== undefined) throw new UsageError(`--out ${out} is also the file of --store: choose two files`);
}

function report(
	summary: Summary,
	flags: CrawlFlags,
	outs: readonly string[],
	store: string,
	terminal: Terminal,
	places: string,
): void {
	// Pages missing from the files are reported first.
	if (!outs.includes('-') && countNotStored(summary.rows) > 0) terminal.err(`${notStoredText(summary)}\n`);
	// With cycles, each has had its own.
	if (!flags.json && !terminal.quiet && flags.every === undefined) {
		const table = `\n${summaryTable(summary, coloursFor(terminal))}`;
		if (outs.includes('-')) terminal.err(table);
		else terminal.out(table);
	}
	if (places !== '') terminal.note(`${places}\n`);
	if (!summary.complete)
		terminal.note(`interrupted: run the same command again to ${store === 'memory' ? 'start over' : 'resume'}\n`);
}

/** Names the outputs: an archive has responses, and without another file the documents are in the store. */
function placesText(outs: readonly string[], store: string): string {
	const documents = outs.filter((out) => out !== '-' && !isArchive(out));
	const archives = outs.filter(isArchive);
	const kept = documents.length === 0 ? 'documents and state' : 'state';
	const isLasting = store !== 'memory';
	if (outs.includes('-') && documents.length + archives.length === 0 && !isShared(store)) return '';
	return [
		...(documents.length === 0 ? [] : [`documents: ${documents.join(', ')}`]),
		...(archives.length === 0 ? [] : [`archive: ${archives.join(', ')}`]),
		...(isLasting ? [`${kept}: ${storeName(store)}`] : []),
	].join('; ');
}

/** Whether anything came of it: what was read and could not be written anywhere is nothing. */
function exitCode(summary: Summary, piped: boolean): number {
	if (!summary.complete) return exitCodes.interrupted;
	const { read, kept } = countPages(summary.rows);
	return (piped ? read : kept) > 0 ? exitCodes.ok : exitCodes.found;
}
