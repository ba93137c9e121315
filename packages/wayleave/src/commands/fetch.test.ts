import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StaticServer, serveFolder } from '../demo/static-server.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';
import { commands } from './index.ts';

const words = 'Words that only a script writes. '.repeat(30);
const app = `<!doctype html><title>App</title><body><div id="root"></div><script>
document.getElementById('root').innerHTML = '<h1>Tides</h1><p>${words}</p>';</script>`;

let server: StaticServer;
beforeAll(async () => {
	const site = mkdtempSync(join(tmpdir(), 'wayleave-fetch-'));
	writeFileSync(join(site, 'index.html'), app);
	server = await serveFolder(site, { origin: 'https://app.example' });
});
afterAll(() => server.close());

async function output(command: string, ...flags: string[]) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')));
	const exitCode = await run(
		[command, `http://127.0.0.1:${server.port}/`, '--delay', '0', ...flags],
		terminal,
		commands,
	);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

it.each(['fetch --format json', 'fetch --format markdown', 'fetch --format som', 'som'])(
	'%s of a page that its scripts make says what is missing and what to do',
	async (line) => {
		const [command, ...flags] = line.split(' ') as [string, ...string[]];
		const empty = await output(command, ...flags);
		expect(empty.exitCode).toBe(1);
		expect(empty.stderr).toContain('no content as it is sent');
		expect(empty.stderr).toContain('--render auto');
		const full = await output(command, ...flags, '--render', 'auto');
		expect(full).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('no content') });
		expect(full.stdout).toContain('Words that only a script writes.');
	},
);

it('a stored copy without content says what to do, and what it says does it', async () => {
	const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-fetch-')), 'pages.db')}`;
	await output('fetch', '--store', store);
	const stored = await output('fetch', '--store', store, '--render', 'auto');
	expect(stored).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(': --force-refresh\n') });
	const anew = await output('fetch', '--store', store, '--render', 'auto', '--force-refresh');
	expect(anew).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Words that only a script writes.') });
});
