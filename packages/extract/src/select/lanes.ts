import { decodeBase64 } from './base64.ts';
import { type Forest, LANES, type Lanes, MOST_LEAVES, type Splits } from './forest.ts';
import { lanesCode } from './lanes-code.ts';
import type { Matrix } from './row-writer.ts';

/** The same forest, which asks about four rows at a time where the runtime compiles WebAssembly. */
export function withLanes(forest: Forest): Forest {
	try {
		return { ...forest, lanes: new ForestLanes(forest) };
	} catch {
		// Compiling at run time is forbidden, SIMD is missing, or there is no room for another memory.
		return forest;
	}
}

const PAGE = 65_536;
const FEATURE_BYTES = 8;
const SPLIT_BYTES = 12;
const LANE_BYTES = 16;

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
			size += Math.ceil(bytes / LANE_BYTES) * LANE_BYTES;
			return at;
		};
		const sums = place(8 * LANES);
		const rows = place(4 * LANES * width);
		const shared = place(4 * trees);
		this.#left = place(LANE_BYTES * trees);
		this.#leaves = place(4 * MOST_LEAVES * trees);
		const belowAt = place(bytesOf(below));
		const aboveAt = place(bytesOf(above));
		const memory = new WebAssembly.Memory({ initial: Math.ceil(size / PAGE) });
		const { buffer } = memory;
		this.#base = base;
		this.#trees = trees;
		this.#width = width;
		this.#sums = new Float64Array(buffer, sums, LANES);
		this.#rows = new Float32Array(buffer, rows, LANES * width);
		this.#shared = new Int32Array(buffer, shared, trees);
		new Float32Array(buffer, this.#leaves, leaves.length).set(leaves);
		this.#below = new SplitTable(buffer, belowAt, below);
		this.#above = new SplitTable(buffer, aboveAt, above);
		compiled ??= new WebAssembly.Module(decodeBase64(lanesCode));
		this.#vote = new WebAssembly.Instance(compiled, { m: { m: memory } }).exports.vote as Vote;
	}

	vote({ data, width }: Matrix, rows: Int32Array, count: number, shared: Int32Array, sums: Float64Array): void {
		const copied = Math.min(width, this.#width);
		for (let lane = 0; lane < count; lane++) {
			const start = rows[lane]! * width;
			this.#rows.set(data.subarray(start, start + copied), lane * this.#width);
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
	FEATURE_BYTES * features.length + SPLIT_BYTES * thresholds.length;

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
		const first = FEATURE_BYTES * features.length;
		features.forEach((feature, i) => {
			view.setInt32(FEATURE_BYTES * i, 4 * feature, true);
			view.setInt32(FEATURE_BYTES * i + 4, start + first + SPLIT_BYTES * starts[i]!, true);
		});
		thresholds.forEach((threshold, i) => {
			const at = first + SPLIT_BYTES * i;
			view.setFloat32(at, threshold, true);
			view.setInt32(at + 4, LANE_BYTES * noes[2 * i]!, true);
			view.setInt32(at + 8, ~noes[2 * i + 1]!, true);
		});
	}

	/** The address after the features of rows of this width. */
	endOf(width: number): number {
		if (width !== this.#width) {
			let count = 0;
			while (count < this.#features.length && this.#features[count]! < width) count++;
			this.#width = width;
			this.#end = this.start + FEATURE_BYTES * count;
		}
		return this.#end;
	}
}
