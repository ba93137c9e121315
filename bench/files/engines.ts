import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import pdf2md from '@opendocsg/pdf2md';
import { openFileReader } from '@wayleave/files';
import mammoth from 'mammoth';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';
import { extractWhole } from '../../packages/extract/src/index.ts';

/** Turns a file into Markdown or text. */
export interface Engine {
	readonly name: string;
	/** Whether the result has headings and tables to score. */
	readonly structure: boolean;
	read(file: string): Promise<string>;
}

export interface Engines {
	readonly pdf: readonly Engine[];
	readonly docx: readonly Engine[];
	close(): Promise<void>;
}

/** This package first, then its peers. */
export async function openEngines(): Promise<Engines> {
	const files = openFileReader();
	const wayleave = (format: 'pdf' | 'docx'): Engine => ({
		name: 'wayleave',
		structure: true,
		async read(file) {
			const { html, pages } = await files.read(readFileSync(file), format);
			const about = { format, ...(pages !== undefined && { pages }) };
			return extractWhole(html, `https://known.test/file.${format}`, about).markdown;
		},
	});
	const { processPdf } = await import('@firecrawl/pdf-inspector');
	const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
	turndown.use(gfm);
	return {
		pdf: [
			wayleave('pdf'),
			{
				name: 'pdf-inspector',
				structure: true,
				read: async (file) => processPdf(readFileSync(file)).markdown ?? '',
			},
			{ name: 'pdf2md', structure: true, read: (file) => pdf2md(readFileSync(file)) },
			{
				name: 'pdftotext',
				structure: false,
				read: async (file) => execFileSync('pdftotext', [file, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 }),
			},
		],
		docx: [
			wayleave('docx'),
			{
				name: 'mammoth + turndown',
				structure: true,
				read: async (file) => turndown.turndown((await mammoth.convertToHtml({ path: file })).value),
			},
			{
				name: 'pandoc',
				structure: true,
				read: async (file) =>
					execFileSync('pandoc', ['-t', 'gfm', '--wrap=none', file], { encoding: 'utf8', maxBuffer: 1 << 28 }),
			},
		],
		close: () => files.close(),
	};
}
