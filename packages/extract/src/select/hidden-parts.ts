import type { Element } from '../dom/node.ts';
import type { HiddenPart } from '../types.ts';
import type { Segments } from './read/blocks.ts';
import type { Block, Box } from './read/box.ts';
import type { OpenedPart } from './read/hidden.ts';

/** Limits of what is listed of a page. */
const limits = { parts: 50, beginning: 80 };

/** The parts of the content that a reader sees only after opening them, or once a script shows them. */
export function hiddenParts({ blocks, boxes, opened }: Segments, kept: readonly Block[]): HiddenPart[] {
	const folded = boxes.filter(({ element, hidden }) => !hidden && isClosed(element));
	const all: OpenedPart[] = [...opened, ...folded.map((box) => ({ box, state: 'offered' }) as const)];
	if (all.length === 0) return [];
	const content = new Set(kept);
	const parts: HiddenPart[] = [];
	let end = 0;
	for (const { box, state } of all.sort((one, other) => one.box.index - other.box.index)) {
		// Parts inside of another one open after it.
		if (box.start < end || parts.length === limits.parts) continue;
		const own = blocks.slice(box.start, box.end).filter((block) => content.has(block) && !isInSummary(block.box));
		if (own.length === 0) continue;
		const words = own.reduce((sum, { size }) => sum + size.words, 0);
		parts.push({ state, words, begins: own[0]!.text.slice(0, limits.beginning) });
		end = box.end;
	}
	return parts;
}

const isClosed = ({ tag, attributes }: Element): boolean => tag === 'details' && attributes.open === undefined;

/** Whether a box is in the visible part of closed `details`. */
function isInSummary(box: Box): boolean {
	for (let at: Box | null = box, level = 0; at !== null && level < 4; at = at.parent, level++)
		if (at.element.tag === 'summary') return true;
	return false;
}
