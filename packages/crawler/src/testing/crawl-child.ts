import { crawlWith } from '../engine/crawl.ts';
import { readPage } from '../read/read-page.ts';
import { jsonlSink } from '../sinks/jsonl.ts';
import { warcSink } from '../warc/write/sink.ts';
import { simpleReader } from './simple-reader.ts';

// Crawls in a process of its own, which a test can kill or weigh. Arguments: seed, store, file, `simple` or `full`, and
// perhaps an archive.

const [seed = '', store = '', out = '', reader = 'full', warc] = process.argv.slice(2);
const crawling = crawlWith(reader === 'simple' ? simpleReader : readPage, [seed], {
	store,
	sinks: [jsonlSink(out), ...(warc === undefined ? [] : [warcSink(warc)])],
	delay: 0,
	concurrency: 8,
});
/** Megabytes, after the collector has had its chance. */
const memory = () => {
	(globalThis as { gc?: () => void }).gc?.();
	return Math.round(process.memoryUsage().rss / 1e6);
};
let done = 0;
crawling.on('page', () => {
	done++;
	if (done === 1000 || done % 10_000 === 0) console.log(JSON.stringify({ pages: done, rss: memory() }));
});
const { mode, totals, requests, milliseconds } = await crawling.run();
const { user, system } = process.cpuUsage();
console.log(
	JSON.stringify({ mode, totals, requests, milliseconds, cpu: Math.round((user + system) / 1000), rss: memory() }),
);
