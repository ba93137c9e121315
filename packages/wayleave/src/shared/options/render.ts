import type { CommonOptions, RenderMode } from '@wayleave/crawler';
import { type Command, Option } from 'commander';
import { wordsOf } from './words.ts';

export interface RenderFlags {
	render?: RenderMode;
	chromium?: string;
}

export const withoutBrowser = 'no Chromium was found: pages are parsed as sent, without running their scripts';

/** Adds the options that say whether a browser opens the pages. */
export function withRenderOptions(command: Command): Command {
	return command
		.addOption(
			new Option(
				'--render <WHEN>',
				'render pages in a browser; auto: only pages that are empty without JavaScript (default never)',
			).choices(wordsOf<RenderMode>({ auto: true, always: true, never: true })),
		)
		.option(
			'--chromium <FILE>',
			'the browser for --render: Chromium or Chrome (default: CHROMIUM_PATH, or the first one found)',
		);
}

export function renderOptions({ render, chromium }: RenderFlags): Pick<CommonOptions, 'render' | 'chromium'> {
	return { ...(render === undefined ? {} : { render }), ...(chromium === undefined ? {} : { chromium }) };
}
