import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partialRun, showCounts, showRows, showWhole } from '../packages/wayleave/src/conformance/show.ts';
import type { ConformanceTable } from '../packages/wayleave/src/conformance/table.ts';
import { processTerminal } from '../packages/wayleave/src/process-terminal.ts';
import { join as joinRows, readRequirements, type TestResults } from './rows.ts';

// Joins the requirements with the results of the last test run: which row is shown by which test.
// A row counts only when a test whose title carries its id ran and passed; a failed one is an error here too.

const here = dirname(fileURLToPath(import.meta.url));
const results = join(here, '../.results/tests.json');

if (!existsSync(results)) {
	console.error('no test results: run `npm test` first');
	process.exit(3);
}
const requirements = readRequirements(readFileSync(join(here, 'requirements.tsv'), 'utf8'));
const { run, tests } = JSON.parse(readFileSync(results, 'utf8')) as TestResults;
const joined = joinRows(requirements, tests);
const tested = `${statSync(results).mtime.toISOString().slice(0, 16)}Z`;
const table: ConformanceTable = { tested, tests: tests.length, run, rows: joined.rows };

// What `wayleave conformance` shows.
writeFileSync(join(here, '../packages/wayleave/conformance.json'), JSON.stringify(table));
const { out, err } = processTerminal();
const whole = process.argv.includes('--all');
if (!process.argv.includes('--quiet'))
	out(`${whole ? joined.rows.map(showWhole).join('\n') : showRows(joined.rows)}\n`);
out(`${showCounts(joined.rows, table)}\n`);
const partial = partialRun(table);
if (partial !== undefined) err(`${partial}\n`);
for (const { id, title } of joined.strangers) err(`error: ${id} is no requirement: ${title}\n`);
const failing = joined.rows.filter((row) => row.state === 'failing');
process.exitCode = joined.strangers.length + failing.length > 0 ? 1 : 0;
