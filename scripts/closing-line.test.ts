import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsShared } from './shared.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

let folder: string;
/** A checkout with the scripts in it, in a folder of its own. */
let checkout: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-ci-'));
	checkout = join(folder, 'checkout');
	for (const name of ['closing-line.ts', 'shared.ts'])
		cpSync(join(root, 'scripts', name), join(checkout, 'scripts', name));
	writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }');
	symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'junction');
});
afterEach(() => rmSync(folder, { recursive: true }));

function close(tests: Readonly<Record<string, string>>, ...argv: string[]) {
	const rows = Object.entries(tests).map(([title, state]) => ({ file: 'a.test.ts', title, state }));
	mkdirSync(join(checkout, '.results'), { recursive: true });
	writeFileSync(join(checkout, '.results/tests.json'), JSON.stringify({ tests: rows }));
	const script = ['--import', 'tsx', 'scripts/closing-line.ts', ...argv];
	const { status, stdout } = spawnSync(process.execPath, script, { cwd: checkout, encoding: 'utf8' });
	return { status, lines: stdout.trimEnd().split('\n') };
}

describe('U2-05: the last line of CI', () => {
	const pages = `pages of the web ${needsShared}`;

	it('passes in a public clone, where tests over the pages of other people are skipped', () => {
		const { status, lines } = close({ a: 'passed', [pages]: 'skipped' }, '--no-skips');
		expect([status, lines.at(-1), lines.length]).toEqual([0, '1 passed, 0 failed, 1 skipped', 2]);
	});

	it('fails where these pages are there, and names the test', () => {
		mkdirSync(join(folder, 'shared/vectors'), { recursive: true });
		writeFileSync(join(folder, 'shared/vectors/README.md'), '');
		const { status, lines } = close({ a: 'passed', [pages]: 'skipped' }, '--no-skips');
		expect([status, lines]).toEqual([1, [`skipped: a.test.ts: ${pages}`, '1 passed, 0 failed, 1 skipped']]);
	});

	it('fails for any other skipped test, and names it', () => {
		const { status, lines } = close({ a: 'passed', [pages]: 'skipped', 'in Chromium': 'skipped' }, '--no-skips');
		expect([status, lines[0]]).toEqual([1, 'skipped: a.test.ts: in Chromium']);
		expect(close({ a: 'passed', b: 'pending' }, '--no-skips').status).toBe(1);
		expect(close({ a: 'passed', 'in Chromium': 'skipped' }).status).toBe(0);
	});

	it('fails when a test failed, or none ran', () => {
		expect(close({ a: 'passed', b: 'failed' }).status).toBe(1);
		expect(close({ [pages]: 'skipped' }, '--no-skips').status).toBe(1);
		expect(close({}).status).toBe(1);
	});
});
