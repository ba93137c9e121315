import type { Block, Box, Segments } from './blocks.ts';
import { kindBit } from './hints.ts';

/** What is left of the probability of a block in a part of an article that is mostly not its text. */
const PARTS: ReadonlyMap<string, number> = new Map([
	['figcaption', 0.3],
	['aside', 0.5],
]);
const PROMOTED = 0.6;
const CAPTION_TRUST = 0.5;
/** Captions are short, in words. */
const MOST_CAPTION = 50;
/** What the article shows of a network is part of it, strange as it looks there: no less likely than this. */
const EMBEDDED = 0.85;
const EMBED = /(?:^|\s)(?:twitter-tweet|instagram-media|tiktok-embed|bluesky-embed|fb-post)(?=$|\s)/;

const PROMO = kindBit('promo');
const CAPTION = kindBit('caption');

/** A part with more of the page's words than this is the page, whatever it calls itself. */
const MOST = 0.5;

/** What becomes of the probability of a block, in an article, by the parts that it stands in. */
export class ArticleTrust {
	/** By the index of the box; negative in an embedded post. */
	readonly #shares: Float64Array;

	constructor({ blocks, boxes, names, sums }: Segments) {
		this.#shares = new Float64Array(boxes.length);
		const embeds = names.map(({ className }) => EMBED.test(className));
		const { words } = sums;
		const most = MOST * words[blocks.length]!;
		for (const box of boxes) {
			const around = box.parent === null ? 1 : this.#shares[box.parent.index]!;
			const isWhole = words[box.end]! - words[box.start]! > most;
			this.#shares[box.index] = isWhole ? around : embeds[box.names.index] ? -1 : Math.min(around, shareOf(box));
		}
	}

	judge({ box, size }: Block, probability: number): number {
		const share = this.#shares[box.index]!;
		if (share < 0) return Math.max(probability, EMBEDDED);
		const isCaption = size.words < MOST_CAPTION && (newKinds(box) & CAPTION) !== 0;
		return probability * (isCaption ? Math.min(share, CAPTION_TRUST) : share);
	}
}

const shareOf = (box: Box): number => Math.min(PARTS.get(box.element.tag) ?? 1, newKinds(box) & PROMO ? PROMOTED : 1);

/** The kinds of parts that a box is by its own names. */
const newKinds = ({ kinds, parent }: Box): number => kinds & ~(parent?.kinds ?? 0);
