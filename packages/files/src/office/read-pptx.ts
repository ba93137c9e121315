import { FileError } from '../errors.ts';
import { writeBlocks, writeDocument } from '../html.ts';
import type { FileContent, FileLimits } from '../types.ts';
import { headOfOffice } from './core-properties.ts';
import { openParts, prefixed } from './ooxml.ts';
import { type SlideSize, slideBlocks } from './slide.ts';
import { allOf, elementsOf, within } from './xml.ts';

/** Notes, comments, masters and embedded files stay packed. */
const isRead =
	/^(?:ppt\/presentation\.xml|ppt\/_rels\/presentation\.xml\.rels|ppt\/slides\/(?:_rels\/)?[^/]+|docProps\/core\.xml)$/;
const main = 'ppt/presentation.xml';

/**
 * Reads the slides of a presentation in their order: titles, text, tables and the text that stands for pictures. Hidden slides,
 * what is beside a slide, notes of the speaker and comments are not read.
 *
 * @param onSlide called for each slide that has been read
 * @throws FileError
 */
export async function readPptx(bytes: Uint8Array, limits: FileLimits, onSlide: () => void): Promise<FileContent> {
	const parts = openParts(bytes, isRead, limits);
	if (!parts.has(main)) throw new FileError('file-damaged', `the file has no slides: ${main} is missing`);
	const presentation = within(parts.tree(main), 'presentation');
	const relations = parts.relations(main);
	const listed = elementsOf(within(presentation, 'sldIdLst'), 'sldId').map(
		(slide) => relations.get(prefixed(slide, 'id') ?? '')?.target ?? '',
	);
	// A slide is on the list once, or the list would cost more than the file.
	const slides = [...new Set(listed)];
	if (slides.length > limits.pages)
		throw new FileError('file-over-limit', `the file has ${slides.length} slides; at most ${limits.pages} are read`);
	if (slides.length > 0 && !slides.some((part) => parts.has(part)))
		throw new FileError('file-damaged', 'the slides that the file lists are missing');
	const { cx, cy } = within(presentation, 'sldSz')?.attributes ?? {};
	const size: SlideSize = [Number(cx) || Number.POSITIVE_INFINITY, Number(cy) || Number.POSITIVE_INFINITY];
	const leftOut: string[] = [];
	let language: string | undefined;
	const bodies = slides.map((part, at) => {
		if (!parts.has(part)) {
			leftOut.push(`slide ${at + 1}: missing`);
			return '';
		}
		const slide = parts.tree(part);
		onSlide();
		if (/^(?:0|false)$/.test(within(slide, 'sld')?.attributes.show ?? '')) {
			leftOut.push(`slide ${at + 1}: hidden`);
			return '';
		}
		language ??= allOf(slide, 'rPr').find(({ attributes }) => attributes.lang !== undefined)?.attributes.lang;
		return `<a id="slide-${at + 1}"></a>${writeBlocks(slideBlocks(slide, parts.relations(part), size))}`;
	});
	const body = bodies.filter((each) => each !== '').join('\n');
	const head = headOfOffice(parts.text('docProps/core.xml'), language, body.replace(/<(\/?)h2>/g, '<$1h1>'));
	return { html: writeDocument(head, body), pages: slides.length, leftOut };
}
