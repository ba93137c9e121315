import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const terminal = JSON.stringify(new URL('./process-terminal.ts', import.meta.url).href);
const tsx = import.meta.resolve('tsx');

/** A program that writes without end, until it is ended; or a hundred lines. */
const writer = (stream: 'out' | 'err', lines: number) => `
const { processTerminal } = await import(${terminal});
const terminal = processTerminal();
for (let line = 0; line < ${lines}; line++) {
	terminal.${stream}('x'.repeat(1000) + '\\n');
	await new Promise((resolve) => setTimeout(resolve, 1));
}
process.exitCode = 7;`;

/** Runs it by a shell, so that what reads its output ends after a line; gives its exit code and what else was said. */
async function piped(program: string, pipe: string) {
	const argv = [
		process.execPath,
		'--conditions=wayleave-source',
		'--import',
		tsx,
		'--input-type=module',
		'-e',
		program,
	];
	const shell = spawn('bash', ['-c', `{ "$@"; echo "exit $?" >&3; } ${pipe}`, 'bash', ...argv], {
		cwd: fileURLToPath(new URL('./', import.meta.url)),
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
	});
	let said = '';
	for (const stream of [shell.stdio[1], shell.stdio[2], shell.stdio[3]])
		stream!.on('data', (chunk: Buffer) => {
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
	expect(await piped(writer(stream, Number.POSITIVE_INFINITY), pipe)).toBe('exit 0\n');
});

it('nobody reads the remarks any more: the work goes on', async () => {
	expect(await piped(writer('err', 100), '2> >(head -n 1 >/dev/null)')).toBe('exit 7\n');
});
