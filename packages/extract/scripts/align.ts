// Which blocks of a page does its truth text contain? Labels for training.
import type { Block } from '../src/select/blocks.ts';

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * For each block the share of its words that the truth has, in context: long blocks by their 4-word shingles,
 * short ones by finding them near the place where the long blocks around them were found.
 */
export function label(blocks: readonly Block[], truth: string): Float64Array {
	const target = tokens(truth);
	const places = new Map<string, number[]>();
	for (let n = 1; n <= 4; n++) {
		for (let i = 0; i + n <= target.length; i++) {
			const key = `${n}:${target.slice(i, i + n).join(' ')}`;
			const list = places.get(key);
			if (list === undefined) places.set(key, [i]);
			else if (list.length < 200) list.push(i);
		}
	}
	const find = (words: string[]): readonly number[] => places.get(`${words.length}:${words.join(' ')}`) ?? [];
	const share = new Float64Array(blocks.length);
	const anchor: (readonly [number, number] | undefined)[] = [];
	const all = blocks.map((block) => tokens(block.text));
	for (let b = 0; b < blocks.length; b++) {
		const words = all[b]!;
		if (words.length < 4) continue;
		let hits = 0;
		let first = -1;
		let last = -1;
		const covered = new Uint8Array(words.length);
		for (let i = 0; i + 4 <= words.length; i++) {
			const found = find(words.slice(i, i + 4));
			if (found.length === 0) continue;
			covered.fill(1, i, i + 4);
			if (found.length < 3) {
				if (first < 0) first = found[0]!;
				last = found.at(-1)!;
			}
		}
		for (const bit of covered) hits += bit;
		share[b] = hits / words.length;
		if (share[b]! >= 0.7 && first >= 0 && words.length >= 8) anchor[b] = [first, last];
	}
	for (let b = 0; b < blocks.length; b++) {
		const words = all[b]!;
		if (words.length === 0 || words.length >= 8) continue;
		let from = -1;
		let to = -1;
		let before = b - 1;
		let after = b + 1;
		while (before >= 0 && anchor[before] === undefined) before--;
		while (after < blocks.length && anchor[after] === undefined) after++;
		if (anchor[before] !== undefined) from = anchor[before]![1];
		if (anchor[after] !== undefined) to = anchor[after]![0];
		const reach = 60 + 6 * Math.min(b - before, after - b);
		const near = (place: number): boolean => {
			if (from >= 0 && to >= 0 && to - from > 0 && to - from < 3000) return place >= from - 20 && place <= to + 20;
			if (from >= 0 && Math.abs(place - from) < reach) return true;
			if (to >= 0 && Math.abs(place - to) < reach) return true;
			return from < 0 && to < 0;
		};
		if (words.length >= 4) {
			if (
				share[b]! > 0 &&
				!Array.from({ length: words.length - 3 }, (_, i) => find(words.slice(i, i + 4))).some((list) => list.some(near))
			)
				share[b]! *= 0.3;
			continue;
		}
		share[b] = find(words).some(near) ? 1 : 0;
	}
	return share;
}
