import { Command, CommanderError } from 'commander';
import { resultFileOf } from './cli/common-options.ts';
import { asksHosts } from './cli/exit-codes.ts';
import { everyCommand, loadCommand } from './cli/load-command.ts';
import { refuseAddressesAsFiles } from './cli/local-files.ts';
import { rootDescription, rootHelp } from './cli/root-help.ts';
import { openSession, type Session } from './cli/session.ts';
import { settingCommands, takesSettings } from './cli/setting-commands.ts';
import { type CommandEntry, type CommandLine, exitCodes, type Terminal } from './terminal/command.ts';
import { Misuse, pathOf } from './terminal/misuse.ts';
import { version } from './terminal/version.ts';

/** Runs one command line. Returns the exit code; never throws and never ends the process. */
export async function run(
	argv: readonly string[],
	terminal: Terminal,
	commands: readonly CommandEntry[],
): Promise<number> {
	let exitCode: number = exitCodes.ok;
	const session = openSession(terminal);
	try {
		const program = await createProgram(session, commands, argv, (code) => {
			exitCode = code;
		});
		if (argv.length === 0) program.outputHelp();
		else await program.parseAsync(withoutHelpOfNothing(program, argv), { from: 'user' });
		return await session.finish(exitCode);
	} catch (error) {
		// --help and --version end this way too, with 0.
		if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
		return explainFailure(error, argv, terminal);
	} finally {
		session.close();
	}
}

async function explainFailure(error: unknown, argv: readonly string[], terminal: Terminal): Promise<number> {
	const { failureOf } = await import('./cli/failure.ts');
	const { exitCode, code, message } = failureOf(error);
	if (wantsJson(argv)) terminal.outError(`${JSON.stringify({ error: { code, message } })}\n`);
	terminal.err(`error: ${message}\n`);
	if (terminal.env.WAYLEAVE_DEBUG && error instanceof Error) terminal.err(`${error.stack}\n`);
	return exitCode;
}

/** By the words alone: the command line may be what is wrong. */
function wantsJson(argv: readonly string[]): boolean {
	const end = argv.indexOf('--');
	return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}

/** Only the command that is asked for is loaded; of the others help needs no more than a line. */
async function createProgram(
	session: Session,
	commands: readonly CommandEntry[],
	argv: readonly string[],
	done: (exitCode: number) => void,
): Promise<Command> {
	const { terminal } = session;
	const program = new Command('wayleave')
		.description(rootDescription)
		.version(version)
		.enablePositionalOptions()
		.showSuggestionAfterError(false);
	// `wayleave help crawl` and `wayleave -- crawl` too.
	const asked = argv.find((word) => commands.some(({ name }) => name === word));
	const commandLine: CommandLine = { commands, run: (line, from) => run(line, from, commands) };
	for (const entry of commands) {
		const { name, description } = entry;
		const command = name === asked ? await loadCommand(entry, terminal, done, commandLine) : new Command(name);
		program.addCommand(command.description(description));
	}
	program.helpInformation = () => rootHelp(commands, terminal.columns);
	program.hook('preAction', async (_, command) => {
		const { quiet, verbose } = command.opts<{ quiet?: boolean; verbose?: boolean }>();
		refuseAddressesAsFiles(command);
		const path = pathOf(command).replace(/^wayleave /, '');
		const resultFile = resultFileOf(command);
		await session.apply({
			quiet: quiet === true,
			verbose: verbose === true,
			asksHosts: asksHosts.has(path),
			...(resultFile !== undefined && { resultFile }),
		});
		if (!takesSettings(path)) return;
		const { applySettings, settingKeys } = await import('./cli/settings.ts');
		await applySettings(command, terminal, async () => settingKeys(await loadCommands(settingCommands, commands)));
	});
	everyCommand(program, (command) => {
		command
			.exitOverride((error) => {
				// commander has printed help and version itself, and the help of a group without a subcommand.
				throw error.exitCode === 0 || error.code === 'commander.help' ? error : new Misuse(error, command, argv);
			})
			.showSuggestionAfterError(false)
			.configureOutput({
				writeOut: (text) => terminal.out(text),
				writeErr: (text) => terminal.err(text),
				outputError: () => {},
				getOutHelpWidth: () => terminal.columns,
				getErrHelpWidth: () => terminal.columns,
			});
	});
	return program;
}

/** Commands by name, for their options. */
function loadCommands(names: readonly string[], commands: readonly CommandEntry[]): Promise<Command[]> {
	const nowhere = {} as Terminal;
	const wanted = commands.filter(({ name }) => names.includes(name));
	return Promise.all(wanted.map((entry) => loadCommand(entry, nowhere, () => {})));
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
