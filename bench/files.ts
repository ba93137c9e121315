import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moveAnchors, pagesByPoppler, scoreAnchors } from './files/anchors.ts';
import { type Engine, type Engines, openEngines } from './files/engines.ts';
import type { KnownSet } from './files/known.ts';
import { type KnownFile, knownFiles, produce } from './files/produce.ts';
import { Random } from './files/random.ts';
import { score } from './files/score.ts';
import { option, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Forty PDF and twenty DOCX files of known text, made by eight programs, through `@wayleave/files` and its peers: words in
// order, headings with their level, cells of tables in place, and anchors of pages next to poppler. Prints the tables of
// results/files.md.
//
// The rules of the package are chosen on four sets. The set that is reported has other words, fonts, sizes, pages, columns,
// headings and tables; nothing was chosen on it.
//
// Needs chromium, libreoffice-writer, weasyprint, wkhtmltopdf, groff, ghostscript, texlive-latex-recommended, lmodern, pandoc,
// poppler-utils, zip, unzip, fonts-noto-cjk, fonts-noto-core, fonts-noto-extra, fonts-urw-base35, fonts-dejavu,
// fonts-liberation, fonts-crosextra-carlito, fonts-crosextra-caladea, fonts-roboto, fonts-ebgaramond, fonts-lato,
// fonts-hosny-amiri and culmus of Debian.
//
// Run: npm run bench:files [-- --set choosing] [--shift 20] [--folder DIR] [--only columns] [--each] [--own]

const sets = ['choosing', 'former', 'third', 'fourth', 'reporting'] as const;
const set: KnownSet = sets.find((name) => name === option('set')) ?? 'reporting';
const only = option('only') ?? '';
const ownOnly = process.argv.includes('--own');
const showsEach = process.argv.includes('--each');
const folder = resolve(option('folder') ?? temporaryFolder());
const all = knownFiles(folder, set, Number(option('shift') ?? 0));
mkdirSync(folder, { recursive: true });
if (!all.every(({ file }) => existsSync(file))) await produce(all, folder);

interface Row {
	readonly file: KnownFile;
	readonly engine: string;
	readonly words: number;
	readonly headings: number | undefined;
	readonly tables: number | undefined;
	readonly pages: number;
	readonly exact: number;
	/** Anchors that were moved to see whether the score tells. */
	readonly moved: number;
	readonly noticed: number;
}

async function measure(file: KnownFile, engine: Engine): Promise<Row> {
	const { known, format } = file;
	const markdown = await engine.read(file.file).catch((error: unknown) => {
		console.log(`${nameOf(file)}: ${engine.name}: ${error instanceof Error ? error.message : error}`);
		return '';
	});
	const { words, headings, tables } = score(known, markdown);
	const hasAnchors = engine.name === 'wayleave' && format === 'pdf';
	const printed = hasAnchors ? pagesByPoppler(file.file) : [];
	const { pages, exact } = scoreAnchors(markdown, printed, known.notes);
	if (hasAnchors || engine.name === 'wayleave') writeFileSync(`${file.file}.found.md`, markdown);
	return {
		file,
		engine: engine.name,
		words,
		headings: engine.structure ? headings : undefined,
		tables: engine.structure && !Number.isNaN(tables) ? tables : undefined,
		pages,
		exact,
		...(hasAnchors ? moveAnchors(markdown, printed, known.notes) : { moved: 0, noticed: 0 }),
	};
}

const nameOf = ({ file }: KnownFile): string => file.slice(folder.length + 1);

function show(format: 'pdf' | 'docx', { [format]: engines }: Engines): void {
	const shown = rows.filter(({ file }) => file.format === format);
	if (shown.length === 0) return;
	const count = new Set(shown.map(({ file }) => file.file)).size;
	console.log(`\n${count} ${format.toUpperCase()} files, ${set} set\n`);
	console.log(
		showTable([
			['', 'words', 'headings', 'cells in place'],
			...engines.map(({ name }) =>
				withIntervals(
					name,
					shown.filter(({ engine }) => engine === name),
				),
			),
		]),
	);
	const own = shown.filter(({ engine }) => engine === 'wayleave');
	const groups = (of: (row: Row) => string) => [...new Set(own.map(of))];
	const table = (label: string, of: (row: Row) => string) =>
		console.log(
			showTable([
				[label, 'words', 'headings', 'cells in place'],
				...groups(of).map((name) =>
					figures(
						name,
						own.filter((row) => of(row) === name),
					),
				),
			]),
		);
	table('kind', ({ file }) => file.known.kind);
	table('producer', ({ file }) => file.producer);
	if (format === 'pdf') showAnchors(own);
	if (showsEach) table('file', ({ file }) => nameOf(file));
}

/** Of the engines as a whole, with the interval in which 95 of 100 means of files drawn again are. */
const withIntervals = (name: string, of: readonly Row[]): string[] => [
	name,
	...[of.map(({ words }) => words), of.map(({ headings }) => headings), of.map(({ tables }) => tables)].map(
		(values) => `${mean(values)}${interval(values)}`,
	),
];

function interval(values: readonly (number | undefined)[]): string {
	const known = values.filter((value) => value !== undefined);
	if (known.length < 2) return '';
	const random = new Random(1);
	const means = Array.from(
		{ length: 4000 },
		() => known.reduce((sum) => sum + random.pick(known), 0) / known.length,
	).sort((a, b) => a - b);
	return ` (${means[100]?.toFixed(3)}–${means[3899]?.toFixed(3)})`;
}

const figures = (name: string, of: readonly Row[]): string[] => [
	name,
	mean(of.map(({ words }) => words)),
	mean(of.map(({ headings }) => headings)),
	mean(of.map(({ tables }) => tables)),
];

function mean(values: readonly (number | undefined)[]): string {
	const known = values.filter((value) => value !== undefined);
	return known.length === 0 ? '' : (known.reduce((sum, value) => sum + value, 0) / known.length).toFixed(3);
}

function showAnchors(own: readonly Row[]): void {
	const sum = (of: (row: Row) => number) => own.reduce((total, row) => total + of(row), 0);
	console.log(`anchors exact: ${sum(({ exact }) => exact)} of ${sum(({ pages }) => pages)} pages`);
	console.log(`moved by five words: ${sum(({ noticed }) => noticed)} of ${sum(({ moved }) => moved)} noticed`);
	for (const row of own.filter(({ pages, exact }) => exact < pages))
		console.log(`  ${nameOf(row.file)}: ${row.exact} of ${row.pages}`);
}

const rows: Row[] = [];
const engines = await openEngines();
for (const file of all.filter(({ file }) => file.includes(only)))
	for (const engine of engines[file.format].slice(0, ownOnly ? 1 : undefined)) rows.push(await measure(file, engine));
await engines.close();
for (const format of ['pdf', 'docx'] as const) show(format, engines);
writeFileSync(
	join(folder, `rows-${set}.json`),
	JSON.stringify(rows.map(({ file, ...row }) => ({ ...row, name: nameOf(file) }))),
);
