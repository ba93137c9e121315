import type { Matrix } from './row-writer.ts';

/** Boosted trees, all nodes in one run: a split's left branch is the node after it. */
export interface Forest {
	readonly base: number;
	readonly roots: Int32Array;
	/** Feature of a split, -1 for a leaf. */
	readonly features: Int16Array;
	/** Threshold of a split (smaller goes left), or value of a leaf. */
	readonly values: Float32Array;
	readonly right: Int32Array;
}

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

/**
 * Reads trees as `scripts/train.ts` writes them: base (float32), number of trees and of features (uint16), for each
 * feature the number of its thresholds (uint8) and those (float32), then each tree in preorder: a split is its feature
 * (uint16) and which of the thresholds (uint8), a leaf is a value in 1/10,000 above 0xc000 (uint16).
 */
export function readForest(encoded: string): Forest {
	const bytes = decodeBase64(encoded);
	const view = new DataView(bytes.buffer);
	const base = view.getFloat32(0);
	const roots = new Int32Array(view.getUint16(4));
	const thresholds: Float32Array[] = [];
	let at = 8;
	for (let feature = view.getUint16(6); feature > 0; feature--) {
		const own = new Float32Array(view.getUint8(at++));
		for (let i = 0; i < own.length; i++, at += 4) own[i] = view.getFloat32(at);
		thresholds.push(own);
	}
	const features: number[] = [];
	const values: number[] = [];
	const right: number[] = [];
	for (let tree = 0; tree < roots.length; tree++) {
		roots[tree] = features.length;
		/** Splits whose right branch has yet to come. */
		const waiting: number[] = [];
		for (;;) {
			const code = view.getUint16(at);
			at += 2;
			right.push(0);
			if (code < LEAF) {
				waiting.push(features.length);
				features.push(code);
				values.push(thresholds[code]![view.getUint8(at++)]!);
				continue;
			}
			features.push(-1);
			values.push(((code & ~LEAF) - ZERO) / 10_000);
			const split = waiting.pop();
			if (split === undefined) break;
			right[split] = features.length;
		}
	}
	return {
		base,
		roots,
		features: Int16Array.from(features),
		values: Float32Array.from(values),
		right: Int32Array.from(right),
	};
}

/** The probability of each row. */
export function predict(forest: Forest, { rows, width, data }: Matrix): Float64Array {
	const { roots, features, values, right, base } = forest;
	const result = new Float64Array(rows);
	for (let row = 0; row < rows; row++) {
		const offset = row * width;
		let sum = base;
		for (let tree = 0; tree < roots.length; tree++) {
			let node = roots[tree]!;
			let feature = features[node]!;
			while (feature >= 0) {
				node = data[offset + feature]! < values[node]! ? node + 1 : right[node]!;
				feature = features[node]!;
			}
			sum += values[node]!;
		}
		result[row] = 1 / (1 + Math.exp(-sum));
	}
	return result;
}
