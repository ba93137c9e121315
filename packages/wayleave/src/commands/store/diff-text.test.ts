import type { PageVersion } from '@wayleave/crawler';
import { diffDocuments } from '@wayleave/crawler/diff';
import { describe, expect, it } from 'vitest';
import { diffText } from './diff-text.ts';

const rows = Array.from({ length: 20 }, (_, at) => `| berth ${at} | ${at * 3} EUR |`);
const table = (lines: readonly string[]) => ['# Fees', '', '| berth | fee |', '| --- | --- |', ...lines].join('\n');
const next = rows.with(2, '| berth 2 | 7 EUR |').with(15, '| berth 15 | 46 EUR |');

const version = (at: number): PageVersion =>
	({ fetchedAt: at, sha256: String(at), title: 'Fees', markdown: '' }) as unknown as PageVersion;
const shown = (format: 'text' | 'markdown' | 'html') =>
	diffText(
		{
			url: 'https://harbour.example/fees',
			before: version(1),
			after: version(2),
			diff: diffDocuments(table(rows), table(next)),
		},
		format,
	);

describe('a table of which two rows have changed', () => {
	it('is shown by these rows with the three around each', () => {
		expect(shown('text').split('\n').slice(3)).toEqual([
			'',
			'  … 1 block unchanged',
			'',
			'  … 1 line unchanged',
			'  | --- | --- |',
			`  ${rows[0]}`,
			`  ${rows[1]}`,
			`- ${rows[2]}`,
			`+ ${next[2]}`,
			...[3, 4, 5].map((at) => `  ${rows[at]}`),
			'  … 6 lines unchanged',
			...[12, 13, 14].map((at) => `  ${rows[at]}`),
			`- ${rows[15]}`,
			`+ ${next[15]}`,
			...[16, 17, 18].map((at) => `  ${rows[at]}`),
			'  … 1 line unchanged',
			'',
		]);
	});

	it.each(['markdown', 'html'] as const)('has no row twice that is the same, as %s', (format) => {
		expect(
			shown(format)
				.split('\n')
				.filter((line) => line.includes('| berth 5 |')),
		).toHaveLength(1);
		expect(shown(format)).not.toContain('| berth 9 |');
	});
});
