import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@wayleave/service/client';
import { describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { type Recorder, recordingTerminal } from '../../testing/recorder.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-serve-'));

/** Starts the command, and waits for the address that it prints. */
async function serve(terminal: Recorder, ...argv: string[]) {
	const ended = run(['serve', '--listen', '0', ...argv], terminal, commands);
	const address = () => /serving at (http:\S+)/.exec(terminal.stderr())?.[1];
	await expect.poll(address, { timeout: 20_000 }).toBeDefined();
	return { ended, url: address()! };
}

describe('wayleave serve', () => {
	it('serves until Ctrl-C, then ends by itself', async () => {
		const terminal = recordingTerminal(folder());
		const { ended, url } = await serve(terminal, '--open', '--store', 'memory', '--json');
		expect(await (await fetch(`${url}/readyz`)).text()).toBe('ready\n');
		await expect(createClient({ url }).document(`${url}/healthz`)).rejects.toMatchObject({ code: 'private-address' });
		terminal.interrupt();
		expect(await ended).toBe(0);
		await expect(fetch(`${url}/readyz`)).rejects.toThrow();
		const lines = terminal
			.stdout()
			.split('\n')
			.filter((line) => line.startsWith('{'));
		expect(lines.map((line) => JSON.parse(line))).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ level: 'info', path: '/v1/aidocument', status: 422, key: 'open' }),
			]),
		);
	});

	it('with keys: those that `wayleave keys` makes, while it runs too', async () => {
		const cwd = folder();
		const terminal = recordingTerminal(cwd);
		const { ended, url } = await serve(terminal);
		expect(terminal.stderr()).toContain('no key exists yet');
		await expect(createClient({ url }).stored('http://a.test/')).rejects.toMatchObject({ code: 'key-missing' });
		const maker = recordingTerminal(cwd);
		await run(['keys', 'create', '--name', 'Ada'], maker, commands);
		expect(await createClient({ url, key: maker.stdout().trim() }).stored('http://a.test/')).toBeUndefined();
		terminal.interrupt();
		expect(await ended).toBe(0);
	});

	it.each([
		[['--open', '--listen', '0.0.0.0:0'], /on this machine only, not on 0\.0\.0\.0/],
		[['--open', '--listen', ':0'], /on this machine only/],
		[['--delay', '0'], /--i-own-this-site/],
		[['--public-url', 'index.example'], /not an http\(s\) URL/],
		[['--listen', 'nowhere'], /--listen/],
	])('%j is wrong usage', async (argv, message) => {
		const terminal = recordingTerminal(folder());
		expect(await run(['serve', '--store', 'memory', ...argv], terminal, commands)).toBe(2);
		expect(terminal.stderr()).toMatch(message);
	});
});
