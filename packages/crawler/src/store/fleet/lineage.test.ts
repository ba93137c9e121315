import { expect, it } from 'vitest';
import { type DatabasePosition, type Fenced, Lineage } from './lineage.ts';

const at = (timeline: string, position: number, synchronous = 0): DatabasePosition => ({
	timeline: timeline.padStart(8, '0'),
	position,
	synchronous,
});
const fenced = (commits: number, where: DatabasePosition): Fenced => ({ commits, ...where });

function lineage(seen: DatabasePosition, commits: number): Lineage {
	const made = new Lineage();
	made.begin(seen);
	for (let commit = 1; commit <= commits; commit++) made.confirm(commit);
	return made;
}

it('a database that goes on says nothing, a commit with a lost reply included', () => {
	const seen = lineage(at('1', 100), 3);
	expect(seen.compare(fenced(4, at('1', 200)))).toBeUndefined();
	expect(seen.compare(fenced(6, at('1', 200)))).toBeUndefined();
});

it('counts the commits of this worker that a promoted standby misses', () => {
	expect(lineage(at('1', 100), 3).compare(fenced(2, at('2', 90)))).toBe(
		'the database went back in time (timeline 1 → 2): the last 2 commits of this worker are lost, and these pages are requested again',
	);
	expect(lineage(at('1', 100, 1), 3).compare(fenced(3, at('2', 90)))).toContain(
		'the last commit of this worker is lost',
	);
});

it('trusts a promoted standby only if it was synchronous', () => {
	expect(lineage(at('1', 100, 1), 3).compare(fenced(4, at('2', 110)))).toBeUndefined();
	expect(lineage(at('1', 100), 3).compare(fenced(4, at('2', 110)))).toBe(
		'another copy of the database took over (timeline 1 → 2): no commit of this worker is lost, those of others may be',
	);
	expect(lineage(at('2', 100, 1), 3).compare(fenced(4, at('1', 110)))).toContain('timeline 2 → 1');
});

it('notices a backup by the position in the log, and by the row that it misses', () => {
	expect(lineage(at('1', 100), 0).compare(fenced(1, at('1', 90)))).toContain('a backup was restored');
	expect(lineage(at('1', 100), 2).compareWithoutRow(at('1', 90))).toContain('to before this worker began');
	expect(lineage(at('1', 100), 2).compareWithoutRow(at('1', 110))).toBeUndefined();
});
