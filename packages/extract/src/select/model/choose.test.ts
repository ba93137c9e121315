import { expect, it } from 'vitest';
import type { Block } from '../read/box.ts';
import { choose } from './choose.ts';

const blocks = [0.9, 0.8, 0.55, 0.4, 0.2, 0.05].map(() => ({ size: { words: 10 } }) as Block);
const probabilities = Float64Array.of(0.9, 0.8, 0.55, 0.4, 0.2, 0.05);
const kept = (beta: number, least = 0): number => choose(blocks, probabilities, beta, least).filter(Boolean).length;

it('the more recall counts the more is kept, the likeliest always', () => {
	// For one to six blocks F1 is expected to be 0.46, 0.69, 0.76, 0.77, 0.72 and 0.65.
	expect([0, 0.5, 1, 2, 9].map((beta) => kept(beta))).toEqual([1, 2, 4, 5, 6]);
});

it('nothing far below what is kept on average, where a least is asked for', () => {
	expect(kept(1, 0.6)).toBe(3);
});
