import type { Matrix } from '../features/row-writer.ts';

/** A tree has no more leaves than a number has bits. */
export const maxLeaves = 32;

/**
 * Boosted trees, in the order in which they are asked. No tree is walked down: each keeps a bit for each of its leaves,
 * the first in the highest. A split whose answer is no rules out the leaves on its yes side, and when all have spoken
 * the first leaf that is left is the one a walk would have ended at (QuickScorer, Lucchese et al., SIGIR 2015). The
 * splits on one feature stand together, by threshold, so that a row asks only those that say no, one after the other,
 * with no branch that a processor could not foresee. A split asks for what is unusual, so that few say no: whether the
 * value is below its threshold, or whether it is not.
 */
export interface Forest {
	readonly base: number;
	readonly trees: number;
	/** The values of the leaves: `maxLeaves` places for each tree. */
	readonly leaves: Float32Array;
	/** The splits whose answer is yes below their threshold, and those whose answer is yes from it on. */
	readonly below: Splits;
	readonly above: Splits;
	/** Asks about four rows at a time. Absent where the runtime does not compile WebAssembly, and for single rows. */
	readonly lanes?: Lanes | undefined;
}

/** See `ForestLanes`. */
export interface Lanes {
	/**
	 * Adds to the sums of some rows what the trees say.
	 *
	 * @param rows at most four
	 * @param shared the leaves that the features common to all rows leave
	 */
	vote(matrix: Matrix, rows: Int32Array, count: number, shared: Int32Array, sums: Float64Array): void;
}

/** Splits by feature, each feature's in the order in which they say no. */
export interface Splits {
	/** The features that have any. */
	readonly features: Int32Array;
	/** Start of the splits on each feature. They end with a threshold of NaN, which is never exceeded. */
	readonly starts: Int32Array;
	readonly thresholds: Float32Array;
	/** Two numbers for each split: its tree, and the leaves that stay when the answer is no. */
	readonly noes: Int32Array;
}

/**
 * A row of which the first part is this sure, as a logarithm of odds, is not shown to the rest, which would make it
 * surer still: by so much on average. More than half of the blocks are; of 1,021 pages with ground truth the choice is
 * another on some twenty-five, as often a better one as a worse.
 */
const sure = 2.5;
const surer = 1.35;

/**
 * The probability of each row.
 *
 * @param parts of one forest, in their order
 * @param common the features after those of the rows, which are the same for all of these
 */
export function predict(parts: readonly Forest[], matrix: Matrix, common = noFeatures): Float64Array {
	const sums = new Float64Array(matrix.rows);
	for (const part of parts) addVotes(part, matrix, common, sums);
	return sums.map((sum) => 1 / (1 + Math.exp(-sum)));
}

const noFeatures = new Float32Array(0);

/** The leaves that are left of each tree, by the common features and for one row: forests of one size take turns. */
let shared = new Int32Array(0);
let left = new Int32Array(0);

/** Adds to the sums what a part of the forest says; of a row that is decided, what it would say. */
function addVotes(part: Forest, matrix: Matrix, common: Float32Array, sums: Float64Array): void {
	const { rows, width, data } = matrix;
	if (shared.length !== part.trees) {
		shared = new Int32Array(part.trees);
		left = new Int32Array(part.trees);
	}
	shared.fill(-1);
	const below = countBefore(width, part.below);
	const above = countBefore(width, part.above);
	askBelow(part.below, shared, common, -width, below, countBefore(width + common.length, part.below));
	askAbove(part.above, shared, common, -width, above, countBefore(width + common.length, part.above));
	let count = 0;
	for (let row = 0; row < rows; row++) {
		const before = sums[row]!;
		if (Math.abs(before) > sure) {
			sums[row] = before * surer;
			continue;
		}
		if (part.lanes !== undefined) {
			group[count++] = row;
			if (count < lanes) continue;
			part.lanes.vote(matrix, group, count, shared, sums);
			count = 0;
			continue;
		}
		left.set(shared);
		askBelow(part.below, left, data, row * width, 0, below);
		askAbove(part.above, left, data, row * width, 0, above);
		sums[row] = addLeaves(part, left, before);
	}
	if (count > 0) part.lanes?.vote(matrix, group, count, shared, sums);
}

/** Rows that are asked about at once. */
export const lanes = 4;
const group = new Int32Array(lanes);

/** How many of the features that are asked for come before this one. */
function countBefore(feature: number, { features }: Splits): number {
	let count = 0;
	while (count < features.length && features[count]! < feature) count++;
	return count;
}

/**
 * Takes away the leaves that some features rule out.
 *
 * @param at where the value of feature 0 is, or would be
 */
function askBelow(splits: Splits, left: Int32Array, values: Float32Array, at: number, from: number, to: number): void {
	const { features, starts, thresholds, noes } = splits;
	for (let k = from; k < to; k++) {
		const value = values[at + features[k]!]!;
		for (let i = starts[k]!; value >= thresholds[i]!; i++) left[noes[2 * i]!]! &= noes[2 * i + 1]!;
	}
}

/** The same for the other splits. */
function askAbove(splits: Splits, left: Int32Array, values: Float32Array, at: number, from: number, to: number): void {
	const { features, starts, thresholds, noes } = splits;
	for (let k = from; k < to; k++) {
		const value = values[at + features[k]!]!;
		for (let i = starts[k]!; value < thresholds[i]!; i++) left[noes[2 * i]!]! &= noes[2 * i + 1]!;
	}
}

function addLeaves({ base, trees, leaves }: Forest, left: Int32Array, before: number): number {
	let sum = before + base;
	for (let tree = 0; tree < trees; tree++) sum += leaves[tree * maxLeaves + Math.clz32(left[tree]!)]!;
	return sum;
}
