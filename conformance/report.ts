import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { partialRun, showCounts, showRows, showWhole } from '../packages/wayleave/src/commands/conformance/show.ts';
import type { ConformanceTable } from '../packages/wayleave/src/commands/conformance/table.ts';
import { processTerminal } from '../packages/wayleave/src/terminal/process-terminal.ts';
import { join as joinRows, readRequirements, type TestResults } from './rows.ts';

// Joins the requirements with the results of the last test run: which row is shown by which test.
// A row counts only when a test whose title carries its id ran and passed; a failed one is an error here too.
// With --or-list, where no whole run has left its results, the table says which tests there are, and that none ran.

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const results = join(root, '.results/tests.json');
const { run, tests, tested } = testResults();
const requirements = readRequirements(readFileSync(join(here, 'requirements.tsv'), 'utf8'));
const joined = joinRows(requirements, tests);
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

function testResults(): TestResults & { tested: string } {
	const known = existsSync(results) ? (JSON.parse(readFileSync(results, 'utf8')) as TestResults) : undefined;
	const isWhole = known !== undefined && partialRun(known) === undefined;
	if (!isWhole && process.argv.includes('--or-list')) return listTests();
	if (known !== undefined) return { ...known, tested: minute(statSync(results).mtime) };
	console.error('no test results: run `npm test` first');
	process.exit(3);
}

/** The tests that a run would have. It takes about as long as loading all test files. */
function listTests(): TestResults & { tested: string } {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-tests-'));
	try {
		const file = join(folder, 'list.json');
		const vitest = join(root, 'node_modules/vitest/vitest.mjs');
		const { status } = spawnSync(process.execPath, [vitest, 'list', `--json=${file}`], {
			cwd: root,
			stdio: ['ignore', 2, 2],
		});
		if (status !== 0) throw new Error('the tests cannot be listed');
		const list = JSON.parse(readFileSync(file, 'utf8')) as { name: string; file: string }[];
		const tests = list.map(({ name, file: path }) => ({ file: relative(root, path), title: name, state: 'not run' }));
		return { tests, run: { files: 0, of: new Set(list.map((test) => test.file)).size }, tested: minute(new Date()) };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function minute(date: Date): string {
	return `${date.toISOString().slice(0, 16)}Z`;
}
