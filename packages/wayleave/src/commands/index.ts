import type { CommandFactory } from '../command.ts';
import { checkCommand } from './check.ts';
import { checkLiveCommand } from './check-live.ts';
import { convertCommand } from './convert.ts';
import { crawlCommand } from './crawl.ts';
import { demoCommand } from './demo.ts';
import { digestCommand } from './digest.ts';
import { fetchCommand } from './fetch.ts';
import { gatewayCommand } from './gateway.ts';
import { initCommand } from './init.ts';
import { lintCommand } from './lint.ts';
import { publishCommand } from './publish.ts';
import { rangesCommand } from './ranges.ts';
import { reportCommand } from './report.ts';

/** The commands, in the order in which help lists them. */
export const commands: readonly CommandFactory[] = [
	crawlCommand,
	fetchCommand,
	convertCommand,
	checkCommand,
	checkLiveCommand,
	lintCommand,
	initCommand,
	publishCommand,
	gatewayCommand,
	reportCommand,
	rangesCommand,
	digestCommand,
	demoCommand,
];
