import { expect, it } from 'vitest';
import type { Model as Trees } from '../../../scripts/boost.ts';
import { encodeModel } from '../../../scripts/encode.ts';
import { BlockWords } from '../read/words.ts';
import { measuredTypes } from './classify.ts';
import { predict } from './forest.ts';
import { readModel } from './model.ts';

const leaf = (value: number): Trees['trees'][number][number] => ({
	feature: -1,
	threshold: 0,
	left: 0,
	right: 0,
	value,
});
const split = { feature: 0, threshold: 5, left: 1, right: 2, value: 0 };
const stump = (small: number, large: number): Trees => ({ base: 0.5, trees: [[split, leaf(small), leaf(large)]] });

const data = encodeModel({
	names: new Map([
		['sidebar', -2.15],
		['inhalt', 1],
	]),
	words: new Map([['mehr', -4.3]]),
	typeLexicons: measuredTypes.map(
		(_, k) => new Map([['w:übersicht', k / 4], ...(k === 2 ? [['u:news', -3] as const] : [])]),
	),
	types: measuredTypes.map((_, k) => stump(k / 10, 1)),
	blocks: stump(-1, 1.2345),
	middles: [],
});

it('reads the model that training writes', () => {
	const { scales, types, blocks } = readModel(data);
	const words = new BlockWords();
	words.begin('Mehr Sidebar');
	expect(scales.words.weigh(words).sum).toBe(-4.3);
	words.begin('Mehr Sidebar');
	expect(scales.names.weigh(words).sum).toBe(-2.15);

	const { places } = types.lexicon;
	expect(places.map(({ table }) => table.size)).toEqual([1, 0, 0, 0, 0, 1]);
	expect([...places[5]!.weights]).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5]);
	expect([...places[0]!.weights]).toEqual([0, 0, -3, 0, 0, 0, 0]);
	expect(places[5]!.table.find('Die übersicht', 4, 13)).toBe(0);

	const rows = { rows: 2, width: 1, data: Float32Array.of(4, 5) };
	const odds = (p: number): number => Math.log(p / (1 - p));
	expect([...predict(blocks, rows)].map(odds)).toEqual([expect.closeTo(-0.5, 6), expect.closeTo(1.7345, 6)]);
	for (const [k, forest] of types.forests.entries())
		expect(odds(predict(forest, rows)[0]!)).toBeCloseTo(0.5 + k / 10, 6);
});

it('refuses to write what the format has no room for', () => {
	const learned = { names: new Map(), words: new Map([['mehr', -7]]), typeLexicons: [], types: [], middles: [] };
	expect(() => encodeModel({ ...learned, blocks: stump(0, 0) })).toThrow(RangeError);
	expect(() => encodeModel({ ...learned, words: new Map(), blocks: stump(0, 4) })).toThrow(RangeError);
});
