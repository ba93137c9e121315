import { readdirSync, readFileSync } from 'node:fs';
import type { FileCost } from '@wayleave/files';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';
import { expect, it, vi } from 'vitest';
import { damagedFiles, type HostileFile, hostileFiles, kindOfName } from '../../../files/src/testing/hostile.ts';
import { readPage } from '../read/read-page.ts';
import { openStore } from '../store/sql/open.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const costs: FileCost[] = [];
vi.mock(import('@wayleave/files'), async (load) => {
	const files = await load();
	return {
		...files,
		openFileReader: (options) => files.openFileReader({ ...options, onCost: (cost) => costs.push(cost) }),
	};
});

const sites = useSites();
const fixtures = new URL('../../../files/src/testing/fixtures/', import.meta.url);
const count = 500;
/** As a document, as a copy of another file, or with a reason. */
const ended =
	/^(?:fetched|out-of-scope alias|failed (?:pdf-without-text|file-damaged|file-encrypted|file-over-limit|too-large|unsupported-type))$/;
/** Largest resident size of the processes that this one has started to read files, in MiB. */
function childPeak(): number {
	let peak = 0;
	for (const thread of readdirSync('/proc/self/task'))
		for (const id of childrenOf(thread)) {
			try {
				if (!/\/child\.[jt]s\b/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8'))) continue;
				const [, size] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
				peak = Math.max(peak, Number(size ?? 0) / 1024);
			} catch {
				// It has ended meanwhile.
			}
		}
	return peak;
}

function childrenOf(thread: string): string[] {
	try {
		return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean);
	} catch {
		// The thread has ended meanwhile.
		return [];
	}
}

function fiveHundred(): HostileFile[] {
	const good = readdirSync(fixtures)
		.filter((name) => !name.endsWith('.md'))
		.map(
			(name): HostileFile => ({
				name,
				kind: kindOfName(name),
				bytes: readFileSync(new URL(name, fixtures)),
			}),
		);
	const hostile = hostileFiles();
	return [...hostile, ...damagedFiles(good, count - hostile.length)];
}

it('a crawl of 500 damaged and hostile files goes on: each ends as a document or with a reason', async () => {
	const files = fiveHundred();
	const address = (at: number) => `/${at}.${files[at]?.kind}`;
	await sites.serve({
		'h.test/': htmlPage('Home', [...files.keys()].map(address)),
		...Object.fromEntries(
			files.map(({ kind, bytes }, at) => [
				`h.test${address(at)}`,
				{ headers: { 'Content-Type': mediaTypeOfFile(`.${kind}`) ?? '' }, body: Buffer.from(bytes) },
			]),
		),
	});
	const store = await openStore('memory');
	let [own, child] = [0, 0];
	const watch = setInterval(() => {
		own = Math.max(own, process.memoryUsage.rss() / 2 ** 20);
		child = Math.max(child, childPeak());
	}, 50);
	const before = process.memoryUsage.rss() / 2 ** 20;
	const { ends, results } = await sites.crawl(['h.test/'], { store }, readPage);
	clearInterval(watch);
	await store.close();
	const found = files.map(({ name }, at) => ({ name, end: ends[`h.test${address(at)}`] ?? 'missing' }));
	const sums = Object.fromEntries([...new Set(found.map(({ end }) => end))].map((end) => [end, 0]));
	for (const { end } of found) sums[end] = (sums[end] ?? 0) + 1;
	const seconds = Math.max(...costs.map((cost) => cost.seconds));
	console.log(sums);
	console.log(
		`${costs.length} measured; at most ${seconds.toFixed(2)} s of CPU; child ${child.toFixed(0)} MiB; crawler ${before.toFixed(0)} → ${own.toFixed(0)} MiB`,
	);
	expect(files).toHaveLength(count);
	expect(found.filter(({ end }) => !ended.test(end))).toEqual([]);
	// Most are read in the process, and not stopped before by their first bytes.
	expect(costs.length).toBeGreaterThan(count * 0.8);
	expect(child).toBeGreaterThan(0);
	expect(seconds).toBeLessThan(5);
	expect(child).toBeLessThan(1024 + 200);
	expect(own - before).toBeLessThan(700);
	const secrets = results.filter(({ document }) => document?.content.markdown.includes('Secret'));
	expect(secrets.map(({ url }) => url)).toEqual([]);
});
