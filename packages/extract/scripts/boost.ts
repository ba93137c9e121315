// Gradient-boosted regression trees on histograms, for logistic loss. Deterministic: no randomness but a fixed seed.

export interface Node {
	/** Feature to compare, or -1 for a leaf. */
	feature: number;
	/** Rows with `value < threshold` go left. */
	threshold: number;
	left: number;
	right: number;
	/** Of a leaf. */
	value: number;
}

export type Tree = Node[];

export interface Model {
	base: number;
	trees: Tree[];
}

export interface Settings {
	trees: number;
	leaves: number;
	rate: number;
	/** Smallest sum of weights in a leaf. */
	minWeight: number;
	/** L2 penalty on leaf values. */
	lambda: number;
	/** Share of features that each tree may use, of rows that it sees. */
	features: number;
	rows: number;
	seed: number;
}

const binCount = 64;

export interface Binned {
	rows: number;
	width: number;
	/** Column by column. */
	bins: Uint8Array[];
	/** Upper borders of each feature's bins. */
	borders: Float32Array[];
}

/** Sorts the values of each feature into bins; `rowAt` gives the rows one by one. */
export function bin(n: number, width: number, rowAt: (i: number) => Float32Array): Binned {
	const step = Math.max(1, Math.floor(n / 20_000));
	const borders: Float32Array[] = [];
	for (let f = 0; f < width; f++) {
		const sample = new Float32Array(Math.ceil(n / step));
		for (let k = 0; k < sample.length; k++) sample[k] = rowAt(k * step)[f]!;
		borders.push(bordersOf(sample.sort()));
	}
	const bins = Array.from({ length: width }, () => new Uint8Array(n));
	for (let i = 0; i < n; i++) {
		const row = rowAt(i);
		for (let f = 0; f < width; f++) {
			const border = borders[f]!;
			const value = row[f]!;
			let low = 0;
			let high = border.length;
			while (low < high) {
				const mid = (low + high) >> 1;
				if (value < border[mid]!) high = mid;
				else low = mid + 1;
			}
			bins[f]![i] = low;
		}
	}
	return { rows: n, width, bins, borders };
}

function bordersOf(sorted: Float32Array): Float32Array {
	const distinct = [...new Set(sorted)];
	const edges: number[] = [];
	if (distinct.length <= binCount) {
		for (let k = 1; k < distinct.length; k++) edges.push((distinct[k - 1]! + distinct[k]!) / 2);
	} else {
		for (let k = 1; k < binCount; k++) {
			const value = sorted[Math.floor((k * sorted.length) / binCount)]!;
			if (edges.length === 0 || value > edges.at(-1)!) edges.push(value);
		}
	}
	return Float32Array.from(edges);
}

export function random(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	};
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

interface Leaf {
	rows: Int32Array;
	node: number;
	/** Gradient and hessian sums of each bin of each used feature. */
	hist: Float64Array;
	g: number;
	h: number;
	gain: number;
	feature: number;
	bin: number;
}

/**
 * Fits trees to `labels` in [0, 1] under `weights`, on the rows given by `train`. `probabilities` are those of these
 * rows and of `others`, which are not trained on.
 */
