import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ObjectStore, ObjectStoreError, openObjectStore } from '@wayleave/io/objects';
import { CrawlError } from '../../base/errors.ts';
import type { Result } from '../../model/result.ts';
import type { Sink } from '../types.ts';
import type { RollingFormat } from './format.ts';
import { fileKey, type RollingPlace } from './place.ts';
import { isTaken } from './sink.ts';

/** Results of one segment. */
const perSegment = 100;

/**
 * Rolling files of one process that writes everything from the beginning to the end. A file is collected on the disk of
 * this machine, and visible as a whole when it has its size.
 *
 * @param size of a file, in bytes
 */
export function directSink(place: RollingPlace, format: RollingFormat, size: number): Sink {
	let objects: ObjectStore | undefined;
	let spool: Spool | undefined;
	let waiting: Result[] = [];
	let written: string[] = [];
	const opened = async () => {
		objects ??= await openObjectStore(place.place);
		return objects;
	};
	async function segment(): Promise<void> {
		const bytes = await format.segment(waiting, []);
		waiting = [];
		if (bytes.length === 0) return;
		spool ??= await Spool.create();
		await spool.add(bytes);
		if (place.after !== undefined && spool.size >= size) await roll();
	}
	async function roll(): Promise<void> {
		if (spool === undefined) return;
		const key = fileKey(place, written.length + 1);
		await (await opened()).put(key, format.file(spool.segments(), key));
		written.push(key);
		await spool.remove();
		spool = undefined;
	}
	async function end(): Promise<void> {
		await spool?.remove();
		objects?.close();
		[spool, objects, waiting, written] = [undefined, undefined, [], []];
	}
	return {
		name: `${place.place}/${place.before}${place.after === undefined ? '' : `*${place.after}`}`,
		persistent: true,
		async open() {
			await work(async () => {
				// One object is replaced as a whole; of many, old ones would stay among the new ones.
				if (place.after !== undefined && (await isTaken(await opened(), place)))
					throw new ObjectStoreError(
						'failed',
						`${place.place} has such files already: delete them, or choose another folder`,
					);
				await opened();
			});
		},
		async write(results) {
			await work(async () => {
				waiting.push(...results);
				if (waiting.length >= perSegment) await segment();
			});
			return undefined;
		},
		async close() {
			await work(async () => {
				if (waiting.length > 0) await segment();
				await roll();
				if (written.length === 0 && place.after === undefined)
					await (await opened()).put(place.before, format.file(nothing(), place.before));
				await end();
			});
		},
		async abandon() {
			await objects?.delete(place.after === undefined ? [] : written);
			await end();
		},
	};
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function work(task: () => Promise<void>): Promise<void> {
	try {
		await task();
	} catch (error) {
		throw error instanceof ObjectStoreError ? new CrawlError('sink-failed', error.message) : error;
	}
}

/** Segments on the disk until their file has its size. */
class Spool {
	size = 0;
	readonly #folder: string;
	readonly #file: Awaited<ReturnType<typeof open>>;
	readonly #lengths: number[] = [];

	private constructor(folder: string, file: Awaited<ReturnType<typeof open>>) {
		this.#folder = folder;
		this.#file = file;
	}

	static async create(): Promise<Spool> {
		const folder = await mkdtemp(join(tmpdir(), 'wayleave-out-'));
		return new Spool(folder, await open(join(folder, 'segments'), 'w+', 0o600));
	}

	async add(bytes: Uint8Array): Promise<void> {
		await this.#file.appendFile(bytes);
		this.size += bytes.length;
		this.#lengths.push(bytes.length);
	}

	async *segments(): AsyncGenerator<Uint8Array> {
		let at = 0;
		for (const length of this.#lengths) {
			const { buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, at);
			at += length;
			yield buffer;
		}
	}

	async remove(): Promise<void> {
		await this.#file.close();
		await rm(this.#folder, { recursive: true, force: true });
	}
}
