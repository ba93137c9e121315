import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { idsIn, join, readRequirements } from './rows.ts';

const requirements = readRequirements(readFileSync(new URL('requirements.tsv', import.meta.url), 'utf8'));

it('reads every requirement once', () => {
	expect(requirements.length).toBeGreaterThan(300);
	expect(new Set(requirements.map((row) => row.id)).size).toBe(requirements.length);
});

it('finds the ids in a title, ranges included', () => {
	expect(idsIn('AWI-' + '27 and REP-' + '03: x')).toEqual(['AWI-' + '27', 'REP-' + '03']);
	expect(idsIn('JAF-' + '14…16 x')).toEqual(['JAF-' + '14', 'JAF-' + '15', 'JAF-' + '16']);
	expect(idsIn('CB-01 only a case')).toEqual([]);
});

it('counts a row only by a test that ran and passed', () => {
	const rows = requirements.slice(0, 4);
	const [a, b, c, d] = rows.map((row) => row.id) as [string, string, string, string];
	const test = (id: string, state: string) => ({ file: 'x.test.ts', title: `${id} x`, state });
	const joined = join(rows, [test(a, 'passed'), test(b, 'passed'), test(b, 'failed'), test(c, 'skipped')]);
	expect(joined.rows.map((row) => row.state)).toEqual(['shown', 'failing', 'skipped', 'open']);
	expect(joined.rows[3]?.id).toBe(d);
});

it('reports an id that no requirement has', () => {
	const id = 'REP-' + '99';
	const joined = join(requirements, [{ file: 'x.test.ts', title: `${id} x`, state: 'passed' }]);
	expect(joined.strangers).toEqual([{ id, title: `${id} x` }]);
});
