import { aroundBit } from '../around.ts';
import type { Box, Segments } from '../blocks.ts';
import type { PageKind } from '../page-kind.ts';
import type { Drop } from './series.ts';

const MOST_LABEL = 6;
const MOST_FILTER = 60;
/** A text that this many blocks repeat word for word, and that only controls have, is a control. */
const FEWEST_CONTROLS = 4;
const FORM = aroundBit('form');

/** Buttons and links that each card repeats, and filter boxes. */
export function dropControls({ blocks }: Segments, { isList, isProduct }: PageKind, drop: Drop): void {
	const places = new Map<string, number[]>();
	for (const [i, { text, size, box, linked }] of blocks.entries()) {
		if ((isList || isProduct) && size.words < MOST_FILTER && isFilter(box)) drop(i, i + 1);
		// Headings in reference pages link to themselves, and repeat: `Parameters`, `Example`.
		if (size.words > MOST_LABEL || /^h[1-6]$/.test(box.element.tag)) continue;
		if (box.element.tag !== 'button' && linked < 0.8 * size.chars) continue;
		if (/^[\d\s.,:–-]+$/.test(text)) continue;
		const known = places.get(text);
		if (known === undefined) places.set(text, [i]);
		else known.push(i);
	}
	for (const at of places.values()) {
		if (at.length < FEWEST_CONTROLS) continue;
		for (const i of at) drop(i, i + 1);
	}
}

function isFilter({ element, around }: Box): boolean {
	if ((around & FORM) === 0 || element.tag === 'p') return false;
	return element.children.some(
		(child) =>
			child.kind === 'element' &&
			(isChoice(child.tag, child.attributes.type) ||
				child.children.some((inner) => inner.kind === 'element' && isChoice(inner.tag, inner.attributes.type))),
	);
}

const isChoice = (tag: string, type = ''): boolean => tag === 'input' && /^(?:checkbox|radio)$/i.test(type);
