import { aroundBit } from '../../read/around.ts';
import type { Segments } from '../../read/blocks.ts';
import type { Box } from '../../read/box.ts';
import type { PageKind } from '../page-kind.ts';
import type { Drop } from './series.ts';

const maxLabel = 6;
const maxFilter = 60;
/** A text that this many blocks repeat word for word, and that only controls have, is a control. */
const minControls = 4;
const formBit = aroundBit('form');

/** Buttons and links that each card repeats, and filter boxes. */
export function dropControls({ blocks }: Segments, { isList, isProduct }: PageKind, drop: Drop): void {
	const places = new Map<string, number[]>();
	for (let i = 0; i < blocks.length; i++) {
		const { text, size, box, linked } = blocks[i]!;
		if ((isList || isProduct) && size.words < maxFilter && isFilter(box)) drop(i, i + 1);
		// Headings in reference pages link to themselves, and repeat: `Parameters`, `Example`.
		if (size.words > maxLabel || /^h[1-6]$/.test(box.element.tag)) continue;
		if (box.element.tag !== 'button' && linked < 0.8 * size.chars) continue;
		if (/^[\d\s.,:–-]+$/.test(text)) continue;
		const known = places.get(text);
		if (known === undefined) places.set(text, [i]);
		else known.push(i);
	}
	for (const at of places.values()) {
		if (at.length < minControls) continue;
		for (const i of at) drop(i, i + 1);
	}
}

function isFilter({ element, around }: Box): boolean {
	if ((around & formBit) === 0 || element.tag === 'p') return false;
	return element.children.some(
		(child) =>
			child.kind === 'element' &&
			(isChoice(child.tag, child.attributes.type) ||
				child.children.some((inner) => inner.kind === 'element' && isChoice(inner.tag, inner.attributes.type))),
	);
}

const isChoice = (tag: string, type = ''): boolean => tag === 'input' && /^(?:checkbox|radio)$/i.test(type);
