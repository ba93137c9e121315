// HTML in, Markdown with metadata out: CPU time and peak memory, each contestant in a process of its own.
//
//   npm run bench:extract-speed [-- --pages 200]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadPages } from '../packages/extract/scripts/pages.ts';
import { option, showTable } from './measure.ts';

type Way = (html: string, url: string) => Promise<string> | string;

const ways: Record<string, () => Promise<Way>> = {
	async wayleave() {
		const { extract } = await import('@wayleave/extract');
		return (html, url) => extract(html, url).markdown;
	},
	async 'readability+jsdom'() {
		const { Readability } = await import('@mozilla/readability');
		const { JSDOM, VirtualConsole } = await import('jsdom');
		const { default: Turndown } = await import('turndown');
		return (html, url) => {
			const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
			const content = new Readability(window.document).parse()?.content ?? '';
			window.close();
			return new Turndown().turndown(content);
		};
	},
	async 'readability+linkedom'() {
		const { Readability } = await import('@mozilla/readability');
		const { parseHTML } = await import('linkedom');
		const { default: Turndown } = await import('turndown');
		return (html) => {
			const content = new Readability(parseHTML(html).document).parse()?.content ?? '';
			return new Turndown().turndown(content);
		};
	},
	async 'defuddle+linkedom'() {
		const { parseHTML } = await import('linkedom');
		const { Defuddle } = await import('defuddle/node');
		return async (html, url) => {
			const { document } = parseHTML(html);
			return (await Defuddle(document, url, { useAsync: false, markdown: true })).content;
		};
	},
};

interface Figures {
	/** CPU milliseconds for one page: mean and median. */
	mean: number;
	median: number;
	/** MiB. */
	peak: number;
	/** Pages on which it threw. */
	failed: number;
}

async function measure(name: string, count: number): Promise<Figures> {
	const way = await ways[name]!();
	const all = [...loadPages('article'), ...loadPages('mixed').filter((page) => page.independent)];
	const step = all.length / Math.min(count, all.length);
	const pages = Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]!);
	const run = async (html: string, url: string): Promise<boolean> => {
		try {
			await way(html, url);
			return true;
		} catch {
			return false;
		}
	};
	// Peers write warnings for pages they find odd.
	console.warn = () => {};
	console.error = () => {};
	for (const page of pages.slice(0, 20)) await run(page.html(), page.url);
	const times: number[] = [];
	let failed = 0;
	for (const page of pages) {
		const html = page.html();
		const start = process.cpuUsage();
		if (!(await run(html, page.url))) failed++;
		const { user, system } = process.cpuUsage(start);
		times.push((user + system) / 1000);
	}
	const sorted = times.toSorted((a, b) => a - b);
	return {
		mean: times.reduce((sum, time) => sum + time, 0) / times.length,
		median: sorted[sorted.length >> 1]!,
		peak: process.resourceUsage().maxRSS / 1024,
		failed,
	};
}

const only = option('only');
const count = Number(option('pages') ?? 200);
if (only !== undefined) {
	console.log(JSON.stringify(await measure(only, count)));
} else {
	const rows = [['one page', 'CPU ms mean', 'median', 'times ours', 'peak MiB', 'failed']];
	let ours = 0;
	for (const name of Object.keys(ways)) {
		const { stdout } = spawnSync(
			process.execPath,
			[...process.execArgv, fileURLToPath(import.meta.url), '--only', name, '--pages', String(count)],
			{ encoding: 'utf8', maxBuffer: 1 << 26 },
		);
		const figures = JSON.parse(stdout.trim().split('\n').at(-1)!) as Figures;
		if (name === 'wayleave') ours = figures.mean;
		rows.push([
			name,
			figures.mean.toFixed(1),
			figures.median.toFixed(1),
			(figures.mean / ours).toFixed(1),
			figures.peak.toFixed(0),
			String(figures.failed),
		]);
	}
	console.log(showTable(rows));
}
