import { parseHtml } from './dom/parse.ts';
import { toMarkdown } from './markdown/index.ts';
import { readMetadata } from './metadata/index.ts';
import { segment } from './select/read/blocks.ts';
import type { Extraction, FileFacts } from './types.ts';

/**
 * A document that is content from start to end, such as a converted PDF: nothing is selected, nothing is left out, and
 * `<a id="page-3"></a>` stays in the Markdown as the anchor of page 3, and so do those of slides, sheets and chapters.
 *
 * @param html plain elements without scripts and styles
 * @param url of the file: absolute, after redirects
 */
export function extractWhole(
	html: string,
	url: string,
	options: {
		readonly contentLanguage?: string;
		readonly format: string;
		readonly pages?: number;
		readonly leftOut?: readonly string[];
	},
): Extraction {
	const document = parseHtml(html);
	const text = segment(document.body, document.styles)
		.blocks.map((block) => block.text)
		.join('\n');
	const { addresses, ...metadata } = readMetadata(document, url, { ...options, mainText: () => text });
	const markdown = toMarkdown([document.body], { addresses, isFile: true });
	const { format, pages, leftOut = [] } = options;
	const anchors = anchorsIn(markdown);
	const file: FileFacts = {
		format,
		...(pages !== undefined && { pages }),
		...(anchors.length > 0 && { anchors }),
		...(leftOut.length > 0 && { leftOut: [...leftOut] }),
	};
	return { url, markdown, text, ...metadata, page: { ...metadata.page, file } };
}

function anchorsIn(markdown: string): NonNullable<FileFacts['anchors']> {
	const found = markdown.matchAll(/<a id="((page|slide|sheet|chapter)-(\d{1,5}))"><\/a>/g);
	let last = 0;
	const anchors = new Map<number, { page: number; id: string; at: number }>();
	// Text of the file that looks like an anchor comes escaped, except in code: only the next page counts.
	for (const { 1: id = '', 2: kind, 3: number = '', index } of found) {
		const page = Number(number);
		// Hidden slides have no anchor.
		const isNext = page === last + 1 || (kind !== 'page' && page > last);
		if (!isNext) continue;
		anchors.set(page, { page, id, at: index });
		last = page;
	}
	return [...anchors.values()];
}
