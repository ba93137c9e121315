import { expect, it } from 'vitest';
import { diffDocuments } from '../diff/block-diff.ts';
import { differenceLines, termLines } from './changes-feed.ts';

it('a difference for people has the lines that differ, of a table the rows', () => {
	const table = (fee: number) => `# Fees\n\n| Boat | Fee |\n| --- | --- |\n| 8 m | ${fee} |\n| 12 m | 18 |\n\nEnd.`;
	expect(differenceLines(diffDocuments(table(12), table(14)))).toEqual(['', '- | 8 m | 12 |\n+ | 8 m | 14 |']);
	expect(differenceLines(diffDocuments('A.\n\n- a\n- b', 'A.\n\n- a\n- b\n- c'))).toEqual(['', '+ - c']);
	expect(differenceLines(diffDocuments('a\na', 'a\na\na'))).toEqual(['', '+ a']);
	expect(differenceLines(diffDocuments('', 'New.'))).toEqual(['', '+ New.']);
});

it('terms for people are those that differ', () => {
	const before = { permitted: true, uses: { train: 'yes', search: 'yes' }, licences: ['a', 'b'] };
	const after = { permitted: true, uses: { train: 'no', search: 'yes' }, licences: ['a'] };
	expect(termLines({ before, after })).toEqual(['- uses train: yes', '- licences: b', '+ uses train: no']);
});
