import { FileError, messageOf } from '../errors.ts';
import { writeBlocks, writeDocument } from '../html.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { documentBlocks } from './document-blocks.ts';
import { headOf } from './metadata.ts';
import { openPdf, readPage, type SourcePage } from './open-pdf.ts';
import { outlineOf } from './outline.ts';
import { unknownCharacter } from './typeface.ts';

/**
 * Reads the visible text of a PDF: headings, paragraphs, lists, tables, code, footnotes and links, with an anchor where
 * each page begins. Scripts, forms, comments and embedded files are not read, and pictures are not decoded.
 *
 * @param onPage called after each page
 * @throws FileError when there is nothing to read, or it may not be read
 */
export async function readPdf(
	bytes: Uint8Array,
	limits: FileLimits,
	onPage: () => void = () => {},
): Promise<FileContent> {
	const pdf = await openPdf(bytes);
	try {
		if (pdf.numPages > limits.pages)
			throw new FileError('file-over-limit', `the PDF has ${pdf.numPages} pages; at most ${limits.pages} are read`);
		const permissions = await pdf.getPermissions();
		if (permissions !== null && !permissions.includes(copyPermission))
			throw new FileError('file-copy-forbidden', 'the PDF does not permit copying its text');
		const layers = await pdf.getOptionalContentConfig();
		const pages: SourcePage[] = [];
		let failed: unknown;
		for (let number = 1; number <= pdf.numPages; number++) {
			try {
				pages.push(await readPage(pdf, number, layers));
				onPage();
			} catch (error) {
				failed ??= error;
				pages.push({ number, width: 0, height: 0, segments: [], rules: [], dots: [], images: 0, hidden: 0 });
			}
		}
		const damaged = pages.filter(({ height }) => height === 0).length;
		if (damaged > 0)
			throw new FileError('file-damaged', `${damaged} of ${pages.length} pages cannot be read: ${messageOf(failed)}`);
		requireText(pages);
		const blocks = documentBlocks(pages, await outlineOf(pdf));
		const head = await headOf(pdf, blocks);
		return { html: writeDocument(head, writeBlocks(blocks)), pages: pages.length };
	} finally {
		await pdf.destroy();
	}
}

/** ISO 32000-1, table 22, bit 5: copy or otherwise extract text. */
const copyPermission = 0x10;

function requireText(pages: readonly SourcePage[]): void {
	let [known, unknown] = [0, 0];
	for (const { text } of pages.flatMap(({ segments }) => segments)) {
		known += text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
		unknown += text.split(unknownCharacter).length - 1;
	}
	if (unknown > known)
		throw new FileError(
			'pdf-without-text',
			`${unknown} of ${unknown + known} characters are shown by fonts that do not say which characters they are`,
		);
	if (known > 0) return;
	const count = (read: (page: SourcePage) => number) => pages.reduce((sum, page) => sum + read(page), 0);
	const [images, hidden] = [count((page) => page.images), count((page) => page.hidden)];
	const why = hidden > 0 ? `${hidden} characters that are not visible` : `no text, ${images} pictures`;
	throw new FileError('pdf-without-text', `${pages.length} pages with ${why}`);
}
