import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Terminal } from '../../terminal/command.ts';

/**
 * The folder where Wayleave keeps what belongs to the user rather than to a project: `$XDG_CONFIG_HOME/wayleave`, on
 * Windows `%APPDATA%\wayleave`, else `~/.config/wayleave`. Undefined where the environment names none.
 */
export function userFolder(env: Terminal['env'], platform: NodeJS.Platform = process.platform): string | undefined {
	const { XDG_CONFIG_HOME: xdg, APPDATA: appData, HOME: home, USERPROFILE: profile } = env;
	// XDG Base Directory Specification: a relative path is ignored.
	if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'wayleave');
	if (platform === 'win32' && appData) return join(appData, 'wayleave');
	const base = home || profile;
	return base ? join(base, '.config', 'wayleave') : undefined;
}

/** The text of a file in that folder; undefined where it is not there, or cannot be read. */
export function readUserFile(name: string, env: Terminal['env']): string | undefined {
	const folder = userFolder(env);
	if (folder === undefined) return undefined;
	try {
		return readFileSync(join(folder, name), 'utf8');
	} catch {
		return undefined;
	}
}

/**
 * Writes a file in that folder, which only this user may read.
 *
 * @returns its path; undefined where it could not be written
 */
export function writeUserFile(name: string, text: string, env: Terminal['env']): string | undefined {
	const folder = userFolder(env);
	if (folder === undefined) return undefined;
	const path = join(folder, name);
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		writeFileSync(path, text, { mode: 0o600 });
		// A file that was there keeps its mode.
		chmodSync(path, 0o600);
		return path;
	} catch {
		return undefined;
	}
}
