import type { Terminal } from '../terminal/command.ts';

/** A terminal that remembers what was printed, in the order in which it came. */
export interface Recorder extends Terminal {
	/** stdout and stderr as a person would see them. */
	readonly screen: () => string;
	readonly stdout: () => string;
	readonly stderr: () => string;
	/** Whether a Ctrl-C is heard; where nobody listens, it ends the process. */
	readonly listening: () => boolean;
	/** Presses Ctrl-C. */
	interrupt(): void;
}

/** @param input what is on stdin */
export function recordingTerminal(
	cwd: string,
	env: Record<string, string> = {},
	input: string | Uint8Array = '',
): Recorder {
	const pieces: { stream: 'out' | 'err'; text: string }[] = [];
	const listeners = new Set<() => void>();
	const joined = (stream?: 'out' | 'err') =>
		pieces
			.filter((piece) => stream === undefined || piece.stream === stream)
			.map((piece) => piece.text)
			.join('');
	return {
		out: (text) => void pieces.push({ stream: 'out', text }),
		outError: (text) => void pieces.push({ stream: 'out', text }),
		err: (text) => void pieces.push({ stream: 'err', text }),
		note: (text) => void pieces.push({ stream: 'err', text }),
		stdin: () => (typeof input === 'string' ? new TextEncoder().encode(input) : input),
		quiet: false,
		verbose: false,
		interactive: false,
		columns: 100,
		cwd,
		env,
		onInterrupt(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		screen: () => joined(),
		stdout: () => joined('out'),
		stderr: () => joined('err'),
		listening: () => listeners.size > 0,
		interrupt: () => {
			for (const listener of listeners) listener();
		},
	};
}
