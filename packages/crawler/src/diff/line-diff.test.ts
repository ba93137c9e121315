import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const shown = (before: string, after: string) =>
	diffLines(before.split(' '), after.split(' ')).map(({ mark, line }) => (mark === ' ' ? line : mark + line));

it('marks only the lines that differ, between equal ones too', () => {
	expect(shown('a b c d e', 'a x c y e')).toEqual(['a', '-b', '+x', 'c', '-d', '+y', 'e']);
	expect(shown('a b a c', 'a b a c')).toEqual(['a', 'b', 'a', 'c']);
	expect(shown('one a b c', 'a b c one')).toEqual(['-one', 'a', 'b', 'c', '+one']);
});

it('has both texts, line by line', () => {
	const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c', '| - |', 'd'), { maxLength: 14 });
	fc.assert(
		fc.property(lines, lines, (before, after) => {
			const marked = diffLines(before, after);
			const without = (mark: string) => marked.filter((each) => each.mark !== mark).map(({ line }) => line);
			expect(without('+')).toEqual(before);
			expect(without('-')).toEqual(after);
		}),
		{ numRuns: 1000 },
	);
});
