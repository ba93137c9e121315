import type { ResponseWatch } from '../shared/output/tell-requests.ts';
import { exitCodes, type Terminal } from '../terminal/command.ts';

/** Output options that every command has. */
export interface OutputFlags {
	readonly quiet?: boolean;
	readonly verbose?: boolean;
	/** The command asks hosts: no answer at all is an exit code of its own. */
	readonly asksHosts?: boolean;
	/** The file for results, instead of stdout. */
	readonly resultFile?: string;
}

/** One run of a command: the terminal as its options want it. */
export interface Session {
	readonly terminal: Terminal;
	/** Applies the options, once they are known. @throws FileError where the result cannot be written */
	apply(flags: OutputFlags): Promise<void>;
	/** Writes the result file, or prints to stdout why no host responded, and returns the exit code. @throws FileError */
	finish(exitCode: number): Promise<number>;
	close(): void;
}

export function openSession(given: Terminal): Session {
	let flags: OutputFlags = {};
	const result: string[] = [];
	let stopTelling = () => {};
	let responses: ResponseWatch | undefined;
	const terminal: Terminal = {
		out: (text) => (flags.resultFile === undefined ? given.out(text) : void result.push(text)),
		outError: (text) => given.outError(text),
		err: (text) => given.err(text),
		note: (text) => {
			if (flags.quiet !== true) given.note(text);
		},
		stdin: () => given.stdin(),
		get quiet() {
			return flags.quiet === true || given.quiet;
		},
		get verbose() {
			return flags.verbose === true || given.verbose;
		},
		get interactive() {
			return given.interactive && flags.quiet !== true && flags.verbose !== true;
		},
		columns: given.columns,
		cwd: given.cwd,
		env: given.env,
		ask: given.ask,
		onInterrupt: (listener) => given.onInterrupt(listener),
	};
	return {
		terminal,
		async apply(next) {
			const { resultFile, ...others } = next;
			flags = resultFile === undefined || resultFile === '-' ? others : next;
			if (flags.resultFile !== undefined)
				(await import('../shared/output/write-file.ts')).checkPlace(flags.resultFile, given.cwd);
			if (flags.verbose !== true && flags.asksHosts !== true) return;
			const { tellRequests, watchResponses } = await import('../shared/output/tell-requests.ts');
			if (flags.verbose === true && !given.verbose) stopTelling = tellRequests((line) => given.err(line));
			if (flags.asksHosts === true) responses = watchResponses();
		},
		async finish(exitCode) {
			const isUnanswered = exitCode !== exitCodes.ok && responses?.hadNoResponse() === true;
			// Replaces the result of the last run, except after a failure.
			const isResult = result.length > 0 || exitCode === exitCodes.ok;
			if (flags.resultFile !== undefined && isUnanswered) given.out(result.join(''));
			else if (flags.resultFile !== undefined && isResult) {
				const { writeNamed } = await import('../shared/output/write-file.ts');
				writeNamed(flags.resultFile, result.join(''), given);
			}
			return isUnanswered && exitCode === exitCodes.found ? exitCodes.failed : exitCode;
		},
		close() {
			stopTelling();
			responses?.stop();
		},
	};
}
