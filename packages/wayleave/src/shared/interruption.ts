import type { Terminal } from '../terminal/command.ts';

export interface Interruption {
	/** Resolves at the first Ctrl-C or SIGTERM; the next one ends the process at once. */
	readonly reached: Promise<void>;
	/** Stops listening. */
	ignore(): void;
}

/** Starts to listen. A server does so before it reports that it is ready: from then on a supervisor may stop it. */
export function listenForInterruption(terminal: Terminal): Interruption {
	let ignore = () => {};
	const reached = new Promise<void>((resolve) => {
		ignore = terminal.onInterrupt(() => {
			ignore();
			resolve();
		});
	});
	return { reached, ignore: () => ignore() };
}
