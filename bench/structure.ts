// How much of a page's structure survives extraction: code, tables, headings, lists, formulas, links, notes.
//
//   npm run bench:structure [-- --peers defuddle,readability+turndown] [--limit 20] [--generators] [--out FILE.json]
//
// The pages are other people's sites with the Markdown that they were built from. They and their scorer lie beside a
// checkout (`data/pages/structure`), never in it.
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sharedPath } from '../scripts/shared.ts';
import { Contestant, mishaps } from './extract-peers.ts';
import { option, showTable, some } from './measure.ts';

/** Generators whose pages decided between rules. The others were only looked at for the report. */
const chosenOn = new Set(['MkDocs', 'mdBook', 'pkgdown', 'Quarto', 'Hugo', 'Hexo']);

interface Page {
	url: string;
	generator: string;
}

const file = sharedPath('data/pages/structure/truth.json');
if (file === undefined) {
	console.error('Skipped: the structure set (../shared/data/pages/structure) is not beside this checkout.');
	process.exit(3);
}
const folder = dirname(realpathSync(file));
const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Page>;
const pages = Object.fromEntries(some(Object.entries(all), option('limit')));
const html = (id: string): string => gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8');

const peers = (option('peers') ?? 'defuddle,readability+turndown').split(',').filter((name) => name !== '');
const contestants = ['wayleave', ...peers].map((name) => new Contestant(name));

type Cell = readonly [mean: number, count: number];
interface Scorer {
	MEASURES: readonly string[];
	scoreAll(truth: object, found: object): { groups: Record<string, Record<string, Cell | undefined> | undefined> };
}
// The scorer takes its Markdown parser from the working directory.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { MEASURES, scoreAll } = (await import(pathToFileURL(join(folder, 'score.mjs')).href)) as Scorer;

const extracted: Record<string, Record<string, string>> = {};
for (const contestant of contestants) {
	const found: Record<string, string> = {};
	for (const [id, { url }] of Object.entries(pages)) found[id] = (await contestant.find(html(id), url)).markdown;
	contestant.close();
	extracted[contestant.name] = found;
}
const out = option('out');
if (out !== undefined) writeFileSync(out, JSON.stringify(extracted));

const halves: Record<string, (page: Page) => boolean> = {
	'all generators': () => true,
	'generators that chose the rules': ({ generator }) => chosenOn.has(generator),
	'other generators': ({ generator }) => !chosenOn.has(generator),
};
for (const [name, belongs] of Object.entries(halves)) {
	const half = Object.fromEntries(Object.entries(pages).filter(([, page]) => belongs(page)));
	if (Object.keys(half).length === 0) continue;
	const generators = [...new Set(Object.values(half).map(({ generator }) => generator))];
	const results = contestants.map((one) => scoreAll(half, extracted[one.name] ?? {}).groups);
	console.log(`\n${name}, ${Object.keys(half).length} pages: ${generators.join(', ')}\n\n${tableOf('all', results)}`);
	if (name === 'all generators' && process.argv.includes('--generators'))
		for (const generator of generators) console.log(`\n${generator}\n\n${tableOf(generator, results)}`);
}
const lines = mishaps(contestants);
if (lines.length > 0) console.log(`\n${lines.join('\n')}`);

function tableOf(group: string, results: readonly ReturnType<Scorer['scoreAll']>['groups'][]): string {
	const rows = [['', 'elements', ...contestants.map(({ name }) => name)]];
	for (const measure of MEASURES) {
		const cells = results.map((groups) => groups[group]?.[measure]);
		const count = cells[0]?.[1];
		if (count === undefined) continue;
		rows.push([measure, String(count), ...cells.map((cell) => (cell === undefined ? '–' : cell[0].toFixed(3)))]);
	}
	return showTable(rows);
}
