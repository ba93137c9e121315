import type { ByteReader } from './byte-reader.ts';
import { type Forest, maxLeaves, type Splits } from './forest.ts';

/** Leaves are written as whole numbers of this part of 1. */
const leafUnit = 10_000;
/** Bits of the first leaf on the yes side of a split, and of the last. */
const leafBits = 5;
const leafMask = maxLeaves - 1;

/**
 * Reads a forest as `scripts/encode.ts` writes it: the number of its parts (uint8), and for each the number of its trees
 * (uint16), its base (float32), how many leaves each tree has (uint8), all leaves (int16), its splits below and above.
 */
export function readForest(reader: ByteReader): Forest[] {
	const [parts] = reader.uint8s(1);
	return Array.from({ length: parts! }, () => readPart(reader));
}

function readPart(reader: ByteReader): Forest {
	const trees = reader.uint16s(1)[0]!;
	const base = reader.float32s(1)[0]!;
	return { trees, base, leaves: readLeaves(reader, trees), below: readSplits(reader), above: readSplits(reader) };
}

function readLeaves(reader: ByteReader, trees: number): Float32Array {
	const counts = reader.uint8s(trees);
	const values = reader.int16s(sumOf(counts));
	const leaves = new Float32Array(trees * maxLeaves);
	for (let tree = 0, next = 0; tree < trees; tree++) {
		const end = tree * maxLeaves + counts[tree]!;
		for (let at = tree * maxLeaves; at < end; at++) leaves[at] = values[next++]! / leafUnit;
	}
	return leaves;
}

/**
 * Splits by feature and threshold: how many features they have and how many thresholds (uint16), the features (uint16),
 * how many thresholds each has (uint8), all thresholds (float32), how many splits each has (uint16), and all splits
 * (uint24): the tree, above ten bits for the first and the last leaf on the yes side.
 */
function readSplits(reader: ByteReader): Splits {
	const [featureCount, thresholdCount] = reader.uint16s(2);
	const features = Int32Array.from(reader.uint16s(featureCount!));
	const counts = reader.uint8s(features.length);
	const values = reader.float32s(thresholdCount!);
	const splitCounts = reader.uint16s(values.length);
	const splits = reader.uint24s(sumOf(splitCounts));
	const starts = new Int32Array(features.length);
	const thresholds = new Float32Array(splits.length + features.length);
	const noes = new Int32Array(2 * thresholds.length);
	let at = 0;
	let nextSplit = 0;
	let value = 0;
	for (let k = 0; k < features.length; k++) {
		starts[k] = at;
		for (const end = value + counts[k]!; value < end; value++) {
			thresholds.fill(values[value]!, at, at + splitCounts[value]!);
			for (const last = at + splitCounts[value]!; at < last; at++) {
				const split = splits[nextSplit++]!;
				noes[2 * at] = split >>> (2 * leafBits);
				// A bit for each of the leaves that are not between the first and the last.
				noes[2 * at + 1] = ~((-1 >>> ((split >>> leafBits) & leafMask)) & (-1 << (leafMask - (split & leafMask))));
			}
		}
		thresholds[at] = Number.NaN;
		noes[2 * at + 1] = -1;
		at++;
	}
	return { features, starts, thresholds, noes };
}

function sumOf(counts: ArrayLike<number>): number {
	let sum = 0;
	for (let i = 0; i < counts.length; i++) sum += counts[i]!;
	return sum;
}
