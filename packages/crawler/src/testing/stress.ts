import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWhole } from '../engine/write-whole.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { openStore } from '../store/sql/open.ts';
import { startLocalWorker, startWorker } from './fleet.ts';
import type { Said, WorkerOptions } from './fleet-types.ts';
import { everythingIn, everythingInDatabase } from './kept.ts';
import { type StressSite, secret, startStressSite } from './stress-site.ts';

export interface StressPlan {
	/** `postgres://…`; an SQLite file in a temporary folder where there is none. */
	readonly store?: string;
	readonly workers: number;
	/** Each in a process of its own. */
	readonly processes?: boolean;
	readonly hosts: number;
	/** Of each host. */
	readonly pages: number;
	readonly delay: number;
	/** The number with which the times begin by which answers of the store are late. */
	readonly seed: number;
}

/** One crawl, by what its workers have said. */
interface Crawled {
	/** As its workers have found it. */
	readonly modes: readonly string[];
	/** URLs that have ended with a document, and those that lead to another one. */
	readonly documents: readonly string[];
	readonly redirects: readonly string[];
	/** Of the documents, those that are as they were. */
	readonly unchanged: readonly string[];
	/** Everything else that has ended, with how. */
	readonly others: readonly string[];
	/** Requests for pages. */
	readonly asked: readonly string[];
}

/**
 * Crawls a site with a store that is late: up to a limit, on to the end, and again when some of its pages have changed.
 *
 * @returns what was wrong
 */
export async function stress(plan: StressPlan): Promise<string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-stress-'));
	const store = plan.store ?? `sqlite:${join(folder, 'crawl.db')}`;
	const out = plan.store === undefined ? { out: join(folder, 'out.jsonl') } : {};
	const site = await startStressSite(plan.hosts, plan.pages);
	const wrong: string[] = [];
	const check = (what: string, good: boolean) => void (good || wrong.push(what));
	const same = (what: string, found: readonly string[], wanted: readonly string[]) =>
		wrong.push(...differences(found, wanted).map((each) => `${what}: ${each}`));
	const crawl = (more: Partial<WorkerOptions> = {}) => crawlOnce(plan, site, { store, ...out, ...more });
	try {
		const limit = Math.floor(site.pages.length / 2);
		const first = await crawl({ maxPages: limit });
		check(`${first.documents.length} documents, not ${limit}`, first.documents.length === limit);
		const second = await crawl();
		const both = (part: 'documents' | 'redirects' | 'asked') => [...first[part], ...second[part]];
		check(`modes ${first.modes}, ${second.modes}`, first.modes.includes('new') && isAll('resume', second.modes));
		same('told', both('documents'), site.pages);
		same('told', both('redirects'), site.redirects);
		const tries = site.pages.flatMap((url) => Array<string>(site.failures(url) + 1).fill(url));
		same('asked', both('asked').filter(isPage), tries);
		await checkKept('crawled');
		const changed = site.change();
		const third = await crawl();
		check(`modes of the crawl again ${third.modes}`, isAll('refresh', third.modes));
		same('told again', third.documents, site.pages);
		same('told again', third.redirects, site.redirects);
		const stays = (url: string) => !changed.includes(url);
		same('told as unchanged', third.unchanged, site.kept.filter(stays));
		const due = site.pages.filter((url) => !site.listed.includes(url) || !stays(url));
		same('asked again', third.asked.filter(isPage), due);
		await checkKept('crawled again');
		for (const { others } of [first, second, third]) same('ended otherwise', others, []);
		const robots = site.log.filter(({ path }) => path === '/robots.txt').map(({ host }) => host);
		same('robots.txt', robots, [...new Set(robots)]);
		check(`${site.shortestGap()} ms between two requests to a host`, site.shortestGap() >= plan.delay - 1);
		wrong.push(...earlyAfterPause(site));
		return wrong;
	} finally {
		await site.close();
		rmSync(folder, { recursive: true, force: true });
	}

	/** Every page that may be kept is once in the store and in its export, and nothing of the others anywhere. */
	async function checkKept(when: string): Promise<void> {
		const opened = await openStore(store);
		const { pending } = await opened.frontier.tally();
		const file = join(folder, 'export.jsonl');
		await writeWhole(jsonlSink(file), opened.pages);
		await opened.close();
		check(`${when}: ${pending} wait`, pending === 0);
		same(`${when}: exported`, documentsIn(file), site.kept);
		if (out.out !== undefined) same(`${when}: written`, documentsIn(out.out), site.kept);
		const places = [everythingIn(folder), ...(plan.store === undefined ? [] : [await everythingInDatabase(store)])];
		check(`${when}: there is a copy of what may not be kept`, !places.some((text) => text.includes(secret)));
		check(
			`${when}: what may be kept is not found`,
			places.every((text) => text.includes('Zebra')),
		);
	}
}

