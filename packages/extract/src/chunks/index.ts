import { blocksIn, type MarkdownBlock } from './blocks.ts';
import { digest } from './digest.ts';
import { headingText } from './heading-text.ts';
import { linesOf } from './lines.ts';
import { createTextCutter } from './sentences.ts';
import type { Chunk, ChunkOptions } from './types.ts';
import { textOfUnits, type Unit, type UnitContext, unitsOf } from './units.ts';

export type { Chunk, ChunkOptions } from './types.ts';

/**
 * Cuts Markdown at its headings into chunks of at most `maxTokens`. A section that is larger is cut between its blocks; a
 * table or a block of code only if it alone is larger than a chunk, between rows or lines, with its header or its fence
 * repeated; other blocks between list items, sentences, words.
 *
 * ```ts
 * import { chunkMarkdown } from '@wayleave/extract';
 * import { countTokens } from '@wayleave/extract/tokens';
 * for (const { id, headingPath, text } of chunkMarkdown(markdown, { maxTokens: 512, countTokens })) { … }
 * ```
 *
 * @throws RangeError if `maxTokens` is not a whole number from 1
 */
export function chunkMarkdown(markdown: string, { maxTokens, countTokens, language }: ChunkOptions): Chunk[] {
	if (!Number.isInteger(maxTokens) || maxTokens < 1)
		throw new RangeError(`maxTokens is ${maxTokens}: use a whole number from 1`);
	const cutter = createTextCutter(language);
	const fits = (text: string): boolean => countTokens(text) <= maxTokens;
	const context = { markdown, cutter, fits };
	const seen = new Map<string, number>();
	return sectionsOf(blocksIn(linesOf(markdown))).flatMap(({ path, blocks }) =>
		packed(blocks, context, maxTokens, countTokens).map(({ first, last, tokens }) => {
			const text = textOfUnits(markdown, first, last);
			const key = digest(JSON.stringify([path, text]));
			const count = (seen.get(key) ?? 0) + 1;
			seen.set(key, count);
			const cut = (first.whole ?? last.whole)?.kind;
			return {
				id: count === 1 ? key : `${key}-${count}`,
				headingPath: path,
				start: first.start,
				end: last.end,
				text,
				tokens,
				...(cut !== undefined && { cut }),
			};
		}),
	);
}

interface Section {
	readonly path: readonly string[];
	readonly blocks: MarkdownBlock[];
}

/**
 * The blocks by the headings above them. A heading right above one of a lower level stays with that, and an anchor, such
 * as that of a page in a PDF file, with the block below it.
 */
function sectionsOf(blocks: readonly MarkdownBlock[]): Section[] {
	const sections: Section[] = [];
	const open: { level: number; text: string }[] = [];
	let waiting: MarkdownBlock[] = [];
	let anchors: MarkdownBlock[] = [];
	const close = (): void => {
		if (waiting.length > 0) sections.push({ path: pathOf(open), blocks: waiting });
		waiting = [];
	};
	for (const block of blocks) {
		if (isAnchor(block)) {
			anchors.push(block);
			continue;
		}
		if (block.kind === 'heading') {
			if (open.length > 0 && block.level <= open.at(-1)!.level) close();
			while (open.length > 0 && open.at(-1)!.level >= block.level) open.pop();
			open.push({ level: block.level, text: headingText(block.text) });
			waiting.push(...anchors, block);
		} else {
			close();
			if (sections.length === 0) sections.push({ path: [], blocks: [] });
			sections.at(-1)!.blocks.push(...anchors, block);
		}
		anchors = [];
	}
	close();
	if (anchors.length > 0 && sections.length === 0) sections.push({ path: [], blocks: [] });
	sections.at(-1)?.blocks.push(...anchors);
	return sections;
}

const isAnchor = ({ kind, lines }: MarkdownBlock): boolean =>
	kind === 'lines' && lines.every(({ text }) => anchor.test(text));

const anchor = /^<a id="[^"]*"><\/a>$/;

