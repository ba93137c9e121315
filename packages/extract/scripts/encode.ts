// Writes models as the package reads them: src/select/model/model.ts and read-forest.ts.
import type { Lexicon } from '../src/select/features/lexicon.ts';
import type { ModelData } from '../src/select/model/model.ts';
import type { Model, Tree } from './boost.ts';
import { type Weights, weightsOf, weightsOfPlaces } from './lexicons.ts';

/** All that is learned for the package. */
export interface LearnedModel {
	readonly names: Lexicon;
	readonly words: Lexicon;
	/** By type. */
	readonly typeLexicons: readonly Lexicon[];
	readonly types: readonly Model[];
	readonly blocks: Model;
	/** The middle value of each feature of the blocks. */
	readonly middles: readonly number[];
}

/** So many trees decide most blocks: they are the first part of the forest. */
export const first = 80;

export function encodeModel({ names, words, typeLexicons, types, blocks, middles }: LearnedModel): ModelData {
	const out = new Writer();
	const data = {
		names: writeWords(out, weightsOf(names)),
		words: writeWords(out, weightsOf(words)),
		typeWords: weightsOfPlaces(typeLexicons).map((place) => writeWords(out, place)),
	};
	for (const forest of types) writeForest(out, forest);
	writeForest(out, blocks, first, middles);
	return { ...data, numbers: out.toBase64() };
}

/** One forest alone. */
export function encodeForest(model: Model, first?: number, middles?: readonly number[]): Uint8Array<ArrayBuffer> {
	const out = new Writer();
	writeForest(out, model, first, middles);
	return out.toBytes();
}

/** Bytes that grow as they are written. */
class Writer {
	readonly #bytes: number[] = [];

	unsigned(size: number, values: readonly number[]): void {
		this.#write(size, values, 0, 2 ** (8 * size) - 1);
	}

	signed(size: number, values: readonly number[]): void {
		const limit = 2 ** (8 * size - 1);
		this.#write(size, values, -limit, limit - 1);
	}

	float32(values: readonly number[]): void {
		const view = new DataView(new ArrayBuffer(4));
		for (const value of values) {
			view.setFloat32(0, value);
			for (let at = 0; at < 4; at++) this.#bytes.push(view.getUint8(at));
		}
	}

	#write(size: number, values: readonly number[], least: number, most: number): void {
		for (const value of values) {
			if (!(value >= least && value <= most)) throw new RangeError(`${value} does not fit into ${size} bytes`);
			for (let at = size - 1; at >= 0; at--) this.#bytes.push((value >> (8 * at)) & 0xff);
		}
	}

	toBytes(): Uint8Array<ArrayBuffer> {
		return Uint8Array.from(this.#bytes);
	}

	toBase64(): string {
		return Buffer.from(this.#bytes).toString('base64').replace(/=+$/, '');
	}
}

/** Weights in twentieths. */
function writeWords(out: Writer, { words, weights }: Weights): string {
	out.signed(
		1,
		weights.map((weight) => Math.round(weight * 20)),
	);
	return words.join(' ');
}

/** A split of a tree on one of the thresholds of a feature, and the leaves on its yes side. */
interface Split {
	readonly feature: number;
	readonly threshold: number;
	readonly asksAbove: boolean;
	readonly tree: number;
	readonly firstLeaf: number;
	readonly lastLeaf: number;
}

/**
 * The format is described at `readForest`. A split asks whether the value is below its threshold, or where the middle
 * value of the feature is below it already, whether the value is not: few rows say no then.
 */
function writeForest(out: Writer, { base, trees }: Model, first = trees.length, middles: readonly number[] = []): void {
	const parts = [trees.slice(0, first), trees.slice(first)].filter((part) => part.length > 0);
	out.unsigned(1, [parts.length]);
	for (const [i, part] of parts.entries()) {
		const placed = part.map((tree, number) => placeLeaves(tree, number, middles));
		out.unsigned(2, [part.length]);
		out.float32([i === 0 ? base : 0]);
		out.unsigned(
			1,
			placed.map(({ leaves }) => leaves.length),
		);
		out.signed(
			2,
			placed.flatMap(({ leaves }) => leaves.map((leaf) => Math.round(leaf * 10_000))),
		);
		const splits = placed.flatMap((tree) => tree.splits);
		for (const asksAbove of [false, true]) {
			const own = splits.filter((split) => split.asksAbove === asksAbove);
			writeSplits(out, own, asksAbove ? -1 : 1);
		}
	}
}

/** The leaves of a tree, those on the yes side of each split first, and its splits. */
function placeLeaves(
	tree: Tree,
	number: number,
	middles: readonly number[],
): { readonly leaves: number[]; readonly splits: Split[] } {
	const leaves: number[] = [];
	const splits: Split[] = [];
	const place = (index: number): void => {
		const { feature, threshold, left, right, value } = tree[index]!;
		if (feature < 0) {
			leaves.push(value);
			return;
		}
		const asksAbove = threshold <= (middles[feature] ?? Number.NEGATIVE_INFINITY);
		const firstLeaf = leaves.length;
		place(asksAbove ? right : left);
		splits.push({ feature, threshold, asksAbove, tree: number, firstLeaf, lastLeaf: leaves.length - 1 });
		place(asksAbove ? left : right);
	};
	place(0);
	return { leaves, splits };
}

/** @param order 1 for ascending thresholds, -1 for descending: the order in which they say no */
function writeSplits(out: Writer, splits: readonly Split[], order: number): void {
	const features = [...groupBy(splits, ({ feature }) => feature)].sort(([a], [b]) => a - b);
	const thresholds = features.map(([, own]) =>
		[...groupBy(own, ({ threshold }) => threshold)].sort(([a], [b]) => order * (a - b)),
	);
	const all = thresholds.flat();
	out.unsigned(2, [features.length, all.length]);
	out.unsigned(
		2,
		features.map(([feature]) => feature),
	);
	out.unsigned(
		1,
		thresholds.map(({ length }) => length),
	);
	out.float32(all.map(([threshold]) => threshold));
	out.unsigned(
		2,
		all.map(([, own]) => own.length),
	);
	out.unsigned(
		3,
		all.flatMap(([, own]) => own.map(({ tree, firstLeaf, lastLeaf }) => (tree << 10) | (firstLeaf << 5) | lastLeaf)),
	);
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
	const groups = new Map<number, T[]>();
	for (const item of items) {
		const group = groups.get(keyOf(item));
		if (group === undefined) groups.set(keyOf(item), [item]);
		else group.push(item);
	}
	return groups;
}
