import { fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { exitCodes, type Terminal } from './command.ts';

/** The terminal that this process was started in. */
export function processTerminal(): Terminal {
	quietBrokenPipe();
	return {
		out: (text) => void process.stdout.write(text),
		err: (text) => void process.stderr.write(text),
		interactive: process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb',
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

const signals = ['SIGINT', 'SIGTERM'] as const;

/** The second Ctrl-C: by the signal itself, the process would end without giving up its locks. */
function endAtOnce(signal: NodeJS.Signals): void {
	process.exit(128 + constants.signals[signal]);
}

/** `wayleave … | head` closes our stdout early, and with `2>&1` stderr: that is no error of ours. */
function quietBrokenPipe(): void {
	process.stderr.on('error', () => {
		// Remarks that nobody can read are no reason to stop; where results go the same way, nobody waits for those either.
		if (isSamePipe()) process.exit(0);
	});
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code === 'EPIPE') process.exit(0);
		// Such as a full disk: what was asked for cannot be handed over.
		process.stderr.write(`error: stdout cannot be written: ${error.message}\n`);
		process.exit(exitCodes.failed);
	});
}

function isSamePipe(): boolean {
	const [out, err] = [fstatSync(1), fstatSync(2)];
	return out.dev === err.dev && out.ino === err.ino;
}
