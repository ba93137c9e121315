import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { explainSystemError, type SystemAction } from '../messages/system-errors.ts';
import type { FolderPlace } from './place.ts';
import { formatPlace } from './place.ts';
import { type ObjectInfo, type ObjectStore, ObjectStoreError } from './types.ts';

/** What a writer that was killed has left. */
const partName = /\.[\da-f]{12}\.part$/;
/** Milliseconds after which no writer is still at a part. */
const partAge = 24 * 3_600_000;

/** Objects as the files of a folder: each appears as a whole, after it is on the disk. */
export class FileObjects implements ObjectStore {
	readonly place: string;
	readonly #folder: string;

	constructor(place: FolderPlace) {
		this.place = formatPlace(place);
		this.#folder = place.folder;
	}

	put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
		return this.#work('write', key, async (path) => {
			const part = `${path}.${randomBytes(6).toString('hex')}.part`;
			const file = await open(part, 'wx').catch(async () => {
				await mkdir(dirname(path), { recursive: true });
				return open(part, 'wx');
			});
			try {
				for await (const bytes of body instanceof Uint8Array ? [body] : body) await file.writeFile(bytes);
				await file.datasync();
				await file.close();
				await rename(part, path);
			} catch (error) {
				await file.close().catch(() => {});
				await rm(part, { force: true }).catch(() => {});
				throw error;
			}
		});
	}

	get(key: string): Promise<Uint8Array | undefined> {
		return this.#work('read', key, (path) => readFile(path).catch(noneIfMissing));
	}

	async *read(key: string): AsyncGenerator<Uint8Array> {
		try {
			yield* createReadStream(join(this.#folder, key));
		} catch (error) {
			throw this.#explain(error, 'read', key);
		}
	}

	head(key: string): Promise<ObjectInfo | undefined> {
		return this.#work('read', key, async (path) => {
			const found = await stat(path).catch(noneIfMissing);
			return found?.isFile() ? { key, size: found.size, modifiedAt: found.mtimeMs } : undefined;
		});
	}

	async *list(prefix: string): AsyncGenerator<ObjectInfo> {
		const below = prefix.slice(0, prefix.lastIndexOf('/') + 1);
		for await (const key of this.#keysIn(below, prefix)) {
			const found = await this.head(key);
			if (found === undefined) continue;
			if (!partName.test(key)) yield found;
			else if (Date.now() - found.modifiedAt > partAge) await this.delete([key]);
		}
	}

	async *#keysIn(below: string, prefix: string): AsyncGenerator<string> {
		const read = (path: string) => readdir(path, { withFileTypes: true }).catch(noneIfMissing);
		const entries = (await this.#work('read', below, read)) ?? [];
		for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const key = `${below}${entry.name}`;
			if (entry.isDirectory()) {
				if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`)) yield* this.#keysIn(`${key}/`, prefix);
			} else if (key.startsWith(prefix)) yield key;
		}
	}

	async delete(keys: readonly string[]): Promise<void> {
		for (const key of keys) await this.#work('write', key, (path) => rm(path, { force: true }));
	}

	close(): void {}

	async #work<Value>(action: SystemAction, key: string, work: (path: string) => Promise<Value>): Promise<Value> {
		try {
			return await work(join(this.#folder, key));
		} catch (error) {
			throw this.#explain(error, action, key);
		}
	}

	#explain(error: unknown, action: SystemAction, key: string): ObjectStoreError {
		const { code, message } = error as NodeJS.ErrnoException;
		const kind = code === 'ENOENT' ? 'missing' : code === 'EACCES' || code === 'EPERM' ? 'no-access' : 'failed';
		const sentence = explainSystemError(error, action) ?? message;
		return new ObjectStoreError(kind, `${join(this.#folder, key)}: ${sentence}`, { cause: error });
	}
}

function noneIfMissing(error: NodeJS.ErrnoException): undefined {
	if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
	throw error;
}
