import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { writeDocx } from './docx.ts';
import { type Known, type KnownKind, type KnownSet, knownDocument, knownKinds } from './known.ts';
import { officeLook, styleSheet } from './styles.ts';
import { picture, toHtml, toMarkdown } from './write.ts';

export interface KnownFile {
	readonly known: Known;
	readonly producer: string;
	readonly file: string;
	readonly format: 'pdf' | 'docx';
}

const firstSeed: Readonly<Record<KnownSet, number>> = {
	choosing: 100,
	former: 7300,
	third: 52_700,
	fourth: 918_300,
	reporting: 2_471_900,
};

/** Four PDF producers for each kind; tagged and untagged files take turns. */
function pdfProducers(kind: KnownKind, seed: number, set: KnownSet): string[] {
	const isEven = seed % 2 === 0;
	const chromium = isEven ? ['chromium-tagged', 'chromium'] : ['chromium', 'chromium-tagged'];
	const office = isEven ? ['libreoffice-tagged', 'libreoffice'] : ['libreoffice', 'libreoffice-tagged'];
	// WeasyPrint 57 writes wrong characters for Hebrew and Arabic (no program finds the words in its files), and groff has
	// no fonts for them, nor for Chinese.
	if (kind === 'rtl') return [...chromium, ...office];
	if (kind === 'cjk') return [...chromium, ...office.slice(0, 1), 'weasyprint'];
	if (set === 'fourth' || set === 'reporting') return rotated(kind, seed, chromium[0]!, office[0]!);
	if (set === 'third')
		return [...chromium.slice(0, 1), ...office.slice(0, 1), seed % 3 === 0 ? 'groff' : 'weasyprint', 'tex'];
	return [
		...chromium.slice(0, 1),
		...office.slice(0, 1),
		'weasyprint',
		'groff',
		...(set === 'choosing' ? ['tex'] : []),
	];
}

/** Four of six programs take turns; wkhtmltopdf knows no columns, and the notes of columns are by groff and TeX. */
function rotated(kind: KnownKind, seed: number, chromium: string, office: string): string[] {
	if (kind === 'columns') return [chromium, office, 'groff', 'tex'];
	const all = [chromium, 'groff', 'weasyprint', office, 'tex', 'wkhtmltopdf'];
	return all.filter((_, at) => at !== seed % 6 && at !== (seed + 3) % 6);
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
	} else if (producer === 'wkhtmltopdf') {
		const css = styleSheet(known.kind, known.seed, known.set);
		run('wkhtmltopdf', ['-q', '-s', 'A4', '-', file], folder, toHtml(known, { css, paged: false }));
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

/** Sizes, fonts, lines and widths of a column, by the set. */
function typeset(known: Known, folder: string): Buffer {
	const look = groffLook(known).flatMap((value) => ['-V', value]);
	const source = run(
		'pandoc',
		['-f', 'markdown', '-t', 'ms', '--standalone', ...look, sourceName(known, 'md')],
		folder,
	).toString();
	const paper = known.set === 'fourth' ? '-P-pletter' : '-P-pa4';
	return run('groff', ['-Kutf8', '-ms', '-mspdf', '-t', '-e', '-Tpdf', paper], folder, withTableOptions(source, known));
}

function groffLook({ set, seed }: Known): string[] {
	const isEven = seed % 2 === 0;
	if (set === 'choosing') return [];
	if (set === 'fourth') return ['pointsize=10p', 'lineheight=12.5p', `fontfamily=${isEven ? 'N' : 'H'}`];
	if (set === 'reporting')
		return ['pointsize=10p', `lineheight=${isEven ? 13 : 14}p`, `fontfamily=${isEven ? 'T' : 'BM'}`];
	return ['pointsize=11p', 'lineheight=15p', 'fontfamily=P'];
}

/** Tables of groff in the middle of the page, with lines around all cells, or with columns from the right. */
function withTableOptions(source: string, { set, seed }: Known): string {
	if (set !== 'reporting') return source;
	const options = ['center', 'expand', 'allbox', 'box'][seed % 4];
	const placed = source.replace(/^delim\(@@\)/gm, `${options} delim(@@)`);
	// Columns of numbers: the last of each row.
	return seed % 3 === 0 ? placed.replace(/^(l(?:w\([^)]*\))?(?: l(?:w\([^)]*\))?)*) l\.$/gm, '$1 r.') : placed;
}

/** TeX as a paper is set: two columns, or one, by the document's kind. */
function byTex(known: Known, file: string, folder: string): void {
	const sizes = known.set === 'choosing' ? ['10pt', '11pt'] : ['12pt', '10pt'];
	const look = [...texLook(known, sizes), ...(known.kind === 'columns' ? ['classoption=twocolumn'] : [])];
	const name = `tex-${known.kind}-${known.seed}`;
	const options = look.flatMap((variable) => ['-V', variable]);
	const source = sourceName(known, 'md');
	run('pandoc', ['-f', 'markdown-implicit_figures', '-s', ...options, '-o', `${name}.tex`, source], folder);
	for (let pass = 0; pass < 2; pass++) run('pdflatex', ['-interaction=batchmode', `${name}.tex`], folder);
	copyFileSync(join(folder, `${name}.pdf`), file);
}

/** Since the fourth set: KOMA-Script, or an article with other widths and heights in its tables; in a serif or a sans-serif font. */
function texLook({ set, seed }: Known, sizes: readonly string[]): string[] {
	if (set === 'fourth')
		return [
			'documentclass=scrartcl',
			'fontsize=11pt',
			`papersize=${seed % 2 === 0 ? 'letter' : 'b5'}`,
			...(seed % 3 === 0 ? ['header-includes=\\renewcommand{\\familydefault}{\\sfdefault}'] : []),
			...(seed % 4 === 1 ? ['indent=true'] : []),
		];
	if (set === 'reporting')
		return [
			'fontsize=10pt',
			`papersize=${seed % 2 === 0 ? 'a4' : 'a5'}`,
			`geometry=margin=${seed % 2 === 0 ? '3cm' : '1.6cm'}`,
			`header-includes=${seed % 3 === 1 ? '\\renewcommand{\\familydefault}{\\sfdefault}' : ''}\\setlength{\\tabcolsep}{${4 + (seed % 5)}pt}\\renewcommand{\\arraystretch}{1.${seed % 4}}`,
		];
	return [`fontsize=${sizes[seed % 2]}`];
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
	if ((known.set === 'fourth' || known.set === 'reporting') && extension === 'odt') restyle(path, known, folder);
	return source;
}

/** pandoc gives all ODT files one look: another font, size and page. */
function restyle(path: string, known: Known, folder: string): void {
	const { font, size, width, height, margin } = officeLook(known.seed, known.set);
	const styles = run('unzip', ['-p', path, 'styles.xml'], folder).toString();
	const own = /cjk|rtl/.test(known.kind)
		? styles
		: styles.replace(/(svg:font-family=")(?:&#39;Times New Roman&#39;|Arial)"/g, `$1${font}"`);
	const changed = own
		.replace(/fo:font-size="12pt"/g, `fo:font-size="${size}pt"`)
		.replace(/fo:page-width="[^"]*"/g, `fo:page-width="${width}pt"`)
		.replace(/fo:page-height="[^"]*"/g, `fo:page-height="${height}pt"`)
		.replace(/fo:margin-(left|right)="(?:1in|2cm|0\.7874in)"/g, `fo:margin-$1="${margin}pt"`);
	writeFileSync(join(folder, 'sources', 'styles.xml'), changed);
	run('zip', ['-q', path, 'styles.xml'], join(folder, 'sources'));
}
