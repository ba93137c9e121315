import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

const row = (id: string, state: string, more: object = {}) => ({
	id,
	source: `${id.startsWith('R2') ? 'robots2' : 'JAFAR'} §3`,
	level: 'MUST',
	side: 'crawler',
	requirement: `What ${id} asks.`,
	observe: 'Look.',
	state,
	tests: state === 'open' ? [] : [{ file: 'x.test.ts', title: `${id} is kept`, state: 'passed' }],
	...more,
});
const whole = {
	tested: '2026-11-01T10:00Z',
	tests: 5000,
	run: { files: 300, of: 300 },
	rows: [row('R2-01', 'shown'), row('R2-02', 'open'), row('JAF-01', 'shown', { side: 'publisher' })],
};

async function conformance(table: unknown, ...argv: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-conformance-'));
	writeFileSync(join(folder, 'table.json'), JSON.stringify(table));
	const terminal = recordingTerminal(folder);
	const exitCode = await run(['conformance', '--from', 'table.json', ...argv], terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe('wayleave conformance', () => {
	it('counts what is shown, by draft, and says when it was tested', async () => {
		const { exitCode, stdout } = await conformance(whole);
		expect(stdout).toBe(
			'R2      1 shown   1 open  robots2\n' +
				'JAF     1 shown  JAFAR\n' +
				'2 of 3 requirements shown, by the 5,000 tests run at 2026-11-01T10:00Z\n',
		);
		expect(exitCode).toBe(1);
	});

	it.each([
		[{ files: 300, of: 300 }, ''],
		[{ files: 12, of: 300 }, 'only 12 of 300 test files were run'],
		[{ files: 300, of: 300, named: 'R2' }, 'only the tests called R2 were run'],
		[{ files: 12, of: 300, named: 'R2' }, 'only 12 of 300 test files, and of those the tests called R2 were run'],
	])('says when a part of the tests was run: %j', async (run, said) => {
		const hint = said && `${said}: run \`npm test\` and then \`npm run conformance\` to see all results\n`;
		for (const argv of [[], ['R2'], ['R2-01'], ['--json']])
			expect((await conformance({ ...whole, run }, ...argv)).stderr).toBe(hint);
	});

	it('tells the whole of a row, and which tests show it', async () => {
		const { exitCode, stdout } = await conformance(whole, 'r2-01');
		expect(stdout).toBe(
			'R2-01  robots2 §3, MUST, crawler: shown\n  What R2-01 asks.\n  seen by: Look.\n' +
				'  passed x.test.ts\n    R2-01 is kept\n',
		);
		expect(exitCode).toBe(0);
	});

	it('lists a draft, a side, or both', async () => {
		const lines = async (...argv: string[]) => (await conformance(whole, ...argv)).stdout.match(/^\S+/gm);
		expect(await lines('R2')).toEqual(['R2-01', 'R2-02']);
		expect(await lines('--side', 'publisher')).toEqual(['JAF-01']);
		expect(await lines('R2', 'JAF-01', '--side', 'crawler')).toEqual(['R2-01', 'R2-02']);
	});

	it('prints rows for programs', async () => {
		const { stdout } = await conformance(whole, '--json', 'R2');
		expect(
			stdout
				.trimEnd()
				.split('\n')
				.map((line) => JSON.parse(line)),
		).toEqual(whole.rows.slice(0, 2));
	});

	it('says what it cannot find', async () => {
		const { exitCode, stderr } = await conformance(whole, 'R2-77');
		expect(stderr).toBe('error: R2-77 is not a requirement; the drafts are R2, JAF; a row ID looks like R2-01\n');
		expect(exitCode).toBe(2);
		expect((await conformance(whole, '--side', 'moon')).stderr).toMatch(
			/--side moon: expected one of crawler, publisher/,
		);
		expect((await conformance([], 'R2')).stderr).toMatch(/table\.json is not a table written by `npm run conformance`/);
		expect((await conformance(whole, '--from', 'none.json')).stderr).toMatch(/none\.json: the file does not exist/);
	});
});
