import type { CommandFactory } from '../command.ts';

/** The commands, in the order in which help lists them. */
export const commands: readonly CommandFactory[] = [];
