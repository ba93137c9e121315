import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Mutant, mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const part = 'packages/protocols/src';
/** Tests that count steps or try many random files. */
const slow = ['**/growth.test.ts', '**/linear.test.ts', '**/properties.test.ts'];
/** Tests of other packages that observe these behaviours. */
const outside = ['packages/wayleave/src/protocols-cases.test.ts', 'packages/gateway/src/publish/token-counts.test.ts'];

let copy: string;
beforeAll(() => {
	// Mutates a copy of the sources, never the sources.
	copy = mkdtempSync(join(tmpdir(), 'wayleave-mutants-'));
	for (const name of [
		'packages',
		'vectors',
		'scripts',
		'conformance',
		'docs',
		'vitest.config.ts',
		'package.json',
		'tsconfig.base.json',
		'tsconfig.json',
	])
		cpSync(join(root, name), join(copy, name), {
			recursive: true,
			filter: (from) => !/[\\/](?:node_modules|dist)(?:[\\/]|$)/.test(from.slice(root.length)),
		});
	linkPackages();
});
afterAll(() => rmSync(copy, { recursive: true }));

/** All dependencies of the original, but our own packages from the copy. */
function linkPackages(): void {
	cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), {
		recursive: true,
		verbatimSymlinks: true,
		filter: topOnly,
	});
}

const modules = join(root, 'node_modules');
/** Links folders instead of copying them: relative links lead to the packages of the copy. */
function topOnly(from: string, to: string): boolean {
	if (from === modules) return true;
	if (/@wayleave$/.test(from)) return true;
	if (from.startsWith(join(modules, '@wayleave')) || from === join(modules, 'wayleave')) return true;
	symlinkSync(from, to);
	return false;
}

it('a test notices every broken behaviour', () => {
	expect(mutants.length).toBeGreaterThanOrEqual(50);
	const whole = run([part, ...outside]);
	expect(whole.status, whole.stdout.slice(-2000)).toBe(0);
	const unnoticed: string[] = [];
	for (const mutant of mutants) {
		const found = notice(mutant);
		const name = `${mutant.file}: ${mutant.from} -> ${mutant.to}`;
		console.log(`${found.padEnd(12)} ${name.replaceAll('\n', ' ').slice(0, 120)}`);
		if (found !== 'noticed') unnoticed.push(`${found}: ${name}`);
	}
	console.log(`${mutants.length - unnoticed.length} of ${mutants.length} broken behaviours were noticed`);
	expect(unnoticed).toEqual([]);
});

/** Breaks one behaviour in the copy, runs the tests that could notice it, and mends the copy. */
function notice({ file, from, to }: Mutant): 'noticed' | 'NOT NOTICED' | 'NOT FOUND' {
	const path = join(copy, part, file);
	const text = readFileSync(path, 'utf8');
	// The sources have moved on: the list of mutants needs its new text.
	if (!text.includes(from)) return 'NOT FOUND';
	writeFileSync(
		path,
		text.replace(from, () => to),
	);
	const folder = join(part, file.split('/')[0] ?? '');
	// The quick tests first: most mutants need no others. 1 is a failed test; a run that was killed has noticed nothing.
	const runs = [
		[folder, ...slow.flatMap((name) => ['--exclude', name])],
		[folder, join(part, 'policy'), ...outside],
	];
	const noticed = runs.some((tests) => run(tests).status === 1);
	writeFileSync(path, text);
	return noticed ? 'noticed' : 'NOT NOTICED';
}

const run = (tests: readonly string[]) =>
	spawnSync(
		process.execPath,
		[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--maxWorkers=1', ...tests],
		{
			cwd: copy,
			encoding: 'utf8',
		},
	);
