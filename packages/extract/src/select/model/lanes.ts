import { fromBase64 } from '@exodus/bytes/base64.js';
import type { Matrix } from '../features/row-writer.ts';
import { type Forest, type Lanes, lanes, maxLeaves, type Splits } from './forest.ts';
import { lanesCode } from './lanes-code.ts';

/** The same forest, which asks about four rows at a time where the runtime compiles WebAssembly. */
export function withLanes(forest: Forest): Forest {
	try {
		return { ...forest, lanes: new ForestLanes(forest) };
	} catch {
		// Compiling at run time is forbidden, SIMD is missing, or there is no room for another memory.
		return forest;
	}
}

const page = 65_536;
const featureBytes = 8;
const splitBytes = 12;
const laneBytes = 16;

let compiled: WebAssembly.Module | undefined;

type Vote = (
	sums: number,
	leaves: number,
	shared: number,
	left: number,
	trees: number,
	row0: number,
	row1: number,
	row2: number,
	row3: number,
	below: number,
	belowEnd: number,
	above: number,
	aboveEnd: number,
) => void;

/**
 * A forest in the memory of a WebAssembly function with SIMD, which asks about four rows at a time: rows that follow
 * each other share most answers. `scripts/forest-lanes.ts` assembles it. The sums are those of `addVotes`, to the bit.
 */
class ForestLanes implements Lanes {
	readonly #base: number;
	readonly #trees: number;
	/** Values of a row that are asked for. */
	readonly #width: number;
	readonly #vote: Vote;
	readonly #sums: Float64Array;
	readonly #rows: Float32Array;
	readonly #shared: Int32Array;
	readonly #left: number;
	readonly #leaves: number;
	readonly #below: SplitTable;
	readonly #above: SplitTable;

	constructor({ base, trees, leaves, below, above }: Forest) {
		const width = 1 + Math.max(below.features.at(-1) ?? 0, above.features.at(-1) ?? 0);
		let size = 0;
		const place = (bytes: number): number => {
			const at = size;
			size += Math.ceil(bytes / laneBytes) * laneBytes;
			return at;
		};
		const sums = place(8 * lanes);
		const rows = place(4 * lanes * width);
		const shared = place(4 * trees);
		this.#left = place(laneBytes * trees);
		this.#leaves = place(4 * maxLeaves * trees);
		const belowAt = place(bytesOf(below));
		const aboveAt = place(bytesOf(above));
		const memory = new WebAssembly.Memory({ initial: Math.ceil(size / page) });
		const { buffer } = memory;
		this.#base = base;
		this.#trees = trees;
		this.#width = width;
		this.#sums = new Float64Array(buffer, sums, lanes);
		this.#rows = new Float32Array(buffer, rows, lanes * width);
		this.#shared = new Int32Array(buffer, shared, trees);
		new Float32Array(buffer, this.#leaves, leaves.length).set(leaves);
		this.#below = new SplitTable(buffer, belowAt, below);
		this.#above = new SplitTable(buffer, aboveAt, above);
		compiled ??= new WebAssembly.Module(fromBase64(lanesCode));
		this.#vote = new WebAssembly.Instance(compiled, { m: { m: memory } }).exports.vote as Vote;
	}

	vote({ data, width }: Matrix, rows: Int32Array, count: number, shared: Int32Array, sums: Float64Array): void {
		const copied = Math.min(width, this.#width);
		const into = this.#rows;
		for (let lane = 0; lane < count; lane++) {
			const from = rows[lane]! * width;
			const to = lane * this.#width;
			// A view of the row, to copy it whole, is one more object for each row.
			for (let at = 0; at < copied; at++) into[to + at] = data[from + at]!;
			this.#sums[lane] = sums[rows[lane]!]! + this.#base;
		}
		this.#shared.set(shared);
		const row = (lane: number): number => this.#rows.byteOffset + 4 * this.#width * Math.min(lane, count - 1);
		this.#vote(
			0,
			this.#leaves,
			this.#shared.byteOffset,
			this.#left,
			this.#trees,
			row(0),
			row(1),
			row(2),
			row(3),
			this.#below.start,
			this.#below.endOf(width),
			this.#above.start,
			this.#above.endOf(width),
		);
		for (let lane = 0; lane < count; lane++) sums[rows[lane]!] = this.#sums[lane]!;
	}
}

/** Room for a table of splits. */
const bytesOf = ({ features, thresholds }: Splits): number =>
	featureBytes * features.length + splitBytes * thresholds.length;

/** Splits in the memory: for each feature its place in a row and the address of its first split, then all splits. */
class SplitTable {
	readonly start: number;
	readonly #features: Int32Array;
	#width = -1;
	#end = 0;

	constructor(buffer: ArrayBuffer, start: number, { features, starts, thresholds, noes }: Splits) {
		this.start = start;
		this.#features = features;
		const view = new DataView(buffer, start);
		const first = featureBytes * features.length;
		for (let i = 0; i < features.length; i++) {
			view.setInt32(featureBytes * i, 4 * features[i]!, true);
			view.setInt32(featureBytes * i + 4, start + first + splitBytes * starts[i]!, true);
		}
		for (let i = 0, at = first; i < thresholds.length; i++, at += splitBytes) {
			view.setFloat32(at, thresholds[i]!, true);
			view.setInt32(at + 4, laneBytes * noes[2 * i]!, true);
			view.setInt32(at + 8, ~noes[2 * i + 1]!, true);
		}
	}

	/** The address after the features of rows of this width. */
	endOf(width: number): number {
		if (width !== this.#width) {
			let count = 0;
			while (count < this.#features.length && this.#features[count]! < width) count++;
			this.#width = width;
			this.#end = this.start + featureBytes * count;
		}
		return this.#end;
	}
}
