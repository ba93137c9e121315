import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { writeDocx } from './docx.ts';
import { type Known, type KnownKind, type KnownSet, knownDocument, knownKinds } from './known.ts';
import { styleSheet } from './styles.ts';
import { picture, toHtml, toMarkdown } from './write.ts';

export interface KnownFile {
	readonly known: Known;
	readonly producer: string;
	readonly file: string;
	readonly format: 'pdf' | 'docx';
}

const firstSeed: Readonly<Record<KnownSet, number>> = { choosing: 100, former: 7300, reporting: 52_700 };

/** Four PDF producers for each kind; tagged and untagged files take turns. */
function pdfProducers(kind: KnownKind, seed: number, set: KnownSet): string[] {
	const isEven = seed % 2 === 0;
	const chromium = isEven ? ['chromium-tagged', 'chromium'] : ['chromium', 'chromium-tagged'];
	const office = isEven ? ['libreoffice-tagged', 'libreoffice'] : ['libreoffice', 'libreoffice-tagged'];
	// WeasyPrint 57 writes wrong characters for Hebrew and Arabic (no program finds the words in its files), and groff has
	// no fonts for them, nor for Chinese.
	if (kind === 'rtl') return [...chromium, ...office];
	if (kind === 'cjk') return [...chromium, ...office.slice(0, 1), 'weasyprint'];
	if (set === 'reporting')
		return [...chromium.slice(0, 1), ...office.slice(0, 1), seed % 3 === 0 ? 'groff' : 'weasyprint', 'tex'];
	return [
		...chromium.slice(0, 1),
		...office.slice(0, 1),
		'weasyprint',
		'groff',
		...(set === 'choosing' ? ['tex'] : []),
	];
}

/** Two of the three DOCX producers for each kind. */
const docxProducers = (at: number): string[] =>
	['pandoc', 'docx', 'libreoffice'].filter((_, place) => place !== at % 3);

/**
 * Lists the forty or more PDF and twenty DOCX files of a set; `produce` writes them.
 *
 * @param shift added to the seeds: other files of the same set
 */
export function knownFiles(folder: string, set: KnownSet, shift = 0): KnownFile[] {
	return knownKinds.flatMap((kind, at) => {
		const seed = firstSeed[set] + at + shift;
		const entry = (format: 'pdf' | 'docx') => (producer: string, variant: number) => ({
			known: knownDocument(kind, seed + variant * variantStep(kind), set),
			producer,
			format,
			file: join(folder, `${kind}-${producer}.${format}`),
		});
		return [...pdfProducers(kind, seed, set).map(entry('pdf')), ...docxProducers(at).map(entry('docx'))];
	});
}

/** Chinese, Japanese and Korean, and Arabic and Hebrew, take turns from file to file. */
const variantStep = (kind: KnownKind): number => (kind === 'cjk' || kind === 'rtl' ? 7 : 0);

const sourceName = ({ kind, seed }: Known, extension: string): string => `${kind}-${seed}.${extension}`;

/** Writes known documents by Chromium, LibreOffice, WeasyPrint, groff, TeX, pandoc and the `docx` package. */
export async function produce(files: readonly KnownFile[], folder: string): Promise<void> {
	mkdirSync(join(folder, 'sources'), { recursive: true });
	writeFileSync(join(folder, 'picture.png'), Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));
	for (const { known } of files) writeFileSync(join(folder, sourceName(known, 'md')), toMarkdown(known));
	await printByChromium(files.filter(({ producer }) => producer.startsWith('chromium')));
	for (const file of files) await produceOne(file, folder);
	await exportByLibreOffice(files, folder);
}

async function printByChromium(files: readonly KnownFile[]): Promise<void> {
	const browser = await chromium.launch({
		executablePath: '/usr/bin/chromium',
		args: ['--no-sandbox', '--disable-gpu'],
	});
	try {
		const page = await browser.newPage();
		for (const { known, producer, file } of files) {
			const css = styleSheet(known.kind, known.seed, known.set);
			await page.setContent(toHtml(known, { css, paged: false }));
			const tagged = producer === 'chromium-tagged';
			const footer = `<div style="font-size:8px;width:100%;text-align:center">${known.author} · <span class="pageNumber"></span></div>`;
			await page.pdf({
				path: file,
				preferCSSPageSize: true,
				tagged,
				outline: tagged && known.seed % 4 === 0,
				...(known.seed % 3 === 0 && {
					displayHeaderFooter: true,
					headerTemplate: '<div></div>',
					footerTemplate: footer,
				}),
			});
		}
	} finally {
		await browser.close();
	}
}

