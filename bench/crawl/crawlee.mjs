// Crawlee's CheerioCrawler with its default storage; the content as plain text or by Readability.
import { Readability } from '@mozilla/readability';
import { CheerioCrawler, Configuration, log } from 'crawlee';
import { parseHTML } from 'linkedom';
import { report } from './report.mjs';

const [origin, , folder, way] = process.argv.slice(2);
log.setLevel(log.LEVELS.ERROR);
Configuration.getGlobalConfig().set('storageClientOptions', { localDataDirectory: folder });

const contentOf = {
	text: (page) => page('body').text(),
	readability: (_, html) => new Readability(parseHTML(html).document).parse()?.textContent ?? '',
}[way];
let pages = 0;
const crawler = new CheerioCrawler({
	respectRobotsTxtFile: true,
	minConcurrency: 8,
	maxConcurrency: 8,
	async requestHandler({ $, body, request, pushData, enqueueLinks }) {
		pages++;
		await pushData({ url: request.url, title: $('title').text(), text: contentOf($, String(body)) });
		await enqueueLinks({ strategy: 'same-hostname' });
	},
});
await crawler.run([`${origin}/`]);
report(pages);