/** Anchors in one unit with what follows, where both fit into a chunk. */
function withAnchors(units: readonly Unit[], { markdown, fits }: UnitContext): Unit[] {
	const joined: Unit[] = [];
	for (const unit of units) {
		const before = joined.at(-1);
		const isBehindAnchor = before !== undefined && anchor.test(markdown.slice(before.start, before.end));
		const both = { ...unit, start: before?.start ?? unit.start };
		if (isBehindAnchor && fits(textOfUnits(markdown, both, both))) joined[joined.length - 1] = both;
		else joined.push(unit);
	}
	return joined;
}

const pathOf = (open: readonly { readonly text: string }[]): string[] => open.map(({ text }) => text).filter(Boolean);

interface Packed {
	readonly first: Unit;
	readonly last: Unit;
	readonly tokens: number;
}

/** Fills chunks with the blocks of a section, in order. */
function packed(
	blocks: readonly MarkdownBlock[],
	context: UnitContext,
	maxTokens: number,
	countTokens: (text: string) => number,
): Packed[] {
	const { markdown } = context;
	const whole = { start: blocks[0]!.lines[0]!.start, end: blocks.at(-1)!.lines.at(-1)!.end };
	const tokens = countTokens(markdown.slice(whole.start, whole.end));
	if (tokens <= maxTokens) return [{ first: whole, last: whole, tokens }];
	const units = withAnchors(
		blocks.flatMap((block) => unitsOf(block, context)),
		context,
	);
	const filler = new Filler(units, markdown, maxTokens, countTokens);
	const chunks: Packed[] = [];
	for (let at = 0; at < units.length; ) {
		const { to, size } = filler.fill(at);
		chunks.push({ first: units[at]!, last: units[to]!, tokens: size });
		at = to + 1;
	}
	return chunks;
}

/** Texts counted for a chunk; the sums of the units lead near the best one. */
const maxTries = 8;

/** Finds how many units fit in a chunk, and counts few texts for it. */
class Filler {
	readonly #units: readonly Unit[];
	readonly #sizeOf: (from: number, to: number) => number;
	readonly #maxTokens: number;
	/** Tokens of all units before each. */
	readonly #sums: number[] = [0];
	/** For each unit the last one that may be in the same chunk. */
	readonly #limits: number[] = [];

	constructor(units: readonly Unit[], markdown: string, maxTokens: number, countTokens: (text: string) => number) {
		this.#units = units;
		this.#maxTokens = maxTokens;
		this.#sizeOf = (from, to) => countTokens(textOfUnits(markdown, units[from]!, units[to]!));
		for (const { start, end } of units) this.#sums.push(this.#sums.at(-1)! + countTokens(markdown.slice(start, end)));
		for (let at = units.length - 1; at >= 0; at--) {
			const isLast = at === units.length - 1 || !isJoinable(units[at]!, units[at + 1]!);
			this.#limits[at] = isLast ? at : this.#limits[at + 1]!;
		}
	}

	/** The last unit of the chunk that begins at a unit, and its tokens. */
	fill(at: number): { to: number; size: number } {
		let best = { to: at, size: this.#sizeOf(at, at) };
		let tooMuch = this.#limits[at]! + 1;
		let ratio = 1;
		for (let tries = 0; tries < maxTries && tooMuch - best.to > 1; tries++) {
			const guess = this.#lastWithin(this.#sums[at]! + this.#maxTokens / ratio);
			const to = Math.min(Math.max(guess, best.to + 1), tooMuch - 1);
			const size = this.#sizeOf(at, to);
			if (size <= this.#maxTokens) best = { to, size };
			else tooMuch = to;
			ratio = Math.max(size, 1) / Math.max(this.#sums[to + 1]! - this.#sums[at]!, 1);
		}
		return best;
	}

	/** The last unit up to which the sum is at most so much. */
	#lastWithin(sum: number): number {
		let low = 0;
		let high = this.#units.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.#sums[middle]! <= sum) low = middle;
			else high = middle - 1;
		}
		return low - 1;
	}
}

/** Rows below the header and parts of a row that is too large are not in one chunk. */
function isJoinable({ whole }: Unit, next: Unit): boolean {
	return whole === undefined || next.whole === undefined || whole === next.whole || whole.start !== next.whole.start;
}
