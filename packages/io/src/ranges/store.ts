import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../files/private-files.ts';
import { sha256 } from '../hash/sha256.ts';

/** The stored state of a list: the last valid text, and the time of the next poll. */
export interface StoredRangeList {
	readonly url: string;
	/** The last good list, as it was sent. */
	readonly body?: string;
	readonly etag?: string;
	readonly lastModified?: string;
	/** When the publisher last said that this is its list: by sending it, or by a 304. Milliseconds since 1970. */
	readonly confirmedAt?: number;
	/** How long the publisher's headers make us wait after a good answer, milliseconds; a 304 may leave it unsaid. */
	readonly pause?: number;
	/** No request before this time, so that a restart is no way around the pause. */
	readonly earliest: number;
	/** Polls since the last good one that brought none. */
	readonly failures: number;
	/** The fault of the last one. */
	readonly fault?: string;
}

/** Keeps lists over restarts. A store that fails to load or save costs a request, never a result. */
export interface RangeListStore {
	load(url: string): Promise<StoredRangeList | undefined>;
	save(list: StoredRangeList): Promise<void>;
}

/** One JSON file for each list in a directory, which is made when it is missing. */
export function fileRangeStore(directory: string): RangeListStore {
	const fileOf = (url: string) =>
		join(directory, `${Buffer.from(sha256(Buffer.from(url))).toString('hex', 0, 16)}.json`);
	return {
		async load(url) {
			const text = await readFile(fileOf(url), 'utf8').catch(() => undefined);
			return text === undefined ? undefined : readStored(text, url);
		},
		async save(list) {
			makePrivateFolder(directory);
			const file = fileOf(list.url);
			// Two processes may save at once; each renames a whole file of its own into place.
			const scratch = `${file}.${process.pid}`;
			await writeFile(scratch, JSON.stringify(list), { mode: await modeFor(file) });
			await rename(scratch, file);
		},
	};
}

/** A replaced file keeps the mode that its owner gave it. */
const modeFor = async (file: string): Promise<number> =>
	stat(file).then(
		({ mode }) => mode & 0o777,
		() => 0o600,
	);

/** A file that was cut off or is about something else counts as none. */
function readStored(text: string, url: string): StoredRangeList | undefined {
	let data: Partial<StoredRangeList> | null;
	try {
		data = JSON.parse(text);
	} catch {
		return undefined;
	}
	const isTime = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
	const isText = (value: unknown) => value === undefined || typeof value === 'string';
	if (data === null || typeof data !== 'object' || data.url !== url) return undefined;
	if (!isTime(data.earliest) || !isTime(data.failures)) return undefined;
	if (![data.body, data.etag, data.lastModified, data.fault].every(isText)) return undefined;
	if (![data.confirmedAt, data.pause].every((value) => value === undefined || isTime(value))) return undefined;
	return data as StoredRangeList;
}
