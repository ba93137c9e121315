import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { allocatedBytes } from './allocation.ts';
import { type KnownThreads, type Role, secondsByRole, type ThreadTimes, ThreadWatch } from './threads.ts';

/** Pages that count as the beginning: most of what is compiled is compiled within them. */
export const firstPages = 100;

/** Processor time between two numbers of pages served. */
export interface Span {
	readonly pages: number;
	/** Seconds, all threads. */
	readonly cpu: number;
	readonly byRole: Readonly<Record<Role, number>>;
}

export interface Figures {
	readonly pages: number;
	/** Seconds, all threads. */
	readonly cpu: number;
	readonly seconds: number;
	/** MiB at most. */
	readonly rss: number;
	readonly first: Span;
	readonly lastHalf: Span;
	readonly whole: Span;
	/** Bytes, of the main thread and of all others. */
	readonly allocated: readonly [number, number] | undefined;
}

interface Contestant {
	readonly command: string;
	readonly args: readonly string[];
	readonly more?: readonly string[];
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const node = (name: string, flags: readonly string[] = [], more: readonly string[] = []): Contestant => ({
	command: process.execPath,
	args: [...flags, path(name)],
	more,
});

export const hasScrapy = spawnSync('scrapy', ['version']).status === 0;

export const contestants: Readonly<Record<string, Contestant>> = {
	wayleave: node('wayleave.cjs', ['--expose-gc', '--trace-gc']),
	undici: node('undici.mjs'),
	'crawlee, text': node('crawlee.mjs', [], ['text']),
	'crawlee, readability': node('crawlee.mjs', [], ['readability']),
	...(hasScrapy && { scrapy: { command: '/usr/bin/python3', args: [path('scrapy_site.py')] } }),
};

export interface Site {
	readonly child: ChildProcess;
	readonly origin: string;
	/** Of a page, on average. */
	readonly bytes: number;
}

export async function startSite(pages: number): Promise<Site> {
	const args = ['--conditions=wayleave-source', '--import', 'tsx', path('site.ts'), String(pages)];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
	const [line] = await once(createInterface(child.stdout as Readable), 'line');
	return { child, ...JSON.parse(line) };
}

/** Lets one contestant crawl the whole site, in a process and a folder of its own. */
export async function measure(name: string, site: Site, pages: number): Promise<Figures> {
	const contestant = contestants[name];
	if (contestant === undefined) throw new Error(`${name} is not one of ${Object.keys(contestants).join(', ')}`);
	const { command, args, more = [] } = contestant;
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-crawl-'));
	site.child.send([firstPages, pages / 2]);
	// Peers that look for settings find none in the folder.
	const child = spawn(command, [...args, site.origin, String(pages), folder, ...more], {
		cwd: folder,
		stdio: ['ignore', 'pipe', process.env.DEBUG ? 'inherit' : 'ignore', 'pipe'],
	});
	try {
		const figures = await watch(child, site, pages);
		if (figures.pages !== pages) console.error(`${name} found ${figures.pages} of ${pages} pages (DEBUG=1 shows more)`);
		return figures;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function watch(child: ChildProcess, site: Site, pages: number): Promise<Figures> {
	const { pid = 0 } = child;
	const watch = new ThreadWatch(pid);
	const marks = new Map<number, ThreadTimes>();
	const onServed = (served: number) => marks.set(served, watch.look());
	site.child.on('message', onServed);
	const [trace, said] = await Promise.all([text(child.stdout as Readable), text(child.stdio[3] as Readable)]);
	site.child.off('message', onServed);
	const end = watch.stop();
	const lines = said.split('\n').filter((line) => line !== '');
	const known: Partial<Record<Role, number[]>> = {};
	let done = { pages: 0, cpu: 0, seconds: 0, rss: 0 };
	for (const { threads, ...rest } of lines.map((line) => JSON.parse(line))) {
		for (const [role, tids] of Object.entries<number[]>(threads ?? {}))
			known[role as Role] = [...(known[role as Role] ?? []), ...tids];
		if (threads === undefined) done = rest;
	}
	const span = (from: ThreadTimes | undefined, to: ThreadTimes | undefined, count: number): Span =>
		spanOf(pid, known, from, to, count);
	const [main, ...others] = allocatedBytes(trace);
	return {
		...done,
		first: span(undefined, marks.get(firstPages), firstPages),
		lastHalf: span(marks.get(pages / 2), { ...end, all: done.cpu }, pages / 2),
		whole: span(undefined, { ...end, all: done.cpu }, pages),
		allocated: main === undefined ? undefined : [main, others.reduce((sum, bytes) => sum + bytes, 0)],
	};
}

const nothing: ThreadTimes = { all: 0, threads: new Map() };

function spanOf(
	pid: number,
	known: KnownThreads,
	from: ThreadTimes = nothing,
	to: ThreadTimes = nothing,
	pages: number,
): Span {
	return { pages, cpu: to.all - from.all, byRole: secondsByRole(pid, known, from.threads, to.threads) };
}
