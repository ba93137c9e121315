import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileError } from '@wayleave/io/messages';
import { type Terminal, UsageError } from '../../terminal/command.ts';

/**
 * Writes a file that a person named, so that a reader sees the old text or the new one, and a crash leaves one of the
 * two. `-` is stdout; a missing folder is made.
 *
 * @throws FileError
 */
export function writeNamed(name: string, text: string, terminal: Pick<Terminal, 'cwd' | 'out'>): void {
	if (name === '-') terminal.out(text);
	else replaceFile(resolve(terminal.cwd, name), text, name);
}

/** @throws UsageError if `--out` of a command that writes a folder is stdout */
export function refuseStdout(out: string | undefined): void {
	if (out === '-')
		throw new UsageError('--out -: it writes a folder of files, which stdout cannot hold: name a folder');
}

/** @throws UsageError if a result and `--json` would mix on stdout */
export function refuseTwoOnStdout(out: string | undefined, { json }: { readonly json?: boolean }): void {
	if (out === '-' && json) throw new UsageError('--json and --out - both want stdout: leave one out');
}

/** @param name the path as a person named it. @throws FileError */
export function replaceFile(path: string, text: string, name = path): void {
	try {
		mkdirSync(dirname(path), { recursive: true });
		const found = statSync(path, { throwIfNoEntry: false });
		// A device or a pipe is written to, never replaced; nor is a link, which the file behind it outlives.
		if (found !== undefined && !found.isFile()) {
			writeFileSync(path, text);
			return;
		}
		const target = found === undefined ? path : realpathSync(path);
		const part = join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}.part`);
		try {
			writeFileSync(part, text, { flush: true, ...(found && { mode: found.mode }) });
			renameSync(part, target);
		} catch (error) {
			rmSync(part, { force: true });
			throw error;
		}
	} catch (error) {
		throw fileError(error, name, 'write');
	}
}

/**
 * Whether a file can be written there, as far as that shows before the work: a folder in its place, or a file in the
 * place of its folder.
 *
 * @throws FileError
 */
export function checkPlace(name: string, cwd: string): void {
	if (name === '-') return;
	try {
		const path = resolve(cwd, name);
		if (/[/\\]$/.test(name) || statSync(path, { throwIfNoEntry: false })?.isDirectory())
			throw Object.assign(new Error(), { code: 'EISDIR' });
		for (let folder = dirname(path); ; folder = dirname(folder)) {
			const found = statSync(folder, { throwIfNoEntry: false });
			if (found?.isDirectory()) return;
			if (found !== undefined) throw Object.assign(new Error(), { code: 'ENOTDIR' });
		}
	} catch (error) {
		throw fileError(error, name, 'write');
	}
}