export function fit(
	data: Binned,
	train: Int32Array,
	others: Int32Array,
	labels: Float64Array,
	weights: Float64Array,
	settings: Settings,
): { model: Model; probabilities: Float64Array } {
	const { rows: n, width, bins, borders } = data;
	const rand = random(settings.seed);
	let sw = 0;
	let sy = 0;
	for (const i of train) {
		sw += weights[i]!;
		sy += weights[i]! * labels[i]!;
	}
	const mean = Math.min(0.99, Math.max(0.01, sy / sw));
	const base = Math.log(mean / (1 - mean));
	const score = new Float64Array(n).fill(base);
	const g = new Float64Array(n);
	const h = new Float64Array(n);
	const trees: Tree[] = [];
	for (let t = 0; t < settings.trees; t++) {
		const used: number[] = [];
		for (let f = 0; f < width; f++) if (borders[f]!.length > 0 && rand() < settings.features) used.push(f);
		const chosen: number[] = [];
		for (const i of train) {
			if (rand() >= settings.rows) continue;
			chosen.push(i);
			const p = sigmoid(score[i]!);
			g[i] = weights[i]! * (p - labels[i]!);
			h[i] = weights[i]! * Math.max(p * (1 - p), 1e-4);
		}
		const columns = used.map((f) => bins[f]!);
		// The last one again and again, and nobody looks at that.
		while (columns.length % 4 > 0) columns.push(columns.at(-1)!);
		const tree: Tree = [];
		const histogram = (rows: Int32Array): Float64Array => {
			const hist = new Float64Array(columns.length * binCount * 2);
			const lg = new Float64Array(rows.length);
			const lh = new Float64Array(rows.length);
			for (let k = 0; k < rows.length; k++) {
				lg[k] = g[rows[k]!]!;
				lh[k] = h[rows[k]!]!;
			}
			// Four features at once: their sums do not wait for each other.
			for (let u = 0; u < columns.length; u += 4) {
				const [a, b, c, d] = columns.slice(u, u + 4) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
				const offset = u * binCount * 2;
				for (let k = 0; k < rows.length; k++) {
					const row = rows[k]!;
					const inA = offset + 2 * a[row]!;
					const inB = offset + 2 * (binCount + b[row]!);
					const inC = offset + 2 * (2 * binCount + c[row]!);
					const inD = offset + 2 * (3 * binCount + d[row]!);
					const gradient = lg[k]!;
					const hessian = lh[k]!;
					hist[inA]! += gradient;
					hist[inA + 1]! += hessian;
					hist[inB]! += gradient;
					hist[inB + 1]! += hessian;
					hist[inC]! += gradient;
					hist[inC + 1]! += hessian;
					hist[inD]! += gradient;
					hist[inD + 1]! += hessian;
				}
			}
			return hist;
		};
		const evaluate = (rows: Int32Array, node: number, hist: Float64Array): Leaf => {
			let G = 0;
			let H = 0;
			for (const i of rows) {
				G += g[i]!;
				H += h[i]!;
			}
			const leaf: Leaf = { rows, node, hist, g: G, h: H, gain: 0, feature: -1, bin: 0 };
			const parent = (G * G) / (H + settings.lambda);
			for (let u = 0; u < used.length; u++) {
				const size = borders[used[u]!]!.length + 1;
				const offset = u * binCount * 2;
				let gradientLeft = 0;
				let hessianLeft = 0;
				for (let b = 0; b < size - 1; b++) {
					gradientLeft += hist[offset + 2 * b]!;
					hessianLeft += hist[offset + 2 * b + 1]!;
					const hessianRight = H - hessianLeft;
					if (hessianLeft < settings.minWeight || hessianRight < settings.minWeight) continue;
					const gradientRight = G - gradientLeft;
					const gain =
						(gradientLeft * gradientLeft) / (hessianLeft + settings.lambda) +
						(gradientRight * gradientRight) / (hessianRight + settings.lambda) -
						parent;
					if (gain > leaf.gain + 1e-9) {
						leaf.gain = gain;
						leaf.feature = used[u]!;
						leaf.bin = b;
					}
				}
			}
			return leaf;
		};
		const make = (): number => tree.push({ feature: -1, threshold: 0, left: 0, right: 0, value: 0 }) - 1;
		const start = Int32Array.from(chosen);
		const leaves: Leaf[] = [evaluate(start, make(), histogram(start))];
		while (leaves.length < settings.leaves) {
			let best = 0;
			for (let k = 1; k < leaves.length; k++) if (leaves[k]!.gain > leaves[best]!.gain) best = k;
			const leaf = leaves[best]!;
			if (leaf.gain <= 0) break;
			const column = bins[leaf.feature]!;
			const left: number[] = [];
			const right: number[] = [];
			for (const i of leaf.rows) (column[i]! <= leaf.bin ? left : right).push(i);
			const node = tree[leaf.node]!;
			node.feature = leaf.feature;
			node.threshold = borders[leaf.feature]![leaf.bin]!;
			node.left = make();
			node.right = make();
			const [L, R] = [Int32Array.from(left), Int32Array.from(right)];
			// The larger side is what is left of the parent.
			const small = histogram(L.length < R.length ? L : R);
			const large = leaf.hist;
			for (let k = 0; k < large.length; k++) large[k]! -= small[k]!;
			const [histL, histR] = L.length < R.length ? [small, large] : [large, small];
			leaves.splice(best, 1, evaluate(L, node.left, histL), evaluate(R, node.right, histR));
		}
		for (const leaf of leaves) tree[leaf.node]!.value = (-settings.rate * leaf.g) / (leaf.h + settings.lambda);
		trees.push(tree);
		addScores(data, tree, train, score);
		addScores(data, tree, others, score);
	}
	return { model: { base, trees }, probabilities: score.map(sigmoid) };
}

function addScores({ bins, borders }: Binned, tree: Tree, rows: Int32Array, score: Float64Array): void {
	const columns = tree.map((node) => (node.feature < 0 ? undefined : bins[node.feature]!));
	// Left: bins up to this one.
	const cuts = tree.map((node) => (node.feature < 0 ? 0 : borders[node.feature]!.indexOf(node.threshold)));
	for (const i of rows) {
		let at = 0;
		for (let column = columns[0]; column !== undefined; column = columns[at]) {
			at = column[i]! <= cuts[at]! ? tree[at]!.left : tree[at]!.right;
		}
		score[i]! += tree[at]!.value;
	}
}
