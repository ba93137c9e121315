import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import type { Said, WorkerOptions } from './fleet-types.ts';
import { runWorker } from './fleet-worker.ts';
import { startTimedWeb, type TimedRequest } from './timed-web.ts';
import { htmlPage } from './web.ts';

export interface FleetWorker {
	/** Of its process. */
	readonly pid: number | undefined;
	/** As `kill` of Unix; a worker in this process knows SIGINT only. */
	kill(signal: NodeJS.Signals): void;
	/** What it has said so far. */
	readonly said: readonly Said[];
	/** Resolves when its run has begun, or as `end` if it ends before. */
	readonly start: Promise<void>;
	/** Resolves with its last line when it has ended by itself. */
	readonly end: Promise<Said>;
}

const script = fileURLToPath(new URL('fleet-child.ts', import.meta.url));

/** A worker in a process of its own, which takes some seconds to start. */
export function startWorker(options: WorkerOptions): FleetWorker {
	const words = [sourceProgram(script), JSON.stringify(options)];
	const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
	const said: Said[] = [];
	const lines = createInterface({ input: child.stdout });
	// It may report a server that is away before it begins.
	const begun = new Promise<void>((resolve) => {
		lines.on('line', (line) => {
			const one = JSON.parse(line) as Said;
			said.push(one);
			if (one.type === 'start') resolve();
		});
	});
	const errors: string[] = [];
	child.stderr.on('data', (text) => errors.push(String(text)));
	const end = once(child, 'close').then(([code, signal]) => {
		if (code !== 0) throw new Error(`the worker ended with ${code ?? signal}: ${errors.join('')}`);
		return said.at(-1)!;
	});
	// Whoever kills a worker does not wait for its end.
	end.catch(() => {});
	const start = Promise.race([begun, end.then(() => {})]);
	start.catch(() => {});
	return { pid: child.pid, kill: (signal) => child.kill(signal), said, start, end };
}

/** A worker in this process: for all that does not need one killed. */
export function startLocalWorker(options: WorkerOptions): FleetWorker {
	const stop = new AbortController();
	const said: Said[] = [];
	let began = () => {};
	const start = new Promise<void>((resolve) => {
		began = resolve;
	});
	const end = runWorker(options, stop.signal, (line) => {
		said.push(line);
		if (line.type === 'start') began();
	}).then(() => said.at(-1)!);
	return { pid: process.pid, kill: () => stop.abort(), said, start, end };
}

export interface FleetSite {
	readonly seeds: readonly string[];
	/** All pages of all hosts. */
	readonly pages: number;
	readonly log: readonly TimedRequest[];
	/** Called for every request for a page. */
	onPage: (request: TimedRequest) => void;
	/** Does not answer until `open()`. */
	hold(): void;
	/** Begins to answer. */
	open(): void;
	/** For each host the shortest time from the end of one request to the start of the next; milliseconds. */
	shortestGap(): number;
	close(): Promise<void>;
}

export interface FleetSiteOptions {
	readonly hosts: number;
	/** Of each host. */
	readonly pages: number;
	/** Milliseconds that an answer takes. */
	readonly latency?: number;
	/** Nothing is answered before `open()`. Default false. */
	readonly closed?: boolean;
	/** Each page but the first is linked from another host only. Default false. */
	readonly chained?: boolean;
}

/** Hosts whose pages link to the next pages of their own and, in between, of their neighbour. */
export async function startFleetSite({
	hosts,
	pages,
	latency = 0,
	closed = false,
	chained = false,
}: FleetSiteOptions): Promise<FleetSite> {
	const web = await startTimedWeb(async (request) => {
		const { host, path } = request;
		const page = pageOf(path);
		if (page === undefined || page >= pages) return undefined;
		site.onPage(request);
		await sleep(latency);
		return { headers: { 'Content-Type': 'text/html' }, body: htmlPage(`${host} ${page}`, links(host, page)) };
	});
	if (closed) web.hold();
	const links = (host: string, page: number) => {
		const own = [1, 2, 3].map((more) => page * 3 + more).filter((child) => child < pages);
		const next = (Number(host.slice(1, host.indexOf('.'))) + 1) % hosts;
		if (chained) return page + 1 < pages ? [`http://h${next}.test:${web.port}/p${page + 1}`] : [];
		return [...own, ...(page % 5 === 0 ? [page] : [])].map((number, at) =>
			at < own.length ? `/p${number}` : `http://h${next}.test:${web.port}/p${number}`,
		);
	};
	const names = Array.from({ length: hosts }, (_, at) => `h${at}.test`);
	const site: FleetSite = {
		seeds: names.map((name) => `http://${name}:${web.port}/p0`),
		pages: hosts * pages,
		log: web.log,
		onPage() {},
		hold: () => web.hold(),
		open: () => web.open(),
		shortestGap: () => web.shortestGap(),
		close: () => web.close(),
	};
	return site;
}

function pageOf(path: string): number | undefined {
	const digits = /^\/p(\d+)$/.exec(path)?.[1];
	return digits === undefined ? undefined : Number(digits);
}
