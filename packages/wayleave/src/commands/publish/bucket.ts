import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { formatPlace, type ObjectStore, ObjectStoreError, openObjectStore, parsePlace } from '@wayleave/io/objects';
import { manifestPath } from '@wayleave/protocols/pagedigest';
import { quantity } from '@wayleave/protocols/text';
import { mediaTypeOf } from '../../shared/media-types.ts';
import { replaceFile } from '../../shared/output/write-file.ts';
import { type Terminal, UsageError } from '../../terminal/command.ts';

/** Requests at a time. */
const atOnce = 8;
const manifest = manifestPath.slice(1);

/** How many objects were written and removed. */
export interface Sent {
	readonly sent: number;
	readonly removed: number;
}

/**
 * A site in a bucket. The finished site is a folder beside the state of its revisions; what differs from the bucket is
 * sent. The manifest comes last, so that the bucket has all that it lists; what is gone is removed after it.
 */
export class SiteBucket {
	/** The folder with the finished site. */
	readonly folder: string;
	readonly #objects: ObjectStore;
	readonly #record: string;

	private constructor(objects: ObjectStore, folder: string) {
		this.#objects = objects;
		this.folder = join(folder, 'site');
		this.#record = join(folder, 'sent.jsonl');
	}

	/**
	 * @param base the folder of the policy file
	 * @throws ObjectStoreError, UsageError
	 */
	static async open(name: string, base: string, terminal: Pick<Terminal, 'cwd' | 'note'>): Promise<SiteBucket> {
		const place = placeOf(name, terminal.cwd);
		const onTrouble = ({ detail }: { detail: string }) => terminal.note(`${detail}\n`);
		const objects = await openObjectStore(place, { cwd: terminal.cwd, onTrouble });
		const short = createHash('sha256').update(place).digest('hex').slice(0, 16);
		return new SiteBucket(objects, join(base, '.wayleave', 'buckets', short));
	}

	/** Where the folder was lost, revisions go on above the manifest of the bucket. */
	async prepare(): Promise<void> {
		const path = join(this.folder, manifest);
		// Also finds out whether there is a bucket, and whether it may be read, before the work begins.
		const served = await this.#objects.get(manifest);
		if (served === undefined || existsSync(path)) return;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, served);
	}

	/** @param onSend told of each object that was written, and how many there are to write */
	async send(onSend: (done: number, total: number) => void): Promise<Sent> {
		const sent = readRecord(this.#record);
		const sizes = new Map<string, number>();
		for await (const { key, size } of this.#objects.list('')) sizes.set(key, size);
		const files = listAll(this.folder);
		const changed = files.filter((file) => {
			const bytes = readFileSync(join(this.folder, file));
			return sent.get(file) !== hashOf(bytes) || sizes.get(file) !== bytes.length;
		});
		let done = 0;
		const put = async (file: string): Promise<void> => {
			const bytes = readFileSync(join(this.folder, file));
			const cacheControl = file === manifest ? 'public, max-age=300' : undefined;
			await this.#objects.put(file, bytes, { contentType: mediaTypeOf(file), cacheControl });
			note(this.#record, { file, hash: hashOf(bytes) });
			onSend(++done, changed.length);
		};
		await eachAtOnce(
			changed.filter((file) => file !== manifest),
			put,
		);
		if (changed.includes(manifest)) await put(manifest);
		const there = new Set(files);
		const gone = [...sent.keys()].filter((file) => !there.has(file));
		await this.#objects.delete(gone);
		const now = readRecord(this.#record);
		for (const file of gone) now.delete(file);
		replaceFile(this.#record, [...now].map(([file, hash]) => lineOf({ file, hash })).join(''));
		return { sent: changed.length, removed: gone.length };
	}

	close(): void {
		this.#objects.close();
	}
}

function placeOf(name: string, cwd: string): string {
	try {
		return formatPlace(parsePlace(name, cwd));
	} catch (error) {
		if (error instanceof ObjectStoreError) throw new UsageError(`--out ${error.message}`);
		throw error;
	}
}

/** The line that `publish` prints about the objects it sent. */
export const sentence = ({ sent, removed }: Sent): string =>
	`sent ${quantity(sent, 'object')}${removed === 0 ? '' : `, removed ${removed.toLocaleString('en')}`}\n`;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** All files below a folder, as paths with `/`. */
function listAll(folder: string): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
		.map((path) => path.split(sep).join('/'))
		.sort();
}

/** A line for each object that was written; the last line of a file counts. */
function readRecord(path: string): Map<string, string> {
	const record = new Map<string, string>();
	if (!existsSync(path)) return record;
	for (const line of readFileSync(path, 'utf8').split('\n')) {
		try {
			const { file, hash } = JSON.parse(line) as { file: string; hash: string };
			record.set(file, hash);
		} catch {} // the process was killed while it wrote the line: the object is written again
	}
	return record;
}

const lineOf = (entry: { readonly file: string; readonly hash: string }): string => `${JSON.stringify(entry)}\n`;

function note(path: string, entry: { readonly file: string; readonly hash: string }): void {
	mkdirSync(dirname(path), { recursive: true });
	// Begins with a line end, in case the line before was cut off.
	appendFileSync(path, `\n${lineOf(entry)}`);
}

/** The first failure ends the rest. */
async function eachAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
	const rest = items[Symbol.iterator]();
	let failed = false;
	const one = async () => {
		for (const item of rest) {
			if (failed) return;
			await work(item).catch((error) => {
				failed = true;
				throw error;
			});
		}
	};
	const results = await Promise.allSettled(Array.from({ length: atOnce }, one));
	for (const result of results) if (result.status === 'rejected') throw result.reason;
}
