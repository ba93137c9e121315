import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { sourceProgram } from '../../../../scripts/source-program.ts';

const child = sourceProgram('packages/wayleave/src/testing/terminal-child.ts');

/** Runs a program that writes lines by a shell, so that what reads its output ends after a line; gives its exit code and what else was said. */
async function piped(stream: 'out' | 'err', lines: number, pipe: string) {
	const argv = [process.execPath, child, stream, String(lines)];
	const shell = spawn('bash', ['-c', `{ "$@"; echo "exit $?" >&3; } ${pipe}`, 'bash', ...argv], {
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
	});
	let said = '';
	for (const output of [shell.stdio[1], shell.stdio[2], shell.stdio[3]])
		output!.on('data', (chunk: Buffer) => {
			said += chunk;
		});
	await once(shell, 'close');
	return said;
}

it.each([
	['stdout', 'out', '| head -n 1 >/dev/null'],
	['stdout and stderr in one pipe, by the first', 'out', '2>&1 | head -n 1 >/dev/null'],
	['stdout and stderr in one pipe, by the second', 'err', '2>&1 | head -n 1 >/dev/null'],
] as const)('nobody reads any more: a program ends without a word, with 0 (%s)', async (_, stream, pipe) => {
	expect(await piped(stream, Number.POSITIVE_INFINITY, pipe)).toBe('exit 0\n');
});

it('nobody reads the remarks any more: the work goes on', async () => {
	expect(await piped('err', 100, '2> >(head -n 1 >/dev/null)')).toBe('exit 7\n');
});
