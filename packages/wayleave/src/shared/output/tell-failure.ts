import { exitCodes, type Terminal } from '../../terminal/command.ts';

/** Something that the work found to be wrong, where the command itself could run. */
export interface Found {
	/** For programs: stable, in kebab-case. */
	readonly code: string;
	/** For people. */
	readonly message: string;
	/** Identifies one of several files or pages. */
	readonly [detail: string]: unknown;
}

/**
 * Says what is wrong: a sentence on stderr, and with `--json` an object on stdout too.
 *
 * @returns the exit code for it, 1 unless another is given
 */
export function tellFailure(
	terminal: Terminal,
	{ json }: { readonly json?: boolean },
	{ code, message, ...details }: Found,
	exitCode: number = exitCodes.found,
): number {
	if (json) terminal.outError(`${JSON.stringify({ error: { code, message, ...details } })}\n`);
	terminal.err(`${message}\n`);
	return exitCode;
}
