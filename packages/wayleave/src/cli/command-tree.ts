import { Command } from 'commander';
import type { CommandEntry, Terminal } from '../terminal/command.ts';
import { pathOf } from '../terminal/misuse.ts';
import { everyCommand, loadCommand } from './load-command.ts';

/** One command of the tree, as completion and the man page show it. */
export interface CommandInfo {
	/** `store export`; empty for the program itself. */
	readonly path: string;
	readonly description: string;
	readonly subcommands: readonly { readonly name: string; readonly description: string }[];
	readonly options: readonly OptionInfo[];
	readonly arguments: readonly {
		readonly name: string;
		readonly description: string;
		readonly choices: readonly string[];
	}[];
	readonly help: string;
}

export interface OptionInfo {
	readonly short: string | undefined;
	readonly long: string;
	readonly flags: string;
	readonly description: string;
	readonly takesValue: boolean;
	readonly choices: readonly string[];
	/** As help shows it; undefined for none, and where the description names it. */
	readonly defaultText: string | undefined;
	/** Whether the value is the name of a file or a folder. */
	readonly file: boolean;
}

/** Nothing runs while the tree is read. */
const nowhere = { columns: 80, env: {} } as Terminal;

/** All commands with their options, from the same table as help. */
export async function commandTree(commands: readonly CommandEntry[]): Promise<CommandInfo[]> {
	const program = new Command('wayleave').description(
		'Crawl sites on their own terms, and serve your own site to AI agents on yours.',
	);
	for (const entry of commands) program.addCommand(await loadCommand(entry, nowhere, () => {}));
	const found: CommandInfo[] = [];
	everyCommand(program, (command) => found.push(infoOf(command)));
	return found;
}

function infoOf(command: Command): CommandInfo {
	return {
		path: pathOf(command).replace(/^wayleave ?/, ''),
		description: command.description(),
		subcommands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
		options: command.options
			.filter(({ hidden }) => !hidden)
			.map(({ short, long = '', flags, description, required, optional, argChoices = [], defaultValue }) => ({
				short,
				long,
				flags,
				description,
				takesValue: required || optional,
				choices: argChoices,
				defaultText: typeof defaultValue === 'string' ? defaultValue : undefined,
				file: /<(?:FILE|DIR|PATH)>/.test(flags),
			})),
		arguments: command.registeredArguments.map((argument) => ({
			name: argument.name(),
			description: argument.description,
			choices: argument.argChoices ?? [],
		})),
		help: command.helpInformation(),
	};
}
