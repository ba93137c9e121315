import type { Segments } from '../read/blocks.ts';
import type { Block, Box } from '../read/box.ts';
import { kindBit } from '../read/hints.ts';

/** Factor for the probability of a block in a part of an article that is rarely its text. */
const parts: ReadonlyMap<string, number> = new Map([
	['figcaption', 0.3],
	['aside', 0.5],
]);
const promoted = 0.6;
const captionTrust = 0.5;
/** Captions are short, in words. */
const maxCaption = 50;
/** Lower bound for embedded posts of social networks, which belong to the article although they look foreign. */
const embedded = 0.85;
const embed = /(?:^|\s)(?:twitter-tweet|instagram-media|tiktok-embed|bluesky-embed|fb-post)(?=$|\s)/;

const promoBit = kindBit('promo');
const captionBit = kindBit('caption');

/** A part with more of the page's words than this is the page, whatever it calls itself. */
const maxShare = 0.5;

/** Lowers the probability of blocks of an article by the parts that contain them. */
export class ArticleTrust {
	/** By the index of the box; negative in an embedded post. */
	readonly #shares: Float64Array;

	constructor({ blocks, boxes, names, sums }: Segments) {
		this.#shares = new Float64Array(boxes.length);
		const embeds = names.map(({ className }) => embed.test(className));
		const { words } = sums;
		const most = maxShare * words[blocks.length]!;
		for (const box of boxes) {
			const around = box.parent === null ? 1 : this.#shares[box.parent.index]!;
			const isWhole = words[box.end]! - words[box.start]! > most;
			this.#shares[box.index] = isWhole ? around : embeds[box.names.index] ? -1 : Math.min(around, shareOf(box));
		}
	}

	judge({ box, size }: Block, probability: number): number {
		const share = this.#shares[box.index]!;
		if (share < 0) return Math.max(probability, embedded);
		const isCaption = size.words < maxCaption && (newKinds(box) & captionBit) !== 0;
		return probability * (isCaption ? Math.min(share, captionTrust) : share);
	}
}

const shareOf = (box: Box): number =>
	Math.min(parts.get(box.element.tag) ?? 1, newKinds(box) & promoBit ? promoted : 1);

/** The kinds of parts that a box is by its own names. */
const newKinds = ({ kinds, parent }: Box): number => kinds & ~(parent?.kinds ?? 0);
