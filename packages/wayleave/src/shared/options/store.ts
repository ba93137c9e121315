import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatPlace, ObjectStoreError, parsePlace } from '@wayleave/io/objects';
import { databaseName, isPostgresUrl } from '@wayleave/io/sql';
import { UsageError } from '../../terminal/command.ts';

/** The databases of a store. */
const placesOf = (text: string): string[] => text.split(/,(?=\s*[a-z]+:)/i).map((place) => place.trim());

/** A store for people: without passwords. */
export const storeName = (store: string): string => placesOf(store).map(databaseName).join(', ');

/**
 * A store as a person typed it, with its file relative to the folder that they typed in. Several databases of one crawl
 * are separated by commas.
 *
 * @throws UsageError
 */
export function storeUrl(text: string, cwd: string): string {
	const places = placesOf(text);
	if (places.length === 1) return placeUrl(text, cwd);
	const other = places.find((place) => !isShared(place));
	if (other !== undefined)
		throw new UsageError(
			`--store ${databaseName(other)}: only databases of PostgreSQL can share a crawl (postgres://…)`,
		);
	if (new Set(places).size < places.length) throw new UsageError('--store: the same database is named twice');
	return places.map((place) => placeUrl(place, cwd)).join(',');
}

function placeUrl(text: string, cwd: string): string {
	if (text !== 'memory' && !/^sqlite:./i.test(text) && !/^postgres(?:ql)?:\/\//i.test(text))
		throw new UsageError(
			`--store ${databaseName(text)}: write sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
		);
	// Without the URL, which may have a password in it.
	if (isShared(text) && !isPostgresUrl(text))
		throw new UsageError('--store: the database URL is not valid: write postgres://USER:PASSWORD@HOST:PORT/DATABASE');
	const [, file] = /^sqlite:(?!\/\/)(.+)$/i.exec(text) ?? [];
	return file === undefined || file === ':memory:' ? text : `sqlite:${resolve(cwd, file)}`;
}

/** A place for documents as a person typed it, relative to the folder that they typed in. @throws UsageError */
export function documentsPlace(text: string, cwd: string): string {
	try {
		return formatPlace(parsePlace(text, cwd));
	} catch (error) {
		if (error instanceof ObjectStoreError) throw new UsageError(`--documents ${error.message}`);
		throw error;
	}
}

/** The files of a store, whether they exist or not: none if it is in memory or on a server. @throws UsageError */
export function filesOfStore(store: string, cwd: string): string[] {
	const file = storeFile(storeUrl(store, cwd));
	return file === undefined ? [] : ['', '-wal', '-shm', '-ui'].map((end) => file + end);
}

/** The file of an SQLite store; undefined if it is in memory or on a server. @param store from `storeUrl` */
export function storeFile(store: string): string | undefined {
	return /^sqlite:(?!:memory:$)(.+)$/i.exec(store)?.[1]?.replace(/^\/\/(?=\/)/, '');
}

/** The store that is meant where none is named: the only one of the folder. @throws UsageError */
export function onlyStore(cwd: string): string {
	const files = readdirSync(cwd).filter((name) => name.endsWith('.db'));
	if (files.length === 1) return `sqlite:./${files[0]}`;
	const which = files.length === 0 ? 'this folder has none' : `this folder has ${files.length}`;
	throw new UsageError(`name the store with --store sqlite:FILE or postgres://…: ${which}`);
}

/** Whether several processes may work with the store. */
export const isShared = (store: string | undefined): boolean => /^postgres(?:ql)?:/i.test(store ?? '');
