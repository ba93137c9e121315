import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../cli/command-tree.ts';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';
import { shells } from './shells.ts';

const folder = mkdtempSync(join(tmpdir(), 'wayleave-completion-'));
const hasShell = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

beforeAll(async () => {
	for (const shell of shells) {
		const terminal = recordingTerminal(folder);
		expect(await run(['completion', shell], terminal, commands)).toBe(0);
		expect(terminal.stderr()).toBe('');
		writeFileSync(join(folder, shell), terminal.stdout());
	}
});

/** What bash offers for the last word. */
function inBash(...words: string[]): string[] {
	const script = `source ${folder}/bash; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _wayleave; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const out = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
	return out.trimEnd().split('\n').filter(Boolean);
}

const inFish = (line: string): string[] =>
	execFileSync('fish', ['-N', '-c', `source ${folder}/fish; complete -C '${line}'`], {
		cwd: folder,
		encoding: 'utf8',
		env: { ...process.env, HOME: folder },
	})
		.trimEnd()
		.split('\n')
		.map((each) => each.split('\t')[0] ?? '');

describe('U2-24: wayleave completion', () => {
	it.each([
		[['wayleave', 'cra'], ['crawl']],
		[
			['wayleave', 'store', 'ex'],
			['explain', 'export'],
		],
		[
			['wayleave', 'crawl', '--scope', ''],
			['host', 'domain', 'prefix'],
		],
		[['wayleave', 'crawl', 'https://a.test', '--max-d'], ['--max-depth']],
		[['wayleave', 'store', 'export', '--op'], ['--operator-market']],
		[['wayleave', 'completion', 'z'], ['zsh']],
		[['wayleave', 'lint', '-o', 'fi'], ['fish']],
		[['wayleave', 'lint', 'fi'], ['fish']],
	])('bash: %j', (words, offered) => {
		expect(inBash(...words)).toEqual(offered);
	});

	it('bash offers every option of every command', async () => {
		for (const { path, options } of await commandTree(commands)) {
			const offered = inBash('wayleave', ...path.split(' ').filter(Boolean), '--');
			expect(offered).toEqual(expect.arrayContaining(options.map(({ long }) => long)));
		}
	});

	it.runIf(hasShell('fish'))('fish: commands, options and values', () => {
		expect(inFish('wayleave cra')).toEqual(['crawl']);
		expect(inFish('wayleave store ex')).toEqual(['explain', 'export']);
		expect(inFish('wayleave crawl --scope ').sort()).toEqual(['domain', 'host', 'prefix']);
		expect(inFish('wayleave fetch --qu')).toEqual(['--quiet']);
	});

	it.runIf(hasShell('zsh'))('zsh reads the script', () => {
		expect(spawnSync('zsh', ['-n', join(folder, 'zsh')], { encoding: 'utf8' })).toMatchObject({
			status: 0,
			stderr: '',
		});
	});

	it('another shell is wrong usage', async () => {
		const terminal = recordingTerminal(folder);
		expect(await run(['completion', 'bsh'], terminal, commands)).toBe(2);
		expect(terminal.stderr()).toContain('(Did you mean bash?)');
	});
});
