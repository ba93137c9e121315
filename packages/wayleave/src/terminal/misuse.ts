import type { Command, CommanderError } from 'commander';

/** A command line that cannot be read, and the command that it was read for. */
export class Misuse extends Error {
	readonly error: CommanderError;
	readonly command: Command;
	/** The whole command line. */
	readonly argv: readonly string[];

	constructor(error: CommanderError, command: Command, argv: readonly string[]) {
		super(error.message);
		this.argv = argv;
		this.error = error;
		this.command = command;
	}
}

/** `wayleave store export` */
export function pathOf(command: Command): string {
	return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
