import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { exitCodes, type Terminal, UsageError } from './command.ts';
import type { CommandEntry } from './commands/index.ts';
import { showAddress } from './options/addresses.ts';
import { manyLines } from './output/one-line.ts';
import { version } from './version.ts';

/** Runs one command line. Returns the exit code; never throws and never ends the process. */
export async function run(
	argv: readonly string[],
	terminal: Terminal,
	commands: readonly CommandEntry[],
): Promise<number> {
	let exitCode: number = exitCodes.ok;
	try {
		const program = await createProgram(terminal, commands, argv, (code) => {
			exitCode = code;
		});
		if (argv.length === 0) program.outputHelp();
		else await program.parseAsync(withoutHelpOfNothing(program, argv), { from: 'user' });
		return exitCode;
	} catch (error) {
		return explainFailure(error, terminal);
	}
}

/** Only the command that is asked for is loaded; of the others help needs no more than a line. */
async function createProgram(
	terminal: Terminal,
	commands: readonly CommandEntry[],
	argv: readonly string[],
	done: (exitCode: number) => void,
): Promise<Command> {
	const program = new Command('wayleave')
		.description('A right of way between AI agents and web sites, on the terms of the site.')
		.version(version)
		.enablePositionalOptions()
		.showSuggestionAfterError();
	// `wayleave help crawl` and `wayleave -- crawl` too.
	const asked = argv.find((word) => commands.some(({ name }) => name === word));
	for (const { name, description, load } of commands) {
		const command = name === asked ? (await load())(terminal, done) : new Command(name);
		program.addCommand(command.description(description));
	}
	everyCommand(program, (command) => {
		command.exitOverride().configureOutput({
			writeOut: (text) => terminal.out(text),
			writeErr: (text) => terminal.err(text),
			getOutHelpWidth: () => terminal.columns,
			getErrHelpWidth: () => terminal.columns,
		});
	});
	return program;
}

/**
 * `help nope` and `nope --help` are an unknown command, and `help --help` is help: commander shows the general help for
 * all of them, as wrong usage or as if nothing were wrong.
 */
function withoutHelpOfNothing(program: Command, argv: readonly string[]): string[] {
	let command = program;
	for (const [at, word] of argv.entries()) {
		const child = (name: string | undefined) => command.commands.find((each) => each.name() === name);
		const next = argv[at + 1];
		if (word === 'help' && command.commands.length > 0) {
			return next === undefined || child(next) ? [...argv] : argv.toSpliced(at, 1);
		}
		const named = child(word);
		if (named === undefined) {
			const isUnknown = command.commands.length > 0 && !word.startsWith('-');
			return argv.filter((other, index) => !(isUnknown && index > at && /^(-h|--help)$/.test(other)));
		}
		command = named;
	}
	return [...argv];
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
	visit(command);
	for (const child of command.commands) everyCommand(child, visit);
}

function explainFailure(error: unknown, terminal: Terminal): number {
	if (error instanceof CommanderError) {
		// --help and --version end this way too, with 0; commander has already printed what was wrong.
		return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
	}
	if (error instanceof UsageError || error instanceof InvalidArgumentError) {
		terminal.err(`error: ${error.message}\n`);
		return exitCodes.usage;
	}
	terminal.err(`error: ${manyLines(describe(error))}\n`);
	if (terminal.env.WAYLEAVE_DEBUG && error instanceof Error) terminal.err(`${error.stack}\n`);
	return exitCodes.failed;
}

/** What the system says when a port cannot be had, with what to do about it. */
function whyNotListening(error: NodeJS.ErrnoException & { address?: string; port?: number }): string | undefined {
	if (error.syscall !== 'listen') return undefined;
	const why = {
		EADDRINUSE: 'something else listens there: choose another port',
		EACCES: 'this user may not: choose a port from 1024 on',
		EADDRNOTAVAIL: 'this machine does not have the address',
	}[error.code ?? ''];
	if (why === undefined) return undefined;
	return `cannot listen on ${showAddress({ address: error.address ?? '', port: error.port ?? 0 })}: ${why} (${error.code})`;
}

/** An error and what caused it, in one line, without saying again what a message has taken over from its cause. */
function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	let text = whyNotListening(error) ?? error.message;
	for (let { cause } = error; cause !== undefined; cause = cause instanceof Error ? cause.cause : undefined) {
		const message = cause instanceof Error ? cause.message : String(cause);
		if (!text.includes(message)) text += `: ${message}`;
	}
	return text;
}
