import type { Block } from '../read/box.ts';
import { type Flags, flagsOf } from '../read/flags.ts';

/** No threshold is higher than this part of what the kept blocks have on average: an unsure page keeps its best. */
const part = 0.75;

/**
 * The set of blocks that is best in expectation: all whose probability is above the threshold with the highest
 * expected F-measure, counted in words. An uncertain page so keeps more than a certain one would.
 *
 * @param beta how many times as much recall counts as precision
 * @param least no threshold is lower than this, where the page has enough that is likelier
 */
export function choose(blocks: readonly Block[], probabilities: Float64Array, beta = 1, least = 0): Flags {
	const order = new Int32Array(blocks.length);
	for (let i = 0; i < order.length; i++) order[i] = i;
	order.sort((a, b) => probabilities[b]! - probabilities[a]! || a - b);
	let expected = 0;
	for (const i of order) expected += probabilities[i]! * blocks[i]!.size.words;
	const recall = beta ** 2;
	let hit = 0;
	let size = 0;
	let best = 0;
	let threshold = 1;
	let average = 0;
	for (const i of order) {
		const { words } = blocks[i]!.size;
		hit += probabilities[i]! * words;
		size += words;
		const measure = ((1 + recall) * hit) / (size + recall * expected);
		if (measure > best) {
			best = measure;
			threshold = probabilities[i]!;
			average = hit / size;
		}
	}
	const limit = Math.max(threshold, Math.min(least, part * average));
	return flagsOf(blocks, (_, i) => probabilities[i]! >= limit);
}
