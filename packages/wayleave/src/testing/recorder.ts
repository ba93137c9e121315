import type { Terminal } from '../command.ts';

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

export function recordingTerminal(cwd: string, env: Record<string, string> = {}): Recorder {
	const pieces: { stream: 'out' | 'err'; text: string }[] = [];
	const listeners = new Set<() => void>();
	const joined = (stream?: 'out' | 'err') =>
		pieces
			.filter((piece) => stream === undefined || piece.stream === stream)
			.map((piece) => piece.text)
			.join('');
	return {
		out: (text) => void pieces.push({ stream: 'out', text }),
		err: (text) => void pieces.push({ stream: 'err', text }),
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
