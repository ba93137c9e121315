import type { CommonOptions, RenderMode } from '@wayleave/crawler';
import { type Command, Option } from 'commander';
import { wordsOf } from './words.ts';

export interface RenderFlags {
	render?: RenderMode;
	chromium?: string;
}

export const withoutBrowser = 'no Chromium was found: pages are read as they are sent';

/** Adds the options that say whether a browser opens the pages. */
export function withRenderOptions(command: Command): Command {
	return command
		.addOption(
			new Option(
				'--render <WHEN>',
				'whether a browser opens pages: auto is for those that are empty without scripts (default never)',
			).choices(wordsOf<RenderMode>({ auto: true, always: true, never: true })),
		)
		.option('--chromium <FILE>', 'the Chromium or Chrome for that (default: CHROMIUM_PATH, or the first one found)');
}

export function renderOptions({ render, chromium }: RenderFlags): Pick<CommonOptions, 'render' | 'chromium'> {
	return { ...(render === undefined ? {} : { render }), ...(chromium === undefined ? {} : { chromium }) };
}
