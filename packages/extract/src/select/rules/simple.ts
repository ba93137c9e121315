import { isInFurniture } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Facts } from '../read/facts.ts';
import { type Flags, flagsOf } from '../read/flags.ts';
import type { Names } from '../read/hints.ts';

/** A page with fewer words is too short to be judged by measure. */
const tiny = 60;
/** Up to this many words, the page's own `main` says more than so little text does, */
const small = 300;
/** if it holds this share of the words outside menus and footers. */
const share = 0.9;

/**
 * The content of a page with too little text to be judged by measure: the part that its generator puts texts in, its
 * `main`, or its only `article`, without menus and footers; on a tiny page everything outside these. `undefined` for all
 * other pages.
 */
export function chooseSimply({ blocks, boxes, names }: Segments, { software }: Facts): Flags | undefined {
	const body = bodyOf(boxes, names, software.includes('doxygen') ? doxygenBody : bodyPattern);
	if (body !== undefined) {
		const words = ownWords(blocks, body);
		if (words > 0 && words < small && ownWords(blocks, mainAround(body)) <= maxBeside + 2 * words)
			return flagsOf(blocks, (block, i) => i >= body.start && i < body.end && isOwn(block));
	}
	let all = 0;
	for (let i = 0; i < blocks.length && all < small; i++) all += blocks[i]!.size.words;
	if (all === 0 || all >= small) return undefined;
	const part = onlyBox(boxes, 'main') ?? onlyBox(boxes, 'article');
	const whole = { start: 0, end: blocks.length };
	const isNamed = part !== undefined && ownWords(blocks, part) >= share * ownWords(blocks, whole);
	if (!isNamed && all >= tiny) return undefined;
	const { start, end } = isNamed ? part : whole;
	return flagsOf(blocks, (block, i) => i >= start && i < end && isOwn(block));
}

/** The part that generators of documentation and wikis put the text of a page in, and nothing else. */
const bodyPattern =
	/(?:^|\s)(?:mw-parser-output|wiki-content|theme-doc-markdown|md-content__inner|vp-doc|sl-markdown-content|bd-article|markdown-section|rst-content)(?=\s|$)/;

/** A page with more words beside that part, in its `main`, is about them: the members of a category. */
const maxBeside = 60;

function mainAround(body: Box): Box {
	for (let up = body.parent; up !== null; up = up.parent)
		if (up.element.tag === 'main' || up.element.attributes.role === 'main') return up;
	return body;
}

const doxygenBody = /(?:^|\s)contents(?=\s|$)/;

/** The only part of the page that is named so. */
function bodyOf(boxes: readonly Box[], names: readonly Names[], pattern: RegExp): Box | undefined {
	const named = new Set(names.filter(({ className }) => pattern.test(className)));
	if (named.size === 0) return undefined;
	let body: Box | undefined;
	for (const box of boxes) {
		if (!named.has(box.names) || (body !== undefined && box.end <= body.end)) continue;
		if (body !== undefined) return undefined;
		body = box;
	}
	return body;
}

/** Visible, and in no menu or footer. */
const isOwn = ({ box }: Block): boolean => !box.hidden && !isInFurniture(box);

function ownWords(blocks: readonly Block[], { start, end }: Pick<Box, 'start' | 'end'>): number {
	let words = 0;
	for (let i = start; i < end; i++) if (isOwn(blocks[i]!)) words += blocks[i]!.size.words;
	return words;
}

/** The only box of a page with a tag. */
export function onlyBox(boxes: readonly Box[], tag: string): Box | undefined {
	const found = boxes.filter(({ element }) => element.tag === tag);
	return found.length === 1 ? found[0] : undefined;
}
