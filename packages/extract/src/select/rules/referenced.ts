import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { within } from '../read/sums.ts';

const maxNote = 200;
const notePattern = /^(?:li|p|div|aside|dd|section|blockquote)$/;

/** Keeps each note that a mark in kept text references. */
export function keepNotes({ blocks, boxes, sums }: Segments, keep: Flags): Flags {
	const wanted = new Set<string>();
	for (let i = 0; i < blocks.length; i++) if (keep[i] && blocks[i]!.links > 0) addMarks(blocks[i]!, wanted);
	if (wanted.size === 0) return keep.slice();
	const kept = keep.slice();
	for (const box of boxes) {
		const { id } = box.element.attributes;
		if (id === undefined || !wanted.has(id) || box.hidden) continue;
		const note = notePattern.test(box.element.tag) ? box : box.parent;
		if (note !== null && within(sums.words, note) <= maxNote) keepBox(note, kept);
	}
	return kept;
}

function keepBox({ start, end }: Box, kept: Flags): void {
	for (let i = start; i < end; i++) kept[i] = 1;
}

/** The ids that superscript links of a block reference. */
function addMarks({ texts }: Block, wanted: Set<string>): void {
	for (const { parent, data } of texts) {
		if (parent === null || data.trim().length > 6) continue;
		const link = parent.tag === 'a' ? parent : parent.parent;
		const isRaised =
			parent.tag === 'sup' || link?.parent?.tag === 'sup' || /footnote|noteref/i.test(link?.attributes.class ?? '');
		const target = link?.tag === 'a' && isRaised ? /#(.+)$/.exec(link.attributes.href ?? '')?.[1] : undefined;
		if (target !== undefined) wanted.add(target);
	}
}
