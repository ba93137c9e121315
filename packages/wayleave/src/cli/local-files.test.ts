import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { exitCodes } from '../terminal/command.ts';
import { recordingTerminal } from '../testing/recorder.ts';
import { everyCommand, loadCommand } from './load-command.ts';
import { refuseAddressesAsFiles } from './local-files.ts';

/** A folder with a page in it. */
function folderWithPage(): string {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-local-files-'));
	writeFileSync(join(cwd, 'page.html'), '<h1>A page</h1><p>Some words of a page that is long enough.</p>');
	return cwd;
}

describe('an address where a file of this machine is expected', () => {
	it('is refused by each option of each command that names a file or a folder', async () => {
		let options = 0;
		for (const entry of commands) {
			const loaded = await loadCommand(entry, recordingTerminal('/'), () => {});
			everyCommand(loaded, (command) => {
				for (const option of command.options.filter(({ flags }) => /<(FILE|DIR|FOLDER)>/.test(flags))) {
					const name = option.attributeName();
					command.setOptionValue(name, 'gs://bucket/x');
					expect(() => refuseAddressesAsFiles(command), `${command.name()} ${option.long}`).toThrow('gs://');
					command.setOptionValue(name, 'C:\\x');
					expect(() => refuseAddressesAsFiles(command)).not.toThrow();
					options++;
				}
			});
		}
		expect(options).toBeGreaterThan(40);
	});

	it.each([
		['convert page.html --url https://example.com/ --out s3://bucket/md/', "'s3://BUCKET/FOLDER/*.jsonl.gz'"],
		['convert page.html --url https://example.com/ --out gs://bucket/x.jsonl', 'on this machine, or s3://'],
		['convert page.html --url https://example.com/ --out https://example.com/x.jsonl', 'not https://'],
		['crawl http://127.0.0.1:9/ --out s3://bucket/md/', "'s3://BUCKET/FOLDER/*.jsonl.gz'"],
		['fetch https://example.com/ --out s3://bucket/page.json', 'a file on this machine, not s3://'],
		['init --origin https://example.com --out file:///x.yaml', 'a file on this machine, not file://'],
	])('%s writes nothing', async (line, sentence) => {
		const cwd = folderWithPage();
		const terminal = recordingTerminal(cwd, { HOME: cwd });
		expect(await run(line.split(' '), terminal, commands)).toBe(exitCodes.usage);
		expect(terminal.stderr()).toContain(sentence);
		expect(readdirSync(cwd)).toEqual(['page.html']);
	});
});
