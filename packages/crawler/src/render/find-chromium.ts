import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';

const names = [
	...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'],
	// Builds without a user interface, of Debian and of Chrome for Testing.
	...['chromium-headless-shell', 'chrome-headless-shell'],
];

const places: Partial<Record<typeof platform, readonly string[]>> = {
	darwin: [
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	],
	win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
		folder === undefined ? [] : [join(folder, 'Google/Chrome/Application/chrome.exe')],
	),
};

/** The Chromium to use: the one that was named, else `CHROMIUM_PATH`, else the first in the usual places. */
export function findChromium(named?: string): string | undefined {
	const given = named ?? env.CHROMIUM_PATH;
	if (given !== undefined && given !== '') return isExecutable(given) ? given : undefined;
	const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
	return [...onPath, ...(places[platform] ?? [])].find(isExecutable);
}

function isExecutable(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile(); // a folder may be "executed", too
	} catch {
		return false;
	}
}
