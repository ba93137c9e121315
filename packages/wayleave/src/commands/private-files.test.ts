import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startWeb } from '../../../crawler/src/testing/web.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const chmodNote = 'chmod 600 keeps them out';

/** Runs a server until it is ready; returns the modes of the files in a folder, and the output. */
async function serve(cwd: string, folder: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const ended = run(argv, terminal, commands);
	await expect.poll(() => terminal.stderr(), { timeout: 20_000 }).toMatch(/serving at|is served at|served/);
	const modes = Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
	terminal.interrupt();
	expect(await ended).toBe(0);
	return { modes, said: terminal.stderr() };
}

describe.skipIf(process.platform === 'win32')('files with keys, reports and addresses', () => {
	it('S2-23 of a service: only its user can read them; older ones keep their mode, and are reported', async () => {
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-private-'));
		const folder = join(cwd, 'new');
		const argv = ['serve', '--open', '--listen', '0', '--store', 'sqlite:./new/svc.db'];
		const { modes, said } = await serve(cwd, folder, ...argv);
		for (const name of ['svc.db', 'svc.db-service', 'svc.db-wal', 'svc.db-service-wal', 'svc.db-service-shm'])
			expect(modes[name], name).toBe('600');
		expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
		expect(modeOf(folder)).toBe('700');
		expect(said).not.toContain(chmodNote);

		chmodSync(join(folder, 'svc.db-service'), 0o644);
		const later = await serve(cwd, folder, ...argv);
		expect(later.modes['svc.db-service']).toBe('644');
		expect(later.said).toContain(join(folder, 'svc.db-service'));
		expect(later.said).toContain(chmodNote);
	});

	it('S2-24 of a gateway: the same', async () => {
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-private-'));
		const web = await startWeb(() => '<p>Words</p>');
		const folder = join(cwd, '.wayleave');
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://a.test\npagedigest: {}\n');
		const upstream = `http://127.0.0.1:${web.port}`;
		const argv = ['gateway', '--upstream', upstream, '--listen', '0', '--no-dashboard'];
		const { modes, said } = await serve(cwd, folder, ...argv);
		for (const name of ['ledger.db', 'revisions.db', 'ledger.db-wal']) expect(modes[name], name).toBe('600');
		expect(
			new Set(
				Object.entries(modes)
					.filter(([name]) => name !== 'ranges')
					.map(([, mode]) => mode),
			),
		).toEqual(new Set(['600']));
		expect(modeOf(folder)).toBe('700');
		expect(said).not.toContain(chmodNote);
		chmodSync(join(folder, 'ledger.db'), 0o640);
		const later = await serve(cwd, folder, ...argv);
		expect(later.modes['ledger.db']).toBe('640');
		expect(later.said).toContain(join(folder, 'ledger.db'));
		await web.close();
	});
});
