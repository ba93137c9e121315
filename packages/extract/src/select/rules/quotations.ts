import { aroundBit } from '../read/around.ts';
import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Flags } from '../read/flags.ts';
import { FlatWords } from '../read/words.ts';

const quotationBit = aroundBit('blockquote');
/** Shorter quotations are phrases. */
const minWords = 8;
/** A quotation with this share of its runs of words elsewhere on the page repeats that. */
const repeated = 0.8;
/** Words in one run. */
const run = 4;
/** What is left of a part without its quotation is a name, when it has no more words. */
const maxLabel = 4;
const quotes = /(?:^|[\s_-])(?:quote|quotation|pull-?quote)(?=$|[\s_-])/i;

/** Drops quotations of what the page says itself, whole or in part, with the name of who is quoted. */
export function withoutRepeatedQuotations({ blocks }: Segments, keep: Flags): Flags {
	const kept = keep.slice();
	const quoted = [...blocks.keys()].filter((i) => keep[i] && isQuoted(blocks[i]!));
	if (quoted.length === 0) return kept;
	const runs = new Set<number>();
	for (let i = 0; i < blocks.length; i++)
		if (keep[i] && !isQuotation(blocks[i]!)) eachRun(blocks[i]!, (hash) => runs.add(hash));
	const repeats = quoted.filter((i) => isRepeated(blocks[i]!, runs));
	for (const i of repeats) kept[i] = 0;
	for (const i of repeats) {
		const part = quotationAround(blocks[i]!.box);
		let words = 0;
		for (let k = part.start; k < part.end; k++) if (kept[k]) words += blocks[k]!.size.words;
		if (words <= maxLabel) kept.fill(0, part.start, part.end);
	}
	return kept;
}

const isQuotation = ({ box }: Block): boolean => (box.around & quotationBit) !== 0;
const isQuoted = (block: Block): boolean => isQuotation(block) && block.size.words >= minWords;

/** Of the boxes around it the outermost that is part of the quotation. */
function quotationAround(box: Box): Box {
	let part = box;
	for (let up: Box | null = box; up !== null; up = up.parent) {
		const { tag, attributes } = up.element;
		if (tag === 'blockquote' || quotes.test(attributes.class ?? '')) part = up;
	}
	return part;
}

const reader = new FlatWords();

function eachRun({ text }: Block, take: (hash: number) => void): void {
	let [a, b, c] = [0, 0, 0];
	let count = 0;
	reader.begin(text);
	while (reader.next()) {
		const d = reader.hash;
		count++;
		if (count >= run) take((Math.imul(a, 31) + Math.imul(b, 961) + Math.imul(c, 29791) + d) | 0);
		[a, b, c] = [b, c, d];
	}
}

function isRepeated(block: Block, runs: ReadonlySet<number>): boolean {
	let all = 0;
	let known = 0;
	eachRun(block, (hash) => {
		all++;
		if (runs.has(hash)) known++;
	});
	return all > 0 && known >= repeated * all;
}