async function produceOne({ known, producer, file }: KnownFile, folder: string): Promise<void> {
	if (producer === 'weasyprint') {
		const css = styleSheet(known.kind, known.seed, known.set);
		run('weasyprint', ['-', file], folder, toHtml(known, { css, paged: true }));
	} else if (producer === 'pandoc') byPandoc(known, file, folder);
	else if (producer === 'docx') writeFileSync(file, await writeDocx(known));
	else if (producer === 'groff') writeFileSync(file, typeset(known, folder));
	else if (producer === 'tex') byTex(known, file, folder);
}

function run(program: string, args: readonly string[], cwd: string, input?: string | Buffer): Buffer {
	return execFileSync(program, args, {
		cwd,
		maxBuffer: 1 << 28,
		stdio: ['pipe', 'pipe', 'ignore'],
		...(input !== undefined && { input }),
	});
}

function byPandoc(known: Known, file: string, folder: string): void {
	const { language, author } = known;
	const metadata = [`lang=${language}`, `author=${author}`].flatMap((field) => ['--metadata', field]);
	run('pandoc', ['-f', 'markdown', ...metadata, '-o', file, sourceName(known, 'md')], folder);
}

/** Two sizes and two widths of a column, by the set. */
function typeset(known: Known, folder: string): Buffer {
	const look = known.set === 'choosing' ? [] : ['-V', 'pointsize=11p', '-V', 'lineheight=15p', '-V', 'fontfamily=P'];
	const source = run(
		'pandoc',
		['-f', 'markdown', '-t', 'ms', '--standalone', ...look, sourceName(known, 'md')],
		folder,
	);
	return run('groff', ['-Kutf8', '-ms', '-mspdf', '-t', '-e', '-Tpdf', '-P-pa4'], folder, source);
}

/** TeX as a paper is set: two columns, or one, by the document's kind. */
function byTex(known: Known, file: string, folder: string): void {
	const sizes = known.set === 'choosing' ? ['10pt', '11pt'] : ['12pt', '10pt'];
	const look = [`fontsize=${sizes[known.seed % 2]}`, ...(known.kind === 'columns' ? ['classoption=twocolumn'] : [])];
	const name = `tex-${known.kind}-${known.seed}`;
	const options = look.flatMap((variable) => ['-V', variable]);
	const source = sourceName(known, 'md');
	run('pandoc', ['-f', 'markdown-implicit_figures', '-s', ...options, '-o', `${name}.tex`, source], folder);
	for (let pass = 0; pass < 2; pass++) run('pdflatex', ['-interaction=batchmode', `${name}.tex`], folder);
	copyFileSync(join(folder, `${name}.pdf`), file);
}

/**
 * LibreOffice opens a document in another format and writes its own: DOCX by pandoc or the `docx` package for the choosing
 * set, ODT by pandoc for the others. pandoc writes no columns and no paragraphs from right to left.
 */
async function exportByLibreOffice(files: readonly KnownFile[], folder: string): Promise<void> {
	const profile = `-env:UserInstallation=file://${join(folder, 'office')}`;
	const byFilter = new Map<string, { source: string; target: string }[]>();
	for (const { known, producer, format, file } of files) {
		if (!producer.startsWith('libreoffice')) continue;
		const source = join(folder, 'sources', await officeSource(known, `${producer}-${format}`, folder));
		const filter =
			format === 'docx'
				? 'docx:MS Word 2007 XML'
				: `pdf:writer_pdf_Export:${JSON.stringify({
						UseTaggedPDF: { type: 'boolean', value: String(producer === 'libreoffice-tagged') },
						ExportBookmarks: { type: 'boolean', value: String(known.seed % 4 < 2) },
					})}`;
		byFilter.set(filter, [...(byFilter.get(filter) ?? []), { source, target: file }]);
	}
	const output = join(folder, 'office-output');
	for (const [filter, exports] of byFilter) {
		const sources = exports.map(({ source }) => source);
		run('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', output, ...sources], folder);
		for (const { source, target } of exports) {
			const name = source.slice(source.lastIndexOf('/') + 1, source.lastIndexOf('.'));
			copyFileSync(join(output, `${name}.${target.slice(target.lastIndexOf('.') + 1)}`), target);
		}
	}
}

async function officeSource(known: Known, name: string, folder: string): Promise<string> {
	const needsDocx = known.kind === 'columns' || known.kind === 'rtl';
	const extension = needsDocx || known.set === 'choosing' ? 'docx' : 'odt';
	const source = `${known.kind}-${name}.${extension}`;
	const path = join(folder, 'sources', source);
	if (needsDocx) writeFileSync(path, await writeDocx(known));
	else byPandoc(known, path, folder);
	return source;
}
