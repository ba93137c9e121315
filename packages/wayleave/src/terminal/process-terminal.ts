import { fstatSync, readSync } from 'node:fs';
import { constants } from 'node:os';
// Not the other messages: every start of the command would load them.
import { explainSystemError, fileError } from '@wayleave/io/messages/system';
import { exitCodes, type Terminal } from './command.ts';

/** The terminal that this process was started in. */
export function processTerminal(): Terminal {
	quietBrokenPipe();
	let input: Uint8Array | undefined;
	const interactive = process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb';
	return {
		out: (text) => void process.stdout.write(text),
		outError: (text) => void process.stdout.write(text),
		err: (text) => void process.stderr.write(text),
		note: (text) => void process.stderr.write(text),
		stdin() {
			input ??= readStdin();
			return input;
		},
		quiet: false,
		verbose: false,
		interactive,
		ask: interactive && process.stdin.isTTY === true ? ask : undefined,
		columns: process.stdout.columns || process.stderr.columns || 100,
		cwd: process.cwd(),
		env: process.env,
		onInterrupt(listener) {
			for (const signal of signals) process.off(signal, endAtOnce).on(signal, listener);
			return () => {
				for (const signal of signals) {
					process.off(signal, listener);
					if (process.listenerCount(signal) === 0) process.once(signal, endAtOnce);
				}
			};
		},
	};
}

/** @throws FileError */
function readStdin(): Uint8Array {
	const pieces: Uint8Array[] = [];
	const nap = new Int32Array(new SharedArrayBuffer(4));
	for (;;) {
		const piece = Buffer.alloc(1 << 16);
		try {
			const length = readSync(0, piece, 0, piece.length, null);
			if (length === 0) return Buffer.concat(pieces);
			pieces.push(piece.subarray(0, length));
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			// Windows ends a pipe so.
			if (code === 'EOF') return Buffer.concat(pieces);
			// A terminal or a pipe that does not block has nothing yet.
			if (code !== 'EAGAIN') throw fileError(error, 'stdin', 'read');
			Atomics.wait(nap, 0, 0, 10);
		}
	}
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The second Ctrl-C: by the signal itself, the process would end without giving up its locks. */
function endAtOnce(signal: NodeJS.Signals): void {
	process.exit(128 + constants.signals[signal]);
}

/** `wayleave … | head` closes our stdout early, and with `2>&1` stderr; that is not an error. */
function quietBrokenPipe(): void {
	process.stderr.on('error', () => {
		// Lost remarks do not stop the command, unless the results go to the same closed pipe.
		if (isSamePipe()) process.exit(0);
	});
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code === 'EPIPE') process.exit(0);
		// Such as a full disk: the results cannot be handed over.
		process.stderr.write(
			`error: stdout could not be written: ${explainSystemError(error, 'write') ?? error.message}\n`,
		);
		process.exit(exitCodes.failed);
	});
}

function isSamePipe(): boolean {
	const [out, err] = [fstatSync(1), fstatSync(2)];
	return out.dev === err.dev && out.ino === err.ino;
}

/** One question on the terminal; Ctrl-C and the end of the input are no answer. */
const ask = (question: string): Promise<string | undefined> => converse((put) => put(question));

/** Asks questions on the terminal. Ctrl-C and the end of the input end them, and nothing comes of it. */
export async function converse<Value>(
	work: (ask: (question: string) => Promise<string>) => Promise<Value>,
): Promise<Value | undefined> {
	const { createInterface } = await import('node:readline/promises');
	const lines = createInterface({ input: process.stdin, output: process.stderr });
	const stop = new AbortController();
	lines.on('SIGINT', () => stop.abort()).on('close', () => stop.abort());
	try {
		return await work((question) => lines.question(question, { signal: stop.signal }));
	} catch (error) {
		if (stop.signal.aborted) return undefined;
		throw error;
	} finally {
		lines.close();
	}
}
