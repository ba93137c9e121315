// Writes models as the package reads them (src/select/forest.ts, src/select/model.ts).
import type { Model, Tree } from './boost.ts';

/** Bytes that grow as they are written. */
class Writer {
	readonly bytes: number[] = [];

	uint8(value: number): void {
		this.bytes.push(value & 0xff);
	}

	uint16(value: number): void {
		this.bytes.push((value >> 8) & 0xff, value & 0xff);
	}

	float32(value: number): void {
		const view = new DataView(new ArrayBuffer(4));
		view.setFloat32(0, value);
		for (let at = 0; at < 4; at++) this.bytes.push(view.getUint8(at));
	}
}

/** Trees as bytes, in base64: the thresholds of each feature once, then the trees in preorder (see `readForest`). */
export function encodeForest({ base, trees }: Model): string {
	const thresholds = thresholdsOf(trees);
	const out = new Writer();
	out.float32(base);
	out.uint16(trees.length);
	out.uint16(thresholds.length);
	for (const values of thresholds) {
		out.uint8(values.length);
		for (const value of values) out.float32(value);
	}
	for (const tree of trees) writeNode(out, tree, 0, thresholds);
	return Buffer.from(out.bytes).toString('base64').replace(/=+$/, '');
}

/** Of each feature how many of the thresholds its middle value reaches: see `readForest`. */
export const usualRanks = ({ trees }: Model, middles: readonly number[]): number[] =>
	thresholdsOf(trees).map((values, feature) => values.filter((value) => value <= middles[feature]!).length);

/** For each feature the thresholds that any split compares it with, ascending. */
function thresholdsOf(trees: readonly Tree[]): number[][] {
	const sets: Set<number>[] = [];
	for (const { feature, threshold } of trees.flat()) {
		if (feature < 0) continue;
		while (sets.length <= feature) sets.push(new Set());
		sets[feature]!.add(threshold);
	}
	return sets.map((set) => [...set].sort((a, b) => a - b));
}

function writeNode(out: Writer, tree: Tree, index: number, thresholds: readonly number[][]): void {
	const { feature, threshold, left, right, value } = tree[index]!;
	if (feature < 0) {
		const scaled = Math.round(value * 10_000);
		if (Math.abs(scaled) >= 0x4000) throw new RangeError(`leaf value ${value} does not fit`);
		out.uint16(0x8000 | (scaled + 0x4000));
		return;
	}
	out.uint16(feature);
	out.uint8(thresholds[feature]!.indexOf(threshold));
	writeNode(out, tree, left, thresholds);
	writeNode(out, tree, right, thresholds);
}

export function encodeLexicon(lexicon: ReadonlyMap<string, number>): string {
	return [...lexicon]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([token, weight]) => `${token}=${Math.round(weight * 20)}`)
		.join(' ');
}
