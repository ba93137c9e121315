import { chmodSync, closeSync, existsSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Windows has no such modes: a file there is as private as its folder. */
const hasModes = process.platform !== 'win32';
const ownFile = 0o600;
const ownFolder = 0o700;
const others = 0o077;

/** Makes a folder, and those above it that are missing, for this user only, whatever the umask. Others stay as they are. */
export function makePrivateFolder(folder: string): void {
	const path = resolve(folder);
	if (existsSync(path)) return;
	makePrivateFolder(dirname(path));
	// Another process may have made it meanwhile.
	if (mkdirSync(path, { recursive: true, mode: ownFolder }) !== undefined && hasModes) chmodSync(path, ownFolder);
}

/**
 * Makes an empty file that only this user may read, whatever the umask. One that exists stays as it is: its mode is its
 * owner's decision. Where none can be made, whoever opens it learns why.
 */
export function makePrivateFile(path: string): void {
	try {
		closeSync(openSync(path, 'wx', ownFile));
	} catch {
		// It exists, or cannot be made; or it is a link to a file that is still to be made.
		if (existsSync(path) || !isLink(path) || !touch(path)) return;
	}
	if (hasModes) chmodSync(path, ownFile);
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Whether it could be made. */
function touch(path: string): boolean {
	try {
		closeSync(openSync(path, 'a', ownFile));
		return true;
	} catch {
		return false;
	}
}

/** Runs what makes files, so that they are for this user only. A worker thread has no umask of its own to set. */
export function withPrivateUmask<Value>(work: () => Value): Value {
	let before: number;
	try {
		before = process.umask(others);
	} catch {
		return work();
	}
	try {
		return work();
	} finally {
		process.umask(before);
	}
}

/** Which of some files other users of this machine may read or write. Missing ones are left out. */
export function openToOthers(paths: readonly string[]): string[] {
	if (!hasModes) return [];
	return paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0);
}

/** The files of a store `sqlite:FILE` that are there, its logs and locks included; none for another store. */
export function filesOfStore(store: string): string[] {
	const [, file] = /^sqlite:(?!:memory:$)(?:\/\/(?=\/))?(.+)$/i.exec(store) ?? [];
	if (file === undefined) return [];
	return ['', '-service'].flatMap((part) =>
		['', '-wal', '-shm', '-journal', '-lock'].map((end) => `${file}${part}${end}`).filter((path) => existsSync(path)),
	);
}
