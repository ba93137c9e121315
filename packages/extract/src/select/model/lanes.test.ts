import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lanesSource } from '../../../scripts/forest-lanes.ts';
import { type Forest, predict } from './forest.ts';
import { withLanes } from './lanes.ts';
import { loadModel } from './model.ts';

const { blocks } = loadModel();
const alone = blocks.map((part): Forest => ({ ...part, lanes: undefined }));
/** The last features are common to all rows of a page. */
const all = 1 + Math.max(...blocks.flatMap(({ above, below }) => [...above.features, ...below.features]));

it('loads the block model with lanes', () => {
	expect(blocks.every(({ lanes }) => lanes !== undefined)).toBe(true);
});

it('gives each row the sum of one row at a time, to the bit', () => {
	const thresholds = blocks.flatMap(({ above, below }) => [...above.thresholds, ...below.thresholds]);
	// Thresholds themselves, values around them and odd numbers.
	const value = fc.oneof(
		fc.constantFrom(...thresholds.filter((_, i) => i % 37 === 0)),
		fc.integer({ min: -3, max: 40 }),
		fc.float(),
	);
	const page = fc.record({
		rows: fc.integer({ min: 0, max: 11 }),
		common: fc.integer({ min: 0, max: all - 1 }),
		values: fc.array(value, { minLength: 40, maxLength: 300 }),
	});
	fc.assert(
		fc.property(page, ({ rows, common, values }) => {
			const width = all - common;
			const data = Float32Array.from({ length: rows * width }, (_, i) => values[(i * 7) % values.length]!);
			const last = Float32Array.from({ length: common }, (_, i) => values[(i * 3) % values.length]!);
			const matrix = { rows, width, data };
			expect(predict(blocks, matrix, last)).toEqual(predict(alone, matrix, last));
		}),
		{ numRuns: 60 },
	);
});

it('falls back to one row at a time where no WebAssembly can be compiled', () => {
	const kept = globalThis.WebAssembly;
	try {
		Object.defineProperty(globalThis, 'WebAssembly', { value: undefined, configurable: true });
		expect(withLanes(alone[0]!).lanes).toBeUndefined();
	} finally {
		Object.defineProperty(globalThis, 'WebAssembly', { value: kept, configurable: true });
	}
});

it('runs the code that the assembler writes', () => {
	expect(readFileSync(new URL('./lanes-code.ts', import.meta.url), 'utf8')).toBe(lanesSource());
});
