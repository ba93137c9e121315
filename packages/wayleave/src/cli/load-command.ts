import type { Command } from 'commander';
import type { CommandEntry, CommandLine, Terminal } from '../terminal/command.ts';
import { pathOf } from '../terminal/misuse.ts';
import { addCommonOptions } from './common-options.ts';
import { exitLine } from './exit-codes.ts';
import { settingsHelp, takesSettings } from './setting-commands.ts';

/** For a command that is loaded for its options and never runs. */
const optionsOnly: CommandLine = {
	commands: [],
	run: () => Promise.reject(new Error('this command was loaded for its options only')),
};

/** A command with the options and the help that all commands have. */
export async function loadCommand(
	entry: CommandEntry,
	terminal: Terminal,
	done: (exitCode: number) => void,
	commandLine: CommandLine = optionsOnly,
): Promise<Command> {
	const command = (await entry.load())(terminal, done, commandLine).description(entry.description);
	everyCommand(command, (each) => {
		if (each.commands.length === 0) addCommonOptions(each);
		const path = pathOf(each).replace(/^wayleave /, '');
		if (each.commands.length === 0 && takesSettings(path)) each.addHelpText('after', `\n${settingsHelp}`);
		each.addHelpText('after', `\n${exitLine(path)}`);
	});
	return command;
}

export function everyCommand(command: Command, visit: (command: Command) => void): void {
	visit(command);
	for (const child of command.commands) everyCommand(child, visit);
}
