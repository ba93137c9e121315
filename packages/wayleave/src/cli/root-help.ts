import type { CommandEntry } from '../terminal/command.ts';
import { exitLine } from './exit-codes.ts';

export const rootDescription = 'Crawl sites on their own terms, and serve your own site to AI agents on yours.';

const options = [
	['-V, --version', 'output the version number'],
	['-h, --help', 'display help for command'],
] as const;
const helpCommand = ['help [command]', 'display help for command'] as const;

/** Whether a command line asks for the list of commands and nothing else. */
export function asksForRootHelp(argv: readonly string[]): boolean {
	return argv.length === 0 || (argv.length === 1 && ['help', '--help', '-h'].includes(argv[0] ?? ''));
}

/**
 * The list of commands, as commander would show it: without commander it takes half the time, and it is the first that
 * anybody types. A test compares both.
 *
 * @param columns of the terminal
 */
export function rootHelp(commands: readonly CommandEntry[], columns: number): string {
	const rows = commands.map(({ name, description }) => [name, description] as const);
	const widest = Math.max(...[...options, ...rows, helpCommand].map(([term]) => term.length));
	const item = ([term, text]: readonly [string, string]) =>
		`  ${term.padEnd(widest)}  ${wrap(text, columns - widest - 4).join(`\n${' '.repeat(widest + 4)}`)}`;
	return [
		'Usage: wayleave [options] [command]\n',
		`${wrap(rootDescription, columns).join('\n')}\n`,
		'Options:',
		`${options.map(item).join('\n')}\n`,
		'Commands:',
		`${[...rows, helpCommand].map(item).join('\n')}\n`,
		exitLine(''),
		'wayleave COMMAND --help shows the options of a command.\n',
	].join('\n');
}

/** Below this, commander does not wrap either. */
const minWidth = 40;

function wrap(text: string, width: number): string[] {
	if (width < minWidth) return [text];
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		if (line !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === '' ? word : `${line} ${word}`;
	}
	return [...lines, line];
}
