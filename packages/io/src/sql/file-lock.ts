import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { makePrivateFile } from '../files/private-files.ts';
import { closeAtExit } from './at-exit.ts';
import { fileDriver } from './drivers/choose.ts';
import { type Connection, pragma } from './drivers/driver.ts';
import { DatabaseError, fromSqlite } from './error.ts';
import { prepareFolder } from './sqlite.ts';

/**
 * Locks a file of its own, which is made, and removed at the release. The lock is one of the operating system: it ends
 * with the process, however that ends. A file that a killed process has left is as good as none.
 *
 * @param wait milliseconds for which another holder is waited for
 * @returns its release
 * @throws DatabaseError `locked` where another process, or another part of this one, holds it; `no-sqlite`, `cannot-open`
 */
export function lockFile(file: string, wait: number): () => void {
	const path = resolve(file);
	// A holder that ends removes the file: a lock on a removed file excludes no other process.
	for (let tries = 0; tries < maxTries; tries++) {
		prepareFolder(path);
		// Do not open an existing file: with POSIX, closing it would release a lock that this process has on it.
		makePrivateFile(path);
		const before = identityOf(path);
		const connection = hold(path, wait);
		if (before !== undefined && identityOf(path) === before) return closeAtExit(() => letGo(connection, path, before));
		connection.close();
	}
	throw new DatabaseError('locked', `${path} is locked and released by other processes all the time: try again`);
}

/** Each takes another process that ends between our look at the file and the lock on it. */
const maxTries = 50;

/** Numbers of files are given again: the time of birth tells them apart. */
function identityOf(path: string): string | undefined {
	const found = statSync(path, { throwIfNoEntry: false, bigint: true });
	return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

function hold(path: string, wait: number): Connection {
	let connection: Connection | undefined;
	try {
		connection = fileDriver().open(path, wait);
		// A log or journal beside it would outlive a file that is removed, and belong to the next one of its name.
		pragma(connection, 'journal_mode = MEMORY');
		connection.prepare('begin exclusive').run([]);
		return connection;
	} catch (error) {
		connection?.close();
		throw fromSqlite(error, path, 'cannot-open');
	}
}

function letGo(connection: Connection, path: string, identity: string): void {
	const isOurs = identityOf(path) === identity;
	// While it is locked, so that no other process has it yet; Windows removes no file that is open.
	if (isOurs) remove(path);
	connection.close();
	if (isOurs && process.platform === 'win32') remove(path);
}

function remove(path: string): void {
	try {
		rmSync(path, { force: true });
	} catch {
		// It is open, or in a folder that cannot be written by now: it is as good as none.
	}
}