const isAll = (mode: string, modes: readonly string[]): boolean => modes.every((each) => each === mode);

/** Requests for redirects are more where the target could not be had at first. */
const isPage = (url: string): boolean => /\/p\d+$/.test(url);

const documentsIn = (file: string): string[] =>
	readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line))
		.filter(({ document }) => document !== undefined)
		.map(({ url }) => url);

async function crawlOnce(
	{ workers, processes = false, delay, seed }: StressPlan,
	site: StressSite,
	options: Pick<WorkerOptions, 'store'> & Partial<WorkerOptions>,
): Promise<Crawled> {
	const before = site.log.length;
	const start = processes ? startWorker : startLocalWorker;
	const common = { seeds: site.seeds, delay, concurrency: 4, sitemaps: true, auditRate: 0 };
	// Whoever began after the end of a crawl would begin the next one.
	site.hold();
	const fleet = Array.from({ length: workers }, (_, at) => start({ ...common, late: seed + at, ...options }));
	await Promise.all(fleet.map(({ start: began }) => began));
	site.open();
	await Promise.all(fleet.map(({ end }) => end));
	const said = fleet.flatMap((worker) => worker.said);
	const ended = said.filter(({ type }) => type === 'page') as (Said & { url: string; outcome: string })[];
	const has = ({ outcome }: { outcome: string }) => outcome === 'fetched' || outcome === 'unchanged';
	const isRedirect = ({ reason }: Said) => reason === 'redirected';
	const urls = (which: readonly { url: string }[]) => which.map(({ url }) => url);
	const documents = ended.filter((page) => has(page) && !isRedirect(page));
	return {
		modes: said.filter(({ type }) => type === 'start').map(({ mode }) => String(mode)),
		documents: urls(documents),
		redirects: urls(ended.filter((page) => has(page) && isRedirect(page))),
		unchanged: urls(documents.filter(({ outcome }) => outcome === 'unchanged')),
		others: ended
			.filter((page) => !has(page) && page.reason !== 'max-pages')
			.map(({ url, outcome, reason }) => `${url} ${outcome} ${reason}`),
		asked: site.log
			.slice(before)
			.filter(({ host, path }) => /^\/[pr]\d+$/.test(path) || (host === 'go.test' && path === '/'))
			.map(({ headers, path }) => `http://${headers.host}${path}`),
	};
}

/** What is there too often or not often enough, with how much. */
function differences(found: readonly string[], wanted: readonly string[]): string[] {
	const counts = new Map<string, number>();
	for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
	for (const each of wanted) counts.set(each, (counts.get(each) ?? 0) - 1);
	return [...counts]
		.filter(([, count]) => count !== 0)
		.map(([each, count]) => `${each} ${count > 0 ? '+' : ''}${count}`);
}

/** Requests within the pause that the host had asked for. */
function earlyAfterPause({ log }: StressSite): string[] {
	return log.flatMap(({ host, end, status }, at) => {
		const next = status === 503 ? log.slice(at + 1).find((request) => request.host === host) : undefined;
		return next === undefined || next.start - end >= 999 ? [] : [`${host} asked ${next.start - end} ms after a 503`];
	});
}
