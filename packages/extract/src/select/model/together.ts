import type { Block } from '../read/box.ts';
import type { Roles } from '../read/roles.ts';

/** The fewest blocks of one role that are judged together. */
const minTogether = 4;
/** The weight of the role's mean beside a block's own probability. */
const together = 0.7;
/** The mean is of logarithms of odds, and no block is surer than this. */
const surest = 0.99;

/**
 * The probability of each block, moved towards the mean of the visible blocks of its role: prices of cards are content
 * on all cards, or on none.
 */
export function judgeTogether(
	{ of, count }: Roles,
	blocks: readonly Block[],
	probabilities: ArrayLike<number>,
): Float64Array {
	const judged = Float64Array.from(probabilities);
	const odds = new Float64Array(blocks.length);
	const sums = new Float64Array(count);
	const counts = new Int32Array(count);
	for (let i = 0; i < blocks.length; i++) {
		if (blocks[i]!.box.hidden) continue;
		const bounded = Math.min(Math.max(judged[i]!, 1 - surest), surest);
		const role = of[i]!;
		odds[i] = Math.log(bounded / (1 - bounded));
		sums[role]! += odds[i]!;
		counts[role]!++;
	}
	for (let i = 0; i < blocks.length; i++) {
		const role = of[i]!;
		const n = counts[role]!;
		if (n < minTogether || blocks[i]!.box.hidden) continue;
		judged[i] = 1 / (1 + Math.exp((together - 1) * odds[i]! - (together * sums[role]!) / n));
	}
	return judged;
}
