import { createHash } from 'node:crypto';
import { type ObjectStore, ObjectStoreError } from '@wayleave/io/objects';
import { CrawlError } from '../../base/errors.ts';
import type { Content, PageContent } from '../roles/pages.ts';
import type { DocumentBodies } from '../schema/access.ts';
import { packContent, unpackContent } from './pack-content.ts';

/** Begins a reference. No raw deflate stream begins with it: a block of type 3 does not exist (RFC 1951 §3.2.3). */
const mark = 0xff;
const hashLength = 32;

/** Where a document is that is not in its row. */
export interface DocumentReference {
	/** SHA-256 of the compressed bytes. */
	readonly hash: Uint8Array;
	/** Of the compressed bytes. */
	readonly size: number;
}

/** The reference in the content of a row; undefined if the document itself is there. */
export function readReference(content: Uint8Array): DocumentReference | undefined {
	if (content[0] !== mark) return undefined;
	const size = Number(Buffer.from(content.subarray(1 + hashLength)).toString('latin1'));
	return { hash: content.subarray(1, 1 + hashLength), size };
}

/** `FF`, the hash, and the size in decimal digits, which SQL can read. */
export const writeReference = ({ hash, size }: DocumentReference): Uint8Array =>
	Buffer.concat([Buffer.from([mark]), hash, Buffer.from(String(size))]);

export const documentsPrefix = 'documents/';

/** `documents/ab/ab12…`: the first two digits spread the objects over folders. */
export function objectKey(hash: Uint8Array): string {
	const hex = Buffer.from(hash).toString('hex');
	return `${documentsPrefix}${hex.slice(0, 2)}/${hex}`;
}

/** The hash of a key; undefined for other objects. */
export function hashOfKey(key: string): Buffer | undefined {
	const [, hex] = /^documents\/[\da-f]{2}\/([\da-f]{64})$/.exec(key) ?? [];
	return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}

/** Documents in the rows of their pages. */
export const inlineBodies: DocumentBodies = {
	pack: async (snapshot) => packContent(snapshot),
	unpack: async (content) => unpackInline(content),
	unpackIfThere: async (content) => unpackInline(content),
	async discard() {},
};

function unpackInline(content: Uint8Array): PageContent {
	if (content[0] === mark) throw new Error('the document is not in the database, which does not know where it is');
	return unpackContent(content);
}

/** Documents as objects, named by their hash; documents of rows that have them still are read from there. */
export class ObjectBodies implements DocumentBodies {
	readonly #open: () => Promise<ObjectStore>;

	/** @param open gives the same place each time */
	constructor(open: () => Promise<ObjectStore>) {
		this.#open = open;
	}

	/** Resolves when the object is durable: only then a row may name it. */
	async pack(snapshot: NonNullable<Content['snapshot']>): Promise<Uint8Array | null> {
		const bytes = packContent(snapshot);
		if (bytes === null) return null;
		const hash = createHash('sha256').update(bytes).digest();
		// Written even if it is there already, which makes it young: `prune` leaves young objects alone.
		await this.#work((objects) => objects.put(objectKey(hash), bytes));
		return writeReference({ hash, size: bytes.length });
	}

	async unpack(content: Uint8Array): Promise<PageContent> {
		const reference = readReference(content);
		if (reference === undefined) return unpackContent(content);
		const found = await this.unpackIfThere(content);
		if (found !== undefined) return found;
		const { place } = await this.#open();
		throw new CrawlError(
			'store-failed',
			`${place}: the document ${objectKey(reference.hash)} is missing: restore the objects, or let the next crawl fetch the page again (--refresh)`,
		);
	}

	async unpackIfThere(content: Uint8Array): Promise<PageContent | undefined> {
		const reference = readReference(content);
		if (reference === undefined) return unpackContent(content);
		const key = objectKey(reference.hash);
		return this.#work(async (objects) => {
			const bytes = await objects.get(key);
			if (bytes === undefined) return undefined;
			const hash = createHash('sha256').update(bytes).digest();
			if (Buffer.compare(hash, reference.hash) === 0) return unpackContent(bytes);
			throw new CrawlError('store-failed', `${objects.place}: ${key} is damaged: restore it from a copy, or delete it`);
		});
	}

	async discard(contents: readonly Uint8Array[]): Promise<void> {
		const keys = contents.flatMap((content) => readReference(content)?.hash ?? []).map(objectKey);
		if (keys.length > 0) await this.#work((objects) => objects.delete(keys));
	}

	async #work<Value>(work: (objects: ObjectStore) => Promise<Value>): Promise<Value> {
		try {
			return await work(await this.#open());
		} catch (error) {
			throw toCrawlError(error);
		}
	}
}

export function toCrawlError(error: unknown): unknown {
	if (!(error instanceof ObjectStoreError)) return error;
	return new CrawlError(error.code === 'bad-place' ? 'bad-option' : 'store-failed', error.message);
}

/** Rows of which the documents are fetched at a time. */
const atOnce = 16;

/** Does something with each element, several at a time; the results are in the order of the elements. */
export async function mapAtOnce<Item, Value>(
	items: readonly Item[],
	work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
	const results: Value[] = [];
	for (let at = 0; at < items.length; at += atOnce)
		results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
	return results;
}
