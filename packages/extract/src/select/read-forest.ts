import { type Forest, MOST_LEAVES } from './forest.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function decodeBase64(text: string): Uint8Array {
	const codes = new Uint8Array(128);
	for (let i = 0; i < ALPHABET.length; i++) codes[ALPHABET.charCodeAt(i)] = i;
	const bytes = new Uint8Array((text.length * 3) >> 2);
	let bits = 0;
	let held = 0;
	let at = 0;
	for (let i = 0; i < text.length; i++) {
		held = ((held << 6) | codes[text.charCodeAt(i)]!) & 0xffffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			bytes[at++] = held >> bits;
		}
	}
	return bytes;
}

const LEAF = 0x8000;
const ZERO = 0x4000;

/** A split on one of the thresholds of a feature. */
interface Split {
	readonly tree: number;
	/** The leaves on its yes side, from `first` up to `end`. */
	readonly first: number;
	end: number;
}

/** A bit for each of the leaves that are not between these. */
const allBut = ({ first, end }: Split): number => ~((-1 >>> first) & ~(end < MOST_LEAVES ? -1 >>> end : 0));

/**
 * Reads trees as `scripts/train.ts` writes them: base (float32), number of trees and of features (uint16), for each
 * feature the number of its thresholds (uint8) and those, ascending (float32), then each tree in preorder: a split is
 * its feature (uint16) and which of the thresholds (uint8), a leaf is a value in 1/10,000 above 0xc000 (uint16).
 *
 * @param first so many trees are the first part of the forest, all others the second: see `predict`
 */
export function readForest(encoded: string, first = Number.POSITIVE_INFINITY): Forest[] {
	const bytes = decodeBase64(encoded);
	const view = new DataView(bytes.buffer);
	const base = view.getFloat32(0);
	const trees = view.getUint16(4);
	const features: { threshold: number; splits: Split[] }[][] = [];
	let at = 8;
	for (let feature = view.getUint16(6); feature > 0; feature--) {
		const own = Array.from({ length: view.getUint8(at++) }, () => ({ threshold: 0, splits: [] as Split[] }));
		for (const one of own) {
			one.threshold = view.getFloat32(at);
			at += 4;
		}
		features.push(own);
	}
	const leaves = new Float32Array(trees * MOST_LEAVES);
	for (let tree = 0; tree < trees; tree++) {
		/** Splits whose no side has yet to come. */
		const waiting: Split[] = [];
		for (let leaf = 0; ; ) {
			const code = view.getUint16(at);
			at += 2;
			if (code < LEAF) {
				const split = { tree, first: leaf, end: leaf };
				features[code]![view.getUint8(at++)]!.splits.push(split);
				waiting.push(split);
				continue;
			}
			leaves[tree * MOST_LEAVES + leaf++] = ((code & ~LEAF) - ZERO) / 10_000;
			const split = waiting.pop();
			if (split === undefined) break;
			split.end = leaf;
		}
	}
	const part = (start: number, end: number): Forest => ({
		base: start === 0 ? base : 0,
		trees: end - start,
		leaves: leaves.subarray(start * MOST_LEAVES, end * MOST_LEAVES),
		...byFeature(features, start, end),
	});
	return first < trees ? [part(0, first), part(first, trees)] : [part(0, trees)];
}

type Splits = Pick<Forest, 'starts' | 'thresholds' | 'noes'>;

/** All splits of some trees in one run, by feature and threshold, with an end after those of each feature. */
function byFeature(features: readonly { threshold: number; splits: Split[] }[][], start: number, end: number): Splits {
	const starts: number[] = [];
	const thresholds: number[] = [];
	const noes: number[] = [];
	for (const feature of features) {
		starts.push(thresholds.length);
		for (const { threshold, splits } of feature) {
			for (const split of splits) {
				if (split.tree < start || split.tree >= end) continue;
				thresholds.push(threshold);
				noes.push(split.tree - start, allBut(split));
			}
		}
		thresholds.push(Number.NaN);
		noes.push(0, -1);
	}
	return {
		starts: Int32Array.from(starts),
		thresholds: Float32Array.from(thresholds),
		noes: Int32Array.from(noes),
	};
}
