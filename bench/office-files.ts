import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openFileReader } from '@wayleave/files';
import { extractWhole } from '../packages/extract/src/index.ts';
import { type Known, knownDocument, knownKinds } from './files/known.ts';
import { score } from './files/score.ts';
import { picture, toMarkdown } from './files/write.ts';
import { option, showTable } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Known documents of ten kinds as EPUB, ODT and PPTX files by pandoc and LibreOffice, through `@wayleave/files` and pandoc, which
// reads the first two: words in order, headings with their level, cells of tables in place. Prints the tables of
// results/files.md.
//
// Needs pandoc and libreoffice-writer of Debian.
//
// Run: npm run bench:office-files [-- --shift 20] [--folder DIR]

const firstSeed = 31_900;
const folder = resolve(option('folder') ?? temporaryFolder());
const shift = Number(option('shift') ?? 0);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'picture.png'), Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));

type Format = 'epub' | 'odt' | 'pptx';

const run = (program: string, args: readonly string[]): string =>
	execFileSync(program, args, {
		cwd: folder,
		encoding: 'utf8',
		maxBuffer: 1 << 28,
		stdio: ['ignore', 'pipe', 'ignore'],
	});

const files = openFileReader();
const engines: Readonly<Record<string, (file: string, format: Format) => Promise<string> | undefined>> = {
	async wayleave(file, format) {
		const { html, pages } = await files.read(readFileSync(file), format);
		return extractWhole(html, `https://known.test/file.${format}`, { format, ...(pages !== undefined && { pages }) })
			.markdown;
	},
	pandoc: (file, format) =>
		format === 'pptx' ? undefined : Promise.resolve(run('pandoc', ['-f', format, '-t', 'gfm', '--wrap=none', file])),
};

function make(known: Known): { readonly producer: string; readonly format: Format; readonly file: string }[] {
	const name = `${known.kind}-${known.seed}`;
	writeFileSync(join(folder, `${name}.md`), toMarkdown(known));
	const metadata = ['--metadata', `lang=${known.language}`, '--metadata', `author=${known.author}`];
	const byPandoc = (format: Format) => {
		const file = join(folder, `${name}-pandoc.${format}`);
		run('pandoc', ['-f', 'markdown', ...metadata, '-o', file, `${name}.md`]);
		return { producer: 'pandoc', format, file };
	};
	const made = (['epub', 'odt', 'pptx'] as const).map(byPandoc);
	run('pandoc', ['-f', 'markdown', ...metadata, '-o', `${name}.docx`, `${name}.md`]);
	const profile = `-env:UserInstallation=file://${join(folder, 'office')}`;
	run('soffice', [profile, '--headless', '--convert-to', 'odt', '--outdir', join(folder, 'out'), `${name}.docx`]);
	const file = join(folder, `${name}-libreoffice.odt`);
	copyFileSync(join(folder, 'out', `${name}.odt`), file);
	return [...made, { producer: 'libreoffice', format: 'odt', file }];
}

interface Row {
	readonly group: string;
	readonly engine: string;
	readonly scores: readonly number[];
	readonly name: string;
}

const rows: Row[] = [];
for (const [at, kind] of knownKinds.entries()) {
	const known = knownDocument(kind, firstSeed + at + shift, 'reporting');
	for (const { producer, format, file } of make(known))
		for (const [engine, read] of Object.entries(engines)) {
			const markdown = await read(file, format);
			if (markdown === undefined) continue;
			writeFileSync(`${file}.${engine}.md`, markdown);
			const { words, headings, tables } = score(known, markdown);
			// A title has no level, and pandoc writes some tables as HTML with attributes, which the score does not read.
			const shown = [words, format === 'pptx' ? Number.NaN : headings, engine === 'pandoc' ? Number.NaN : tables];
			rows.push({ group: `${format} by ${producer}`, engine, scores: shown, name: file });
		}
}
await files.close();

const mean = (values: readonly number[]): string => {
	const known = values.filter((value) => !Number.isNaN(value));
	return known.length === 0 ? '' : (known.reduce((sum, value) => sum + value, 0) / known.length).toFixed(3);
};
const table = (engine: string, group: string): string[] => {
	const found = rows.filter((row) => row.engine === engine && row.group === group);
	return [
		`${group}, ${engine}`,
		String(found.length),
		...[0, 1, 2].map((at) => mean(found.map(({ scores }) => scores[at] ?? Number.NaN))),
	];
};
const groups = [...new Set(rows.map(({ group }) => group))].sort();
console.log(
	showTable([
		['', 'files', 'words', 'headings', 'cells in place'],
		...groups.flatMap((group) =>
			Object.keys(engines)
				.filter((engine) => rows.some((row) => row.engine === engine && row.group === group))
				.map((engine) => table(engine, group)),
		),
	]),
);
for (const { name, engine, scores } of rows)
	if (engine === 'wayleave' && scores.some((value) => value < 0.98))
		console.log(name.slice(folder.length + 1), ...scores.map((value) => value.toFixed(3)));
