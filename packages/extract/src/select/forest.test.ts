import { describe, expect, it } from 'vitest';
import { bin, fit } from '../../scripts/boost.ts';
import { encodeForest } from '../../scripts/encode.ts';
import { predict } from './forest.ts';
import { readForest } from './read-forest.ts';

const settings = { trees: 30, leaves: 6, rate: 0.3, minWeight: 1, lambda: 1, features: 1, rows: 1, seed: 3 };
const rows = Array.from({ length: 200 }, (_, i) => Float32Array.from([i % 20, (i * 7) % 13, i % 3]));
const labels = Float64Array.from(rows, ([a, b]) => (a! > 9 === b! > 6 ? 1 : 0));

describe('boosted trees', () => {
	const data = bin(rows.length, 3, (i) => rows[i]!);
	const train = Int32Array.from({ length: 150 }, (_, i) => i);
	const { model, probabilities } = fit(data, train, labels, new Float64Array(200).fill(1), settings);

	it('learn what no single feature tells, also for rows they were not trained on', () => {
		for (let i = 0; i < 200; i++) expect(Math.round(probabilities[i]!), `row ${i}`).toBe(labels[i]!);
	});

	it('are the same for the same input', () => {
		expect(fit(data, train, labels, new Float64Array(200).fill(1), settings).model).toEqual(model);
	});

	it('survive being written and read', () => {
		const flat = Float32Array.from(rows.flatMap((row) => [...row]));
		const read = predict(readForest(encodeForest(model)), { rows: 200, width: 3, data: flat });
		for (let i = 0; i < 200; i++) expect(read[i]!).toBeCloseTo(probabilities[i]!, 2);
	});
});
