import { crawlWith } from '../engine/crawl.ts';
import { simpleReader } from './simple-reader.ts';

// One watched crawl in a process of its own, which a test can kill. Arguments: seed, store, addresses of receivers.

const [seed = '', store = '', ...urls] = process.argv.slice(2);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const crawling = crawlWith(simpleReader, [seed], {
	store,
	delay: 0,
	concurrency: 8,
	watch: { receivers: urls.map((url) => ({ url, secret })) },
});
const { totals, complete } = await crawling.run();
console.log(JSON.stringify({ totals, complete }));
