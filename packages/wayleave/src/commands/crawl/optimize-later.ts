import { setFlagsFromString } from 'node:v8';
import type { Crawl } from '@wayleave/crawler';

/** Bytes of executed bytecode before V8 optimizes a function: its own default in Node 20, and the one for the first pages. */
const usual = 66 * 1024;
const atFirst = 300_000;
/** After so many pages nearly all functions have seen what there is to see. */
const firstPages = 400;

/**
 * Lets V8 optimize later during the first pages of a crawl. What it optimizes early it has to optimize again at the next
 * page of another kind. Versions of V8 after that of Node 20 lack the flag.
 */
export function optimizeLaterAtFirst(crawling: Crawl): void {
	if (!process.versions.v8.startsWith('11.')) return;
	setFlagsFromString(`--interrupt-budget=${atFirst}`);
	let pages = 0;
	const stop = crawling.on('page', () => {
		if (++pages < firstPages) return;
		stop();
		setFlagsFromString(`--interrupt-budget=${usual}`);
	});
}
