import { crawlWaste, startWasteSite } from '../packages/crawler/src/testing/waste-site.ts';
import { honest } from './waste/honest.ts';
import type { Site } from './waste/site.ts';
import { everythingSite, facetedShop, parameterSite, traps } from './waste/traps.ts';

// Counts the requests of a crawl that bring nothing, on sites built to waste them, and what the crawl misses on sites
// that only look like traps. Run: npm run bench:waste [-- --only NAME] [--most 500]. Exits with 1 if a target is
// missed.

const option = (name: string) => {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? undefined : process.argv[at + 1];
};
const most = Number(option('most') ?? 1000);
const only = option('only');

interface Measured {
	readonly name: string;
	readonly asked: number;
	readonly pages: number;
	readonly lost: readonly string[];
}

/** @param delay milliseconds between requests; 0 sends eight at a time */
async function measure({ name, serve, says }: Site): Promise<Measured> {
	const site = await startWasteSite(serve);
	try {
		const { results } = await crawlWaste(site, { maxPages: most });
		const texts = results.flatMap(({ document }) => document?.content.markdown ?? []);
		const all = texts.join('\n').replaceAll(/\s+/g, ' ');
		return { name, asked: site.asked.length, pages: says.length, lost: says.filter((text) => !all.includes(text)) };
	} finally {
		await site.close();
	}
}

async function table(title: string, sites: readonly Site[]): Promise<Measured[]> {
	console.log(`\n${title}\n${'requests'.padStart(9)}${'pages'.padStart(7)}${'lost'.padStart(6)}`);
	const rows: Measured[] = [];
	for (const site of sites) {
		if (only !== undefined && !site.name.includes(only)) continue;
		const row = await measure(site);
		rows.push(row);
		console.log(
			`${String(row.asked).padStart(9)}${String(row.pages).padStart(7)}${String(row.lost.length).padStart(6)}  ${row.name}`,
		);
	}
	return rows;
}

const sum = (rows: readonly Measured[], of: (row: Measured) => number): number =>
	rows.reduce((all, row) => all + of(row), 0);

const trapRows = await table('Hosts with an endless space', traps);
const asked = sum(trapRows, (row) => row.asked);
const wasted = asked - sum(trapRows, (row) => row.pages - row.lost.length);
const parameterRows = await table('A hundred pages, ?ref= on each link', [parameterSite(true), parameterSite(false)]);
const everythingRows = await table('A site that answers every address with one page', [everythingSite]);
const shopRows = await table('Filters in any order', [facetedShop]);
const honestRows = await table('Honest sites', honest);

const worst = (rows: readonly Measured[], of: (row: Measured) => number) => Math.max(0, ...rows.map(of));
const targets: readonly (readonly [string, number, number])[] = [
	['of requests on trap hosts wasted, percent', asked === 0 ? 0 : (100 * wasted) / asked, 10],
	['requests a page on the parameter site', worst(parameterRows, (row) => row.asked / row.pages), 1.3],
	['requests on the site that answers everything', worst(everythingRows, (row) => row.asked), 30],
	['requests a page on the faceted shop', worst(shopRows, (row) => row.asked / row.pages), 2],
	[
		'real pages lost',
		sum([...trapRows, ...parameterRows, ...everythingRows, ...shopRows, ...honestRows], (row) => row.lost.length),
		0,
	],
];
console.log('');
for (const [name, value, limit] of targets) {
	const isMet = value <= limit;
	console.log(
		`${isMet ? 'met   ' : 'MISSED'} ${value.toFixed(value % 1 === 0 ? 0 : 2).padStart(6)} ${name} (at most ${limit})`,
	);
	if (!isMet) process.exitCode = 1;
}
for (const { name, lost } of [...trapRows, ...honestRows])
	if (lost.length > 0) console.log(`lost on ${name}: ${lost.slice(0, 3).join('; ')}`);
