import { chmodSync, closeSync, existsSync, fchmodSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Windows has no such modes: a file there is as private as its folder. */
const hasModes = process.platform !== 'win32';
const ownFile = 0o600;
const ownFolder = 0o700;
const others = 0o077;

/**
 * Creates a folder, and missing parents, for this user only, regardless of the umask. Existing folders keep their mode.
 */
export function makePrivateFolder(folder: string): void {
	const path = resolve(folder);
	if (existsSync(path)) return;
	makePrivateFolder(dirname(path));
	// Another process may have created it meanwhile.
	if (mkdirSync(path, { recursive: true, mode: ownFolder }) !== undefined && hasModes) chmodSync(path, ownFolder);
}

/**
 * Creates an empty file that only this user may read, regardless of the umask. An existing file keeps its mode, which
 * is its owner's decision. If creation fails, opening the file reports why.
 */
export function makePrivateFile(path: string): void {
	if (createPrivate(path, 'wx')) return;
	// It exists, or cannot be created; or it is a link to a file that does not exist yet.
	if (!existsSync(path) && isLink(path)) createPrivate(path, 'a');
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Whether it could be created. The mode is set by descriptor: another process may remove the name at any moment. */
function createPrivate(path: string, flags: 'wx' | 'a'): boolean {
	let file: number;
	try {
		file = openSync(path, flags, ownFile);
	} catch {
		return false;
	}
	try {
		if (hasModes) fchmodSync(file, ownFile);
		return true;
	} finally {
		closeSync(file);
	}
}

/**
 * Runs code that creates files, so that only this user may read them. A worker thread cannot set a umask of its own.
 */
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

/** The files that other users of this machine may read or write. Missing files are left out. */
export function openToOthers(paths: readonly string[]): string[] {
	if (!hasModes) return [];
	return paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0);
}

/** The existing files of a store `sqlite:FILE`, logs and locks included; none for other stores. */
export function filesOfStore(store: string): string[] {
	const [, file] = /^sqlite:(?!:memory:$)(?:\/\/(?=\/))?(.+)$/i.exec(store) ?? [];
	if (file === undefined) return [];
	return ['', '-service'].flatMap((part) =>
		['', '-wal', '-shm', '-journal', '-lock'].map((end) => `${file}${part}${end}`).filter((path) => existsSync(path)),
	);
}
