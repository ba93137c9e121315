import { describe, expect, it } from 'vitest';
import { maxProblems } from './max-problems.ts';
import { problemMaker } from './problem-maker.ts';
import { TextProblems } from './text-problems.ts';

const make = problemMaker<{
	x: { severity: 'error'; sentence: string };
	y: { severity: 'info'; sentence: string };
}>({ x: 'error', y: 'info' });

describe('TextProblems', () => {
	it('gives line and column, whatever the order and the line ends', () => {
		const problems = new TextProblems('ab\r\nc\rd\ne', make);
		for (const at of [8, 0, 4, 6, -1]) problems.add('y', at);
		expect(problems.close('y').map(({ line, column }) => [line, column])).toEqual([
			[4, 1],
			[1, 1],
			[2, 1],
			[3, 1],
			[0, 0],
		]);
		expect(problems.hasError).toBe(false);
	});

	it('counts what is too much to list', () => {
		const problems = new TextProblems('', make);
		for (let index = 0; index < maxProblems + 5; index++) problems.add('x', 0);
		const list = problems.close('y');
		expect(list).toHaveLength(maxProblems + 1);
		expect(list.at(-1)).toEqual({ code: 'y', severity: 'info', line: 0, column: 0, args: { count: 5 } });
		expect(problems.hasError).toBe(true);
	});
});
