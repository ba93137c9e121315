import { readdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { FileError, fileError, noSuchFolder } from '@wayleave/io/messages';
import { textOf } from '@wayleave/protocols';
import type { Terminal } from '../../terminal/command.ts';

/** Default name of stdin in messages. */
export const stdinName = 'stdin';

/**
 * A file that a person named; `-` is stdin.
 *
 * @param shown what an error calls the file: `--seeds sites.txt`
 * @throws FileError
 */
export function readNamed(name: string, terminal: Pick<Terminal, 'cwd' | 'stdin'>, shown = name): Uint8Array {
	if (name === '-') return terminal.stdin();
	return readFrom(resolve(terminal.cwd, name), shown);
}

/** @param name the path as a person named it. @throws FileError */
export function readFrom(path: string, name: string): Uint8Array {
	try {
		return readFileSync(path);
	} catch (error) {
		throw fileError(error, name, 'read');
	}
}

/** A text that a person wrote. Some shells of Windows write UTF-16, with a byte order mark. @throws FileError */
export function readNamedText(name: string, terminal: Pick<Terminal, 'cwd' | 'stdin'>, shown = name): string {
	return textOf(readNamed(name, terminal, shown));
}

/** The path of a folder that a person named. @throws FileError where it is missing, is a file, or may not be read */
export function readableFolder(name: string, cwd: string): string {
	const path = resolve(cwd, name);
	let isFolder: boolean | undefined;
	try {
		isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
		if (isFolder) readdirSync(path);
	} catch (error) {
		throw fileError(error, name, 'read');
	}
	if (isFolder === undefined) throw new FileError('file-not-found', name, noSuchFolder);
	if (!isFolder) throw new FileError('not-a-folder', name, 'this is a file, not a folder');
	return path;
}
