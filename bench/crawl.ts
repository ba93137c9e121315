// Crawling one loopback site of real pages: CPU, speed and memory of the whole process, beside the peers, in one run; where
// wayleave's time goes; and what single commands cost. Prints the tables of results/crawl.md.
//
//   npm run bench:crawl [-- --pages 2000,10000] [--only wayleave+undici] [--rounds 3] [--cold no]
import { coldStarts } from './crawl/cold.ts';
import { contestants, type Figures, measure, startSite } from './crawl/contest.ts';
import { allocationLine, coldTable, contestTable, threadTable } from './crawl/tables.ts';
import { option } from './measure.ts';

const names = option('only')?.split('+') ?? Object.keys(contestants);
const rounds = Number(option('rounds') ?? 1);

for (const pages of (option('pages') ?? '2000,10000').split(',').map(Number)) {
	const site = await startSite(pages);
	const title = `*${pages} pages of ${(site.bytes / 1000).toFixed(0)} kB*`;
	const results = new Map<string, Figures[]>(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round++)
		for (const name of names) results.get(name)?.push(await measure(name, site, pages));
	site.child.kill();
	console.log(`${contestTable(title, results)}\n`);
	const own = results.get('wayleave');
	if (own !== undefined) console.log(`${threadTable(title, own)}\n\n${allocationLine(own)}\n`);
}
if (option('cold') !== 'no') {
	const site = await startSite(1);
	console.log(coldTable(coldStarts(site.origin)));
	site.child.kill();
}
