// Prints `N passed, N failed, N skipped` of the last test run, alone on a line; fails when a test failed,
// when no test ran, or, with --no-skips, when a test was skipped.
import { readFileSync } from 'node:fs';

const { tests } = JSON.parse(readFileSync('.results/tests.json', 'utf8'));
const count = (state) => tests.filter((test) => test.state === state).length;
const skipped = tests.filter((test) => test.state === 'skipped');
if (process.argv.includes('--no-skips'))
	for (const test of skipped) console.log(`skipped: ${test.file}: ${test.title}`);
console.log(`${count('passed')} passed, ${count('failed')} failed, ${skipped.length} skipped`);
const bad = count('failed') > 0 || count('passed') === 0 || (process.argv.includes('--no-skips') && skipped.length > 0);
process.exitCode = bad ? 1 : 0;
