import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from '../command-list.ts';
import { pathOf } from '../terminal/misuse.ts';
import { recordingTerminal } from '../testing/recorder.ts';
import { exitCodesOf, exitTexts } from './exit-codes.ts';
import { everyCommand, loadCommand } from './load-command.ts';

const docs = readFileSync(new URL('../../../../docs/reference/exit-codes.md', import.meta.url), 'utf8');

it('U2-33: every command says what 0 and 1 mean, and docs/reference/exit-codes.md has the same table', async () => {
	const paths: string[] = [];
	for (const entry of commands) {
		const top = await loadCommand(entry, recordingTerminal('/'), () => {});
		everyCommand(top, (command) => {
			paths.push(pathOf(command));
			if (command.commands.length > 0) return;
			const [ok, found] = exitCodesOf(pathOf(command));
			expect(docs).toContain(`| \`${pathOf(command)}\` | ${ok?.[1]} | ${found?.[1]} |\n`);
		});
	}
	expect(Object.keys(exitTexts).sort()).toEqual(paths.sort());
});
