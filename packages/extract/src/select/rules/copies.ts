import { aroundBit } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import { type Flags, flagsOf } from '../read/flags.ts';

/** Shorter texts are labels, which may occur in many places. */
const minWords = 5;
const wholeBits = aroundBit('table') | aroundBit('dl');

/**
 * Drops each kept text that already occurs before it: copies for wide and narrow screens, in `noscript`, in quotations.
 * Repetition within one part, such as a refrain, or in each card of a series, is intended; so are cells, definitions
 * and code.
 */
export function withoutCopies({ blocks }: Segments, keep: Flags): Flags {
	const first = new Map<string, Block>();
	const kept = withoutListCopies(blocks, keep);
	return flagsOf(blocks, (block, i) => {
		if (!kept[i]) return false;
		if (block.size.words < minWords || block.box.element.tag === 'pre') return true;
		const key = block.text;
		const before = first.get(key);
		if (before === undefined) {
			first.set(key, block);
			return true;
		}
		return (block.box.around & wholeBits) !== 0 || isSameRole(before.box, block.box);
	});
}

/** In the same part, or in the same position of two cards of one series. */
const isSameRole = (one: Box, other: Box): boolean =>
	one.parent === other.parent || (one.look === other.look && one.parent?.look === other.parent?.look);

/** Lists with less are found in many places. */
const minItems = 3;
const minListWords = 8;

/**
 * Drops each list whose kept items are those of a list before it, in a part of another look, together with a heading that
 * both have: ingredients for wide and narrow screens. Cards of one series may have equal lists.
 */
function withoutListCopies(blocks: readonly Block[], keep: Flags): Flags {
	const seen = new Set<Box>();
	const first = new Map<string, Box>();
	const kept = keep.slice();
	for (let i = 0; i < blocks.length; i++) {
		const list = keep[i] ? listAround(blocks[i]!.box) : undefined;
		if (list === undefined || seen.has(list)) continue;
		seen.add(list);
		const items = blocks.slice(list.start, list.end).filter((_, at) => keep[list.start + at]);
		const words = items.reduce((sum, { size }) => sum + size.words, 0);
		if (items.length < minItems || words < minListWords) continue;
		const key = items.map(({ text }) => text).join('\n');
		const before = first.get(key);
		if (before === undefined) first.set(key, list);
		else if (before.parent?.look !== list.parent?.look) {
			const start = hasSameHead(blocks, before, list) ? list.start - 1 : list.start;
			kept.fill(0, start, list.end);
		}
	}
	return kept;
}

const listPattern = /^[ou]l$/;
const heading = /^h[1-6]$/;

/** The innermost list around a box, a few levels up. */
function listAround(box: Box): Box | undefined {
	let at: Box | null = box;
	for (let level = 0; at !== null && level < 5; level++, at = at.parent)
		if (listPattern.test(at.element.tag)) return at;
	return undefined;
}

function hasSameHead(blocks: readonly Block[], one: Box, other: Box): boolean {
	const head = blocks[one.start - 1];
	const copy = blocks[other.start - 1];
	return head !== undefined && heading.test(copy!.box.element.tag) && head.text === copy!.text;
}
