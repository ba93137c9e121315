// Crawling one loopback site of real pages: CPU, speed and memory of the whole process, beside the peers, in one run.
//
//   npm run bench:crawl [-- --pages 3000,10000] [--only wayleave,undici] [--rounds 3]
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { middle, option, showTable } from './measure.ts';

interface Figures {
	pages: number;
	/** Seconds, all threads. */
	cpu: number;
	seconds: number;
	/** MiB at most. */
	rss: number;
}

const path = (name: string): string => fileURLToPath(new URL(`crawl/${name}`, import.meta.url));
const node = (name: string, ...more: string[]) => ({ command: process.execPath, file: path(name), more });

const contestants: Record<string, { command: string; file: string; more: string[] }> = {
	wayleave: node('wayleave.mjs'),
	undici: node('undici.mjs'),
	'crawlee, text': node('crawlee.mjs', 'text'),
	'crawlee, readability': node('crawlee.mjs', 'readability'),
};
if (spawnSync('scrapy', ['version']).status === 0)
	contestants.scrapy = { command: '/usr/bin/python3', file: path('scrapy_site.py'), more: [] };

async function startSite(pages: number): Promise<{ site: ChildProcess; origin: string; bytes: number }> {
	const arguments_ = ['--conditions=wayleave-source', '--import', 'tsx', path('site.ts'), String(pages)];
	const site = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
	const [line] = await once(createInterface(site.stdout!), 'line');
	return { site, ...JSON.parse(line) };
}

async function measure(name: string, origin: string, pages: number): Promise<Figures> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-crawl-'));
	const { command, file, more } = contestants[name]!;
	try {
		const child = spawn(command, [file, origin, String(pages), folder, ...more], {
			stdio: ['ignore', 'pipe', process.env.DEBUG ? 'inherit' : 'ignore'],
			// Peers that look for settings find none.
			cwd: folder,
		});
		const lines: string[] = [];
		createInterface(child.stdout).on('line', (line) => lines.push(line));
		await once(child, 'close');
		const figures = JSON.parse(lines.at(-1) ?? '{}') as Figures;
		if (figures.pages !== pages) console.error(`${name} found ${figures.pages} of ${pages} pages (DEBUG=1 shows more)`);
		return figures;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

for (const pages of (option('pages') ?? '3000,10000').split(',').map(Number)) {
	const { site, origin, bytes } = await startSite(pages);
	const names = option('only')?.split('+') ?? Object.keys(contestants);
	const figures = new Map<string, Figures[]>(names.map((name) => [name, []]));
	for (let round = 0; round < Number(option('rounds') ?? 1); round++)
		for (const name of names) figures.get(name)!.push(await measure(name, origin, pages));
	site.kill();
	const rows = [
		[`${pages} pages of ${(bytes / 1000).toFixed(0)} kB`, 'CPU ms a page', 'pages/s', 'cores', 'MiB', 'CPU, ours = 1'],
	];
	const perPage = (name: string): number =>
		middle(figures.get(name)!.map(({ cpu, pages: done }) => (cpu * 1000) / done));
	for (const [name, all] of figures) {
		const of = (value: (one: Figures) => number) => middle(all.map(value));
		rows.push([
			name,
			perPage(name).toFixed(2),
			of((one) => one.pages / one.seconds).toFixed(0),
			of((one) => one.cpu / one.seconds).toFixed(2),
			of((one) => one.rss).toFixed(0),
			figures.has('wayleave') ? (perPage(name) / perPage('wayleave')).toFixed(2) : '',
		]);
	}
	console.log(`${showTable(rows)}\n`);
}
