import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

// A crawl loads a good part of everything first.
vi.setConfig({ testTimeout: 240_000 });

it('runs as often as one likes, also at one port: each port has its own files', async () => {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-demo-'));
	mkdirSync(join(cwd, 'site'));
	writeFileSync(join(cwd, 'site/index.html'), '<title>Home</title><main><p>A sentence that is long enough.</p></main>');
	const demo = async (port: string) => {
		const terminal = recordingTerminal(cwd);
		const site = join(cwd, 'site');
		const exitCode = await run(['demo', '--site', site, '--port', port, '--out', 'out'], terminal, commands);
		expect([exitCode, terminal.stderr()]).toEqual([0, expect.not.stringContaining('error')]);
	};
	await demo('0');
	const [port] = readdirSync(join(cwd, 'out'));
	await demo(port!);
	await demo('0');
	const ports = readdirSync(join(cwd, 'out'));
	expect(ports).toHaveLength(2);
	for (const each of ports) {
		const lines = readFileSync(join(cwd, 'out', each, 'pages.jsonl'), 'utf8')
			.trimEnd()
			.split('\n');
		expect(lines.map((line) => JSON.parse(line).url)).toEqual([`http://127.0.0.1:${each}/`]);
	}
});
