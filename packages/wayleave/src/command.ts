import type { Command } from 'commander';

/** What a command may know of the world it was typed in. Tests pass their own. */
export interface Terminal {
	/** Results: what a person or a pipe came for. */
	out(text: string): void;
	/** Everything else: progress, remarks, errors. */
	err(text: string): void;
	/** A person is watching `err`: a progress display and colour make sense. */
	readonly interactive: boolean;
	readonly columns: number;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Calls `listener` on each Ctrl-C until the returned function is called. */
	onInterrupt(listener: () => void): () => void;
}

/**
 * Makes one command. The command reports its exit code by `done`; throwing means that it could not run (3). What it does
 * is loaded when it runs, from `actions/`: help and wrong options do not wait for it.
 */
export type CommandFactory = (terminal: Terminal, done: (exitCode: number) => void) => Command;

/** Exit codes: `docs/interfaces.md`, "Commands". */
export const exitCodes = { ok: 0, found: 1, usage: 2, failed: 3, interrupted: 130 } as const;

/** Wrong usage that only the command itself can see: exit code 2. */
export class UsageError extends Error {
	readonly code = 'wrong-usage';
}
