// A whole crawl with a store that is filled already: `node crawl.mjs STORE ORIGIN PAGES` prints the milliseconds of a page
// once a quarter of them has warmed it up, and the largest resident size in MiB.
import { crawl } from '../../packages/crawler/dist/index.js';

const [store, origin, count] = process.argv.slice(2);
const pages = Number(count);
const warm = pages / 4;
let fetched = 0;
let from = 0;
let until = 0;
for await (const { outcome } of crawl([`${origin}/`], { store, delay: 0, maxPages: pages })) {
	if (outcome !== 'fetched') continue;
	if (++fetched === warm) from = performance.now();
	until = performance.now();
}
if (fetched !== pages) throw new Error(`${fetched} of ${pages} pages`);
console.log(JSON.stringify({ ms: (until - from) / (pages - warm), mib: process.resourceUsage().maxRSS / 1024 }));
