import { randomUUID } from 'node:crypto';
import { type ObjectStore, ObjectStoreError, openObjectStore } from '@wayleave/io/objects';
import { CrawlError } from '../../base/errors.ts';
import type { OutputFile, Segment } from '../../store/roles/outputs.ts';
import type { RollingSink } from '../types.ts';
import type { RollingFormat } from './format.ts';
import { fileKey, type RollingPlace } from './place.ts';

/** Before the names of the files of one of several databases. */
const databasePrefix = (name: string): string => `${name}-`;
/** Below it are segments. Programs that read a folder of data pass over names that begin with `_` or a dot. */
const hidden = '_wayleave/';
/** Milliseconds after which a segment that no store needs was left by a worker that was killed. */
const abandonedAfter = 3_600_000;

/**
 * Rolling files of a crawl. Each write becomes an object beside the files, and the commit names it; the engine then makes
 * a file of many. So each result is in one file, over all workers of a store and after any crash.
 *
 * @param size of a file, in bytes
 * @param database of several, if there are several
 */
export function rollingSink(
	files: RollingPlace,
	format: RollingFormat,
	size: number,
	database: string | undefined = undefined,
): RollingSink {
	let objects: ObjectStore | undefined;
	let taken: Segment[] = [];
	const place = database === undefined ? files : { ...files, before: files.before + databasePrefix(database) };
	// Of each sink its own, since each collects what no commit has named.
	const segments = `${hidden}${fileKey(place, 0).replace('000000', 'N')}/`;
	const name = `rolling ${fileKey({ ...place, before: `${place.place}/${place.before}` }, 0).replace('000000', '*')}`;
	const opened = async () => {
		objects ??= await openObjectStore(place.place);
		return objects;
	};
	return {
		name,
		persistent: true,
		...(format.archive && { archive: true }),
		size,
		async open() {
			// Of a run that was given up before their commit.
			taken = [];
			await work(async () => void (await opened()));
		},
		write: (results, exchanges = []) =>
			work(async () => {
				const bytes = await format.segment(results, exchanges);
				// The position only says that the sink has begun; where results are is in the segments.
				if (bytes.length === 0) return 'begun';
				const object = `${segments}${randomUUID()}`;
				await (await opened()).put(object, bytes);
				taken.push({ sink: name, object, bytes: bytes.length });
				return 'begun';
			}),
		take() {
			const segments = taken;
			taken = [];
			return segments;
		},
		writeFile: (file) => work(async () => writeFile(await opened(), place, format, file)),
		discard: (segments) => work(async () => (await opened()).delete(segments.map(({ object }) => object))),
		collect: (needed) => work(async () => collect(await opened(), segments, needed)),
		isTaken: () => work(async () => isTaken(await opened(), files, database)),
		ofDatabase: (own) => rollingSink(files, format, size, own),
		async close() {
			objects?.close();
			objects = undefined;
		},
	};
}

/** @throws CrawlError `sink-failed`, `bad-option` */
async function work<Value>(task: () => Promise<Value>): Promise<Value> {
	try {
		return await task();
	} catch (error) {
		if (!(error instanceof ObjectStoreError)) throw error;
		throw new CrawlError(error.code === 'bad-place' ? 'bad-option' : 'sink-failed', error.message);
	}
}

async function writeFile(
	objects: ObjectStore,
	place: RollingPlace,
	format: RollingFormat,
	{ id, run, segments }: OutputFile,
): Promise<void> {
	async function* bytes(): AsyncGenerator<Uint8Array> {
		for (const { object } of segments) {
			const segment = await objects.get(object);
			if (segment === undefined)
				throw new ObjectStoreError(
					'missing',
					`${objects.place}: ${object} is missing, which holds results of the crawl`,
				);
			yield segment;
		}
	}
	const key = fileKey(place, id, run);
	await objects.put(key, format.file(bytes(), key));
}

/** Whether there are files already that the sink would write among; those of other databases of the crawl are not. */
export async function isTaken(
	objects: ObjectStore,
	{ before, after }: RollingPlace,
	database?: string,
): Promise<boolean> {
	if (after === undefined) return (await objects.head(before)) !== undefined;
	for await (const { key } of objects.list(before)) {
		if (key.includes('/') || !key.endsWith(after)) continue;
		const [, other] = /^(db\d+)-/.exec(key.slice(before.length)) ?? [];
		if (database === undefined || other === undefined || other === database) return true;
	}
	return false;
}

async function collect(objects: ObjectStore, segments: string, needed: ReadonlySet<string>): Promise<void> {
	const left: string[] = [];
	for await (const { key, modifiedAt } of objects.list(segments))
		if (!needed.has(key) && Date.now() - modifiedAt > abandonedAfter) left.push(key);
	await objects.delete(left);
}
