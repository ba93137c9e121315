import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const part = 'packages/protocols/src';
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
	const unnoticed: string[] = [];
	const whole = run([part, ...outside]);
	expect(whole.status, whole.stdout.slice(-2000)).toBe(0);
	for (const { file, from, to } of mutants) {
		const path = join(copy, part, file);
		const text = readFileSync(path, 'utf8');
		expect(text.includes(from), `${file} has ${from}`).toBe(true);
		writeFileSync(path, text.replace(from, to));
		const folder = join(part, file.split('/')[0] ?? '');
		const noticed = run([folder]).status !== 0 || run([join(part, 'policy'), ...outside]).status !== 0;
		if (!noticed) unnoticed.push(`${file}: ${from} -> ${to}`);
		console.log(`${noticed ? 'noticed' : 'NOT NOTICED'}  ${file}  ${from.slice(0, 60)}`);
		writeFileSync(path, text);
	}
	expect(unnoticed).toEqual([]);
});

const run = (tests: readonly string[]) =>
	spawnSync(
		process.execPath,
		[join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--maxWorkers=1', ...tests],
		{
			cwd: copy,
			encoding: 'utf8',
		},
	);
