// The full document of every page, its links and the state of the crawl in SQLite, the documents in a file too.
import { join } from 'node:path';
import { crawl, jsonlSink } from '@wayleave/crawler';
import { report } from './report.mjs';

const [origin, , folder] = process.argv.slice(2);
const crawling = crawl([`${origin}/`], {
	store: `sqlite:${join(folder, 'crawl.db')}`,
	sinks: [jsonlSink(join(folder, 'pages.jsonl'))],
	delay: 0,
	...(process.env.THREADS && { threads: Number(process.env.THREADS) }),
});
const { totals } = await crawling.run();
report(totals.fetched);
