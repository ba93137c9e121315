// Prints `N passed, N failed, N skipped` of the last test run, alone on a line; fails when a test failed, when no test
// ran, or, with --no-skips, when a test was skipped. In CI only tests over other people's pages may be skipped, by the
// mark in their titles, and only in a clone that has no folder of such pages beside it.
import { readFileSync } from 'node:fs';
import { hasShared, needsShared } from './shared.ts';

interface Row {
	readonly file: string;
	readonly title: string;
	readonly state: string;
}

const { tests } = JSON.parse(readFileSync('.results/tests.json', 'utf8')) as { tests: Row[] };
const strict = process.argv.includes('--no-skips');
const count = (state: string) => tests.filter((test) => test.state === state).length;

const skipped = tests.filter(({ state }) => state !== 'passed' && state !== 'failed');
const permitted = skipped.filter(({ title }) => !hasShared && title.includes(needsShared));
const others = skipped.filter((test) => !permitted.includes(test));
if (strict) for (const { file, title } of others) console.log(`skipped: ${file}: ${title}`);
if (permitted.length > 0)
	console.log(
		`${permitted.length} of the skipped tests need pages of other people, which a public clone does not have`,
	);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${skipped.length} skipped`);
process.exitCode = count('failed') > 0 || count('passed') === 0 || (strict && others.length > 0) ? 1 : 0;
