import { describe, expect, it } from 'vitest';
import { bin, fit } from '../../../scripts/boost.ts';
import { encodeForest } from '../../../scripts/encode.ts';
import { ByteReader } from './byte-reader.ts';
import { type Forest, predict } from './forest.ts';
import { readForest } from './read-forest.ts';

const settings = { trees: 30, leaves: 6, rate: 0.3, minWeight: 1, lambda: 1, features: 1, rows: 1, seed: 3 };
const rows = Array.from({ length: 200 }, (_, i) => Float32Array.from([i % 20, (i * 7) % 13, i % 3]));
const labels = Float64Array.from(rows, ([a, b]) => (a! > 9 === b! > 6 ? 1 : 0));

describe('boosted trees', () => {
	const data = bin(rows.length, 3, (i) => rows[i]!);
	const train = Int32Array.from({ length: 150 }, (_, i) => i);
	const others = Int32Array.from({ length: 50 }, (_, i) => 150 + i);
	const { model, probabilities } = fit(data, train, others, labels, new Float64Array(200).fill(1), settings);

	it('learn what no single feature tells, also for rows they were not trained on', () => {
		for (let i = 0; i < 200; i++) expect(Math.round(probabilities[i]!), `row ${i}`).toBe(labels[i]!);
	});

	it('are the same for the same input', () => {
		expect(fit(data, train, others, labels, new Float64Array(200).fill(1), settings).model).toEqual(model);
	});

	const matrix = { rows: 200, width: 3, data: Float32Array.from(rows.flatMap((row) => [...row])) };
	const read = (first?: number, middles?: number[]): Forest[] =>
		readForest(new ByteReader(encodeForest(model, first, middles)));

	it('survive being written and read', () => {
		const again = predict(read(), matrix);
		for (let i = 0; i < 200; i++) expect(again[i]!).toBeCloseTo(probabilities[i]!, 2);
	});

	it('in two parts: a row that the first is not sure of has the sum of both, any other keeps its side', () => {
		const parts = read(20);
		const whole = predict(read(), matrix);
		const first = predict(parts.slice(0, 1), matrix);
		const both = predict(parts, matrix);
		const isSure = (p: number): boolean => Math.abs(Math.log(p / (1 - p))) > 2.5;
		expect(new Set(Array.from(first, isSure)).size).toBe(2);
		for (let i = 0; i < 200; i++) {
			if (!isSure(first[i]!)) expect(both[i]!).toBeCloseTo(whole[i]!, 12);
			else expect(Math.round(both[i]!)).toBe(Math.round(first[i]!));
		}
	});

	it('are the same trees whichever way their splits ask', () => {
		const whole = predict(read(), matrix);
		for (const middles of [
			[3, 7, 1],
			[99, -1, 99],
			[99, 99, 99],
		]) {
			expect(read(undefined, middles)[0]!.above.features.length).toBeGreaterThan(0);
			expect(predict(read(undefined, middles), matrix)).toEqual(whole);
		}
	});

	it('look once at features that are the same in all rows', () => {
		const data = matrix.data.map((value, i) => (i % 3 === 2 ? 1 : value));
		const own = { rows: 200, width: 2, data: data.filter((_, i) => i % 3 < 2) };
		const whole = predict(read(), { ...matrix, data });
		expect(predict(read(), own, Float32Array.of(1))).toEqual(whole);
	});
});
