import { fstatSync } from 'node:fs';
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
			process.on('SIGINT', listener);
			process.on('SIGTERM', listener);
			return () => {
				process.off('SIGINT', listener);
				process.off('SIGTERM', listener);
			};
		},
	};
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
