import type { CommandFactory } from '../command.ts';
import { convertCommand } from './convert.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { fetchCommand } from './fetch.ts';

/** The commands, in the order in which help lists them. */
export const commands: readonly CommandFactory[] = [crawlCommand, fetchCommand, convertCommand, demoCommand];
