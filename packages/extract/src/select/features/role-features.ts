import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import type { Roles } from '../read/roles.ts';
import { between, log, ratio, type Sums, within } from '../read/sums.ts';
import type { RowWriter } from './row-writer.ts';
import type { Survey } from './survey.ts';

/** The fewest siblings of one look that are a series of cards. */
const minSeries = 3;

/** Totals over the visible blocks of a role, at these places. */
const wordsAt = 1;
const logWordsAt = 2;
const linkedAt = 3;
const charsAt = 4;
const stopsAt = 5;
const digitsAt = 6;
const evidenceAt = 7;
const textsAt = 8;
const proseAt = 9;
const totalsWidth = 10;

/** Values written for a role. */
const roleWidth = 11;

const noCard = Float32Array.of(0, 0, 0, 0, -1, -1, -1, 0);
const cardWidth = noCard.length;
/** Index of the block's place in its card. */
const placeAt = 6;

/** Describes the role of each block, and the innermost and outermost card that it is in. */
export class RoleFeatures {
	readonly #blocks: readonly Block[];
	readonly #alike: Int32Array;
	readonly #sums: Sums;
	readonly #roles: Roles;
	readonly #rows: Float32Array;
	/** By the index of the box, once a block has asked for it. */
	readonly #cards: Float32Array;
	readonly #isMeasured: Uint8Array;
	/** Of each box the index of the innermost and of the outermost card around it, or -1. */
	readonly #inner: Int32Array;
	readonly #outer: Int32Array;
	readonly #boxes: readonly Box[];

	constructor({ blocks, boxes, roles, sums }: Segments, surveyed: Survey) {
		const { alike } = surveyed.boxes;
		this.#blocks = blocks;
		this.#boxes = boxes;
		this.#alike = alike;
		this.#sums = sums;
		this.#roles = roles;
		this.#rows = describeRoles(roles, surveyed);
		this.#cards = new Float32Array(boxes.length * cardWidth);
		this.#isMeasured = new Uint8Array(boxes.length);
		this.#inner = new Int32Array(boxes.length).fill(-1);
		this.#outer = new Int32Array(boxes.length).fill(-1);
		for (const { index, parent, start, end } of boxes) {
			const isCard = alike[index]! >= minSeries && end > start;
			const outer = parent === null ? -1 : this.#outer[parent.index]!;
			this.#inner[index] = isCard ? index : parent === null ? -1 : this.#inner[parent.index]!;
			this.#outer[index] = outer < 0 && isCard ? index : outer;
		}
	}

	write(out: RowWriter, i: number): void {
		out.addFrom(this.#rows, this.#roles.of[i]! * roleWidth, roleWidth);
		const { index } = this.#blocks[i]!.box;
		this.#writeCard(out, this.#inner[index]!, i);
		this.#writeCard(out, this.#outer[index]!, i);
	}

	#writeCard(out: RowWriter, index: number, i: number): void {
		const card = this.#boxes[index];
		if (card === undefined) {
			out.addAll(noCard);
			return;
		}
		if (this.#isMeasured[index] === 0) this.#measure(card);
		this.#cards[index * cardWidth + placeAt] = i - card.start;
		out.addFrom(this.#cards, index * cardWidth, cardWidth);
	}

	/** A card next to its siblings. */
	#measure(card: Box): void {
		const { words, chars, linked, prose } = this.#sums;
		const series = card.parent ?? card;
		const alike = this.#alike[card.index]!;
		const all = within(words, series);
		const count = this.#blocks.length;
		const into = this.#cards;
		let at = card.index * cardWidth;
		into[at++] = log(alike);
		into[at++] = log(within(words, card));
		into[at++] = log(all / alike);
		into[at++] = ratio(within(linked, series), within(chars, series));
		into[at++] = ratio(all, words[count]!);
		into[at++] = ratio(within(prose, series), prose[count]!);
		into[at + 1] = log(card.end - card.start);
		this.#isMeasured[card.index] = 1;
	}
}

function describeRoles({ of, count }: Roles, { blocks, sums, evidence, copies }: Survey): Float32Array {
	const totals = new Float64Array(count * totalsWidth);
	const first = new Int32Array(count).fill(-1);
	const last = new Int32Array(count);
	for (let i = 0; i < blocks.length; i++) {
		const { box, size, linked } = blocks[i]!;
		if (box.hidden) continue;
		const role = of[i]!;
		const at = role * totalsWidth;
		totals[at]!++;
		totals[at + wordsAt]! += size.words;
		totals[at + logWordsAt]! += log(size.words);
		totals[at + linkedAt]! += linked;
		totals[at + charsAt]! += size.chars;
		totals[at + stopsAt]! += size.stops;
		totals[at + digitsAt]! += size.digits;
		totals[at + evidenceAt]! += evidence[i]!.sum;
		totals[at + proseAt]! += between(sums.prose, i, i + 1);
		if (copies[i]!.role !== role) {
			totals[at + textsAt]!++;
			copies[i]!.role = role;
		}
		if (first[role]! < 0) first[role] = i;
		last[role] = i;
	}
	const words = sums.words[blocks.length]!;
	const prose = sums.prose[blocks.length]!;
	const rows = new Float32Array(count * roleWidth);
	for (let role = 0; role < count; role++) {
		const from = role * totalsWidth;
		const n = totals[from]!;
		let at = role * roleWidth;
		rows[at++] = log(n);
		rows[at++] = ratio(totals[from + logWordsAt]!, n);
		rows[at++] = ratio(totals[from + linkedAt]!, totals[from + charsAt]!);
		rows[at++] = ratio(totals[from + stopsAt]!, totals[from + wordsAt]!);
		rows[at++] = ratio(totals[from + digitsAt]!, totals[from + charsAt]!);
		rows[at++] = ratio(totals[from + evidenceAt]!, n);
		rows[at++] = ratio(totals[from + textsAt]!, n);
		rows[at++] = ratio(totals[from + wordsAt]!, words);
		rows[at++] = ratio(totals[from + proseAt]!, prose);
		rows[at++] = (last[role]! - first[role]!) / blocks.length;
		rows[at] = first[role]! / blocks.length;
	}
	return rows;
}
