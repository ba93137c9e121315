import { decodeBase64 } from './base64.ts';
import { type Forest, MOST_LEAVES, type Splits } from './forest.ts';

const LEAF = 0x8000;
const ZERO = 0x4000;

/** A split on one of the thresholds of a feature. */
interface Split {
	readonly tree: number;
	/** The leaves on its yes side, from `first` up to `end`. */
	readonly first: number;
	readonly end: number;
}

/** What is asked of a feature about one threshold. */
interface Questions {
	readonly threshold: number;
	readonly below: Split[];
	readonly above: Split[];
}

/** A bit for each of the leaves that are not between these. */
const allBut = ({ first, end }: Split): number => ~((-1 >>> first) & ~(end < MOST_LEAVES ? -1 >>> end : 0));

/**
 * Reads trees as `scripts/train.ts` writes them: base (float32), number of trees and of features (uint16), for each
 * feature the number of its thresholds (uint8) and those, ascending (float32), then each tree in preorder: a split is
 * its feature (uint16) and which of the thresholds (uint8), a leaf is a value in 1/10,000 above 0xc000 (uint16).
 *
 * @param first so many trees are the first part of the forest, all others the second: see `predict`
 * @param usual of each feature how many thresholds most rows reach
 */
export function readForest(encoded: string, first = Number.POSITIVE_INFINITY, usual: readonly number[] = []): Forest[] {
	const bytes = decodeBase64(encoded);
	const view = new DataView(bytes.buffer);
	const base = view.getFloat32(0);
	const trees = view.getUint16(4);
	const features: Questions[][] = [];
	let at = 8;
	for (let feature = view.getUint16(6); feature > 0; feature--) {
		const own: Questions[] = [];
		for (let count = view.getUint8(at++); count > 0; count--, at += 4)
			own.push({ threshold: view.getFloat32(at), below: [], above: [] });
		features.push(own);
	}
	const leaves = new Float32Array(trees * MOST_LEAVES);
	for (let tree = 0; tree < trees; tree++) {
		const root = readNode();
		let leaf = 0;
		const place = (node: Node): void => {
			if (typeof node === 'number') {
				leaves[tree * MOST_LEAVES + leaf++] = node;
				return;
			}
			const { feature, rank, small, large } = node;
			const asksAbove = rank < (usual[feature] ?? 0);
			const start = leaf;
			place(asksAbove ? large : small);
			features[feature]![rank]![asksAbove ? 'above' : 'below'].push({ tree, first: start, end: leaf });
			place(asksAbove ? small : large);
		};
		place(root);
	}
	function readNode(): Node {
		const code = view.getUint16(at);
		at += 2;
		if (code >= LEAF) return ((code & ~LEAF) - ZERO) / 10_000;
		const rank = view.getUint8(at++);
		const small = readNode();
		return { feature: code, rank, small, large: readNode() };
	}
	const part = (start: number, end: number): Forest => ({
		base: start === 0 ? base : 0,
		trees: end - start,
		leaves: leaves.subarray(start * MOST_LEAVES, end * MOST_LEAVES),
		below: byFeature(features, 'below', start, end),
		above: byFeature(features, 'above', start, end),
	});
	return first < trees ? [part(0, first), part(first, trees)] : [part(0, trees)];
}

/** A leaf is its value. */
type Node = number | { feature: number; rank: number; small: Node; large: Node };

/** All splits of some trees in one run, by feature and threshold, with an end after those of each feature. */
function byFeature(all: readonly Questions[][], side: 'below' | 'above', start: number, end: number): Splits {
	const features: number[] = [];
	const starts: number[] = [];
	const thresholds: number[] = [];
	const noes: number[] = [];
	all.forEach((questions, feature) => {
		const before = thresholds.length;
		// From below the lowest threshold says no first, from above the highest.
		for (const { threshold, [side]: splits } of side === 'below' ? questions : questions.toReversed()) {
			for (const split of splits) {
				if (split.tree < start || split.tree >= end) continue;
				thresholds.push(threshold);
				noes.push(split.tree - start, allBut(split));
			}
		}
		if (thresholds.length === before) return;
		features.push(feature);
		starts.push(before);
		thresholds.push(Number.NaN);
		noes.push(0, -1);
	});
	return {
		features: Int32Array.from(features),
		starts: Int32Array.from(starts),
		thresholds: Float32Array.from(thresholds),
		noes: Int32Array.from(noes),
	};
}
