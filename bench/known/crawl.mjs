// A whole crawl with a store that is filled already: `node crawl.mjs STORE ORIGIN PAGES` prints the milliseconds of a page,
// of all and of the later half, and the largest resident size in MiB.
import { crawl } from '../../packages/crawler/dist/index.js';

const [store, origin, count] = process.argv.slice(2);
const pages = Number(count);
const from = performance.now();
let fetched = 0;
let half = 0;
for await (const { outcome } of crawl([`${origin}/`], { store, delay: 0, maxPages: pages }))
	if (outcome === 'fetched' && ++fetched === pages / 2) half = performance.now();
const until = performance.now();
if (fetched !== pages) throw new Error(`${fetched} of ${pages} pages`);
const all = (until - from) / pages;
const late = (until - half) / (pages / 2);
console.log(JSON.stringify({ all, late, mib: process.resourceUsage().maxRSS / 1024 }));
