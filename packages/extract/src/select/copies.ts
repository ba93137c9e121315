import { aroundBit } from './around.ts';
import type { Block, Box, Segments } from './blocks.ts';

/** Shorter texts are labels, which may occur in many places. */
const LEAST_WORDS = 5;
const WHOLE = aroundBit('table') | aroundBit('dl');

/**
 * Drops each kept text that already occurs before it: copies for wide and narrow screens, in `noscript`, in quotations.
 * Repetition within one part, such as a refrain, or in each card of a series, is intended; so are cells, definitions
 * and code.
 */
export function withoutCopies({ blocks }: Segments, keep: readonly boolean[]): boolean[] {
	const first = new Map<string, Block>();
	return keep.map((kept, i) => {
		const block = blocks[i]!;
		if (!kept || block.size.words < LEAST_WORDS || block.box.element.tag === 'pre') return kept;
		const key = block.text;
		const before = first.get(key);
		if (before === undefined) {
			first.set(key, block);
			return true;
		}
		return (block.box.around & WHOLE) !== 0 || isSameRole(before.box, block.box);
	});
}

/** In the same part, or in the same position of two cards of one series. */
const isSameRole = (one: Box, other: Box): boolean =>
	one.parent === other.parent || (one.look === other.look && one.parent?.look === other.parent?.look);
