import type { Block, Box } from './blocks.ts';
import { kindBit } from './hints.ts';

/** What is left of the probability of a block in a part of an article that is mostly not its text. */
const PARTS: Readonly<Record<string, number>> = { figcaption: 0.3, aside: 0.5 };
const PROMOTED = 0.6;
const CAPTION_TRUST = 0.5;
/** Captions are short, in words. */
const MOST_CAPTION = 50;
/** What the article shows of a network is part of it, strange as it looks there: no less likely than this. */
const EMBEDDED = 0.85;
const EMBED = /(?:^|\s)(?:twitter-tweet|instagram-media|tiktok-embed|bluesky-embed|fb-post)(?=$|\s)/;

const PROMO = kindBit('promo');
const CAPTION = kindBit('caption');

/** How likely the blocks of an article are its text, by the parts that they stand in; a model's word is where it begins. */
export class ArticleTrust {
	/** By the index of the box; negative in an embedded post. */
	readonly #shares: Float64Array;

	constructor(boxes: readonly Box[]) {
		this.#shares = new Float64Array(boxes.length);
		for (const { index, parent, element, kinds } of boxes) {
			const own = Math.min(PARTS[element.tag] ?? 1, kinds & PROMO ? PROMOTED : 1);
			const around = parent === null ? 1 : this.#shares[parent.index]!;
			this.#shares[index] = EMBED.test(element.attributes.class ?? '') ? -1 : Math.min(own, around);
		}
	}

	judge({ box, size }: Block, probability: number): number {
		const share = this.#shares[box.index]!;
		if (share < 0) return Math.max(probability, EMBEDDED);
		const isCaption = size.words < MOST_CAPTION && (box.kinds & ~(box.parent?.kinds ?? 0) & CAPTION) !== 0;
		return probability * (isCaption ? Math.min(share, CAPTION_TRUST) : share);
	}
}
