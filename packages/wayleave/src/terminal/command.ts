import type { Command } from 'commander';

/** The environment of a command. Tests pass their own. */
export interface Terminal {
	/** Results: what a person or a pipe came for. */
	out(text: string): void;
	/** Errors for programs, by `--json`: stdout, also where results go to a file. */
	outError(text: string): void;
	/** Errors and warnings. */
	err(text: string): void;
	/** Remarks: progress, counts, hints, what was written where. Goes where errors go; `--quiet` drops it. */
	note(text: string): void;
	/** All of stdin, for a file that was named `-`. */
	stdin(): Uint8Array;
	/** `--quiet`: errors only. */
	readonly quiet: boolean;
	/** `--verbose`: each request and decision. */
	readonly verbose: boolean;
	/** A person is watching `err`: a progress display and colour make sense. */
	readonly interactive: boolean;
	readonly columns: number;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Asks a person one question; undefined without a terminal. Resolves with undefined at the end of the input. */
	readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
	/** Calls `listener` on each Ctrl-C until the returned function is called. */
	onInterrupt(listener: () => void): () => void;
}

/**
 * Makes one command. The command reports its exit code with `done`; throwing means that it could not run (3). Its
 * `run.ts` is loaded when it runs, so that help and wrong options do not wait for it.
 */
export type CommandFactory = (
	terminal: Terminal,
	done: (exitCode: number) => void,
	commandLine: CommandLine,
) => Command;

/** A command in the list. Its code is loaded on demand, so that the program starts quickly. */
export interface CommandEntry {
	readonly name: string;
	readonly description: string;
	load(): Promise<CommandFactory>;
}

/** The command line that a command belongs to, passed in because a command cannot import the list that names it. */
export interface CommandLine {
	readonly commands: readonly CommandEntry[];
	/** Runs another command line. Returns its exit code. */
	run(argv: readonly string[], terminal: Terminal): Promise<number>;
}

/** Exit codes: `docs/reference/exit-codes.md`. */
export const exitCodes = { ok: 0, found: 1, usage: 2, failed: 3, interrupted: 130 } as const;

/** Wrong usage that only the command itself can see: exit code 2. */
export class UsageError extends Error {
	readonly code: string;

	/** @param options `code`: what is wrong, for programs; `wrong-usage` unless given */
	constructor(message: string, { code = 'wrong-usage', cause }: { code?: string; cause?: unknown } = {}) {
		super(message, { cause });
		this.code = code;
	}
}
