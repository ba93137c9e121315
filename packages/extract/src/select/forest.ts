import type { Matrix } from './row-writer.ts';

/** A tree has no more leaves than a number has bits. */
export const MOST_LEAVES = 32;

/**
 * Boosted trees, in the order in which they are asked. No tree is walked down: each keeps a bit for each of its leaves,
 * the first in the highest. A split whose answer is no rules out the leaves on its yes side, and when all have spoken
 * the first leaf that is left is the one a walk would have ended at (QuickScorer, Lucchese et al., SIGIR 2015). The
 * splits on one feature stand together, by threshold, so that a row asks only those that say no, one after the other,
 * with no branch that a processor could not foresee.
 */
export interface Forest {
	readonly base: number;
	readonly trees: number;
	/** The values of the leaves: `MOST_LEAVES` places for each tree. */
	readonly leaves: Float32Array;
	/** Where the splits on each feature begin: they end with one whose threshold is NaN, which nothing reaches. */
	readonly starts: Int32Array;
	/** The answer of a split is yes below this. */
	readonly thresholds: Float32Array;
	/** Two numbers for each split: its tree, and the leaves that stay when the answer is no. */
	readonly noes: Int32Array;
}

/**
 * The probability of each row.
 *
 * @param common so many of the last features are the same in all rows: they are looked at once
 */
export function predict(forest: Forest, { rows, width, data }: Matrix, common = 0): Float64Array {
	const result = new Float64Array(rows);
	if (rows === 0) return result;
	const shared = new Int32Array(forest.trees).fill(-1);
	const own = width - common;
	ruleOut(forest, shared, data.subarray(0, width), own);
	const left = new Int32Array(forest.trees);
	for (let row = 0; row < rows; row++) {
		left.set(shared);
		ruleOut(forest, left, data.subarray(row * width, row * width + own), 0);
		result[row] = 1 / (1 + Math.exp(-sumOf(forest, left)));
	}
	return result;
}

/** Takes away the leaves that the features of a row from `first` on rule out. */
function ruleOut({ starts, thresholds, noes }: Forest, left: Int32Array, row: Float32Array, first: number): void {
	const end = Math.min(row.length, starts.length);
	for (let feature = first; feature < end; feature++) {
		const value = row[feature]!;
		for (let i = starts[feature]!; value >= thresholds[i]!; i++) left[noes[2 * i]!]! &= noes[2 * i + 1]!;
	}
}

function sumOf({ base, trees, leaves }: Forest, left: Int32Array): number {
	let sum = base;
	for (let tree = 0; tree < trees; tree++) sum += leaves[tree * MOST_LEAVES + Math.clz32(left[tree]!)]!;
	return sum;
}
