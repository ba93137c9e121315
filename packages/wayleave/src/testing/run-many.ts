// Runs command lines one after the other in one process, so that the sources are loaded once. Argument: a JSON list of
// lists of words. Prints a JSON list of how each ended.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from './recorder.ts';

/** How a command has ended. */
export interface Ending {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

const endings: Ending[] = [];
for (const argv of JSON.parse(process.argv[2] ?? '[]') as string[][]) {
	const terminal = recordingTerminal(mkdtempSync(join(tmpdir(), 'wayleave-run-')));
	const code = await run(argv, terminal, commands);
	endings.push({ code, stdout: terminal.stdout(), stderr: terminal.stderr() });
}
console.log(JSON.stringify(endings));
