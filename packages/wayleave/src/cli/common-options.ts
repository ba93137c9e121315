import type { Command } from 'commander';

/** Commands whose result on stdout can go to a file instead, by `--out`. */
const toFile = new WeakSet<Command>();

/** Commands that run until they are stopped, or write nothing to stdout. */
const withoutResult: ReadonlySet<string> = new Set(['gateway', 'serve', 'mcp', 'revoke']);

const has = (command: Command, long: string): boolean => command.options.some((option) => option.long === long);

/** The options that every command has. */
export function addCommonOptions(command: Command): void {
	if (!has(command, '--out') && !withoutResult.has(command.name())) {
		command.option('-o, --out <FILE>', 'write the result to this file; - is stdout (default: -)');
		toFile.add(command);
	}
	if (!has(command, '--json')) command.option('--json', 'print errors as one JSON object on stdout, too');
	command
		.option('-q, --quiet', 'print errors only')
		.option('-v, --verbose', 'print each request and decision to stderr');
}

/** The file for the result of a command, instead of stdout. */
export function resultFileOf(command: Command): string | undefined {
	return toFile.has(command) ? command.opts<{ out?: string }>().out : undefined;
}
