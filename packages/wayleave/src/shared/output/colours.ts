import pc from 'picocolors';
import type { Terminal } from '../../terminal/command.ts';

export type Colours = ReturnType<typeof pc.createColors>;

/** Colours where a person looks, none in pipes and under `NO_COLOR`. */
export function coloursFor(terminal: Terminal): Colours {
	return pc.createColors(terminal.interactive && !terminal.env.NO_COLOR);
}
