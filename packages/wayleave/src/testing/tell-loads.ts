import { writeSync } from 'node:fs';
import { register } from 'node:module';
import type { CommandEntry } from '../terminal/command.ts';

// A program: what is loaded for the help of each command, and then for the work of `crawl`, one URL a line.

const hook = `
import { writeSync } from 'node:fs';
export const load = (url, context, next) => (writeSync(1, url + '\\n'), next(url, context));`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { run } = await import('../program.ts');
const { recordingTerminal } = await import('./recorder.ts');
const { commands }: { commands: readonly CommandEntry[] } = await import('../command-list.ts');
for (const { name } of commands) {
	writeSync(1, `= ${name}\n`);
	await run([name, '--help'], recordingTerminal('/'), commands);
	await run([name, '--no-such-option'], recordingTerminal('/'), commands);
}
writeSync(1, '= the work of crawl\n');
await import('../commands/crawl/run.ts');
