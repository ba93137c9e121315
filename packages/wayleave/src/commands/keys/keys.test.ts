import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-keys-'));

async function keys(cwd: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(['keys', ...argv], terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe('wayleave keys', () => {
	it('create, list, rotate, revoke', async () => {
		const cwd = folder();
		const created = await keys(cwd, 'create', '--name', 'Ada', '--rate', '60', '--quota', '500', '--expires', '90d');
		expect(created.stdout).toMatch(/^wl_[0-9a-z]{10}_[\w-]{43}\n$/);
		const [, id] = created.stdout.split('_');
		const listed = await keys(cwd, 'list');
		expect(listed.stdout).toMatch(
			new RegExp(`^${id}  Ada  documents:read,documents:fetch  60/minute  500/day  until \\d{4}-\\d\\d-\\d\\d\n$`),
		);
		expect(listed.stdout).not.toContain(created.stdout.trim().slice(-43));
		const rotated = await keys(cwd, 'rotate', id!);
		expect(rotated.stdout).toMatch(new RegExp(`^wl_${id}_`));
		expect(rotated.stdout).not.toBe(created.stdout);
		expect(await keys(cwd, 'revoke', id!)).toMatchObject({ exitCode: 0 });
		expect(await keys(cwd, 'revoke', id!)).toMatchObject({ exitCode: 1 });
		expect(await keys(cwd, 'rotate', id!)).toMatchObject({ exitCode: 1 });
		expect((await keys(cwd, 'list', '--json')).stdout).toContain('"revokedAt"');
	});

	it.each([
		[['list'], 0, 'no keys in sqlite:typo/x.db yet: wayleave keys create --name NAME\n'],
		[['revoke', 'abc'], 1, 'no active key abc'],
		[['rotate', 'abc'], 1, 'no active key abc'],
	])('U2-35: %j of a mistyped store leaves no file', async (argv, exitCode, text) => {
		const cwd = folder();
		const result = await keys(cwd, ...argv, '--store', 'sqlite:typo/x.db');
		expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(text) });
		expect(readdirSync(cwd)).toEqual([]);
	});

	it.each([
		[['create', '--name', 'x', '--scope', 'everything'], /expected one of documents:read/],
		[['create'], /--name/],
		[['create', '--name', 'x', '--expires', 'yesterday'], /future date/],
		[['list', '--store', 'memory'], /does not outlive this command/],
		[['list', '--store', 'mysql://x'], /sqlite:FILE/],
	])('%j is wrong usage', async (argv, message) => {
		const { exitCode, stderr } = await keys(folder(), ...argv);
		expect(exitCode).toBe(2);
		expect(stderr).toMatch(message);
	});
});
