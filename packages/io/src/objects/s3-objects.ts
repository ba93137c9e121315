import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { present } from '@wayleave/protocols';
import type { S3Place } from './place.ts';
import { formatPlace } from './place.ts';
import { Retry } from './retry.ts';
import { createS3Client, loadS3, type S3Module } from './s3-client.ts';
import { BrokenUpload, explainS3, isMissingObject, temporaryDetail } from './s3-errors.ts';
import type { ObjectHeaders, ObjectInfo, ObjectStore, ObjectStoreOptions } from './types.ts';
import { ObjectStoreError } from './types.ts';

/** Bytes of one part of an upload. S3 allows 10,000 parts: 80 GB an object. */
const partSize = 8 << 20;
/** Milliseconds for one request of up to `partSize` bytes. */
const requestTime = 60_000;
/** Requests of one `delete` at a time. */
const deletesAtOnce = 16;

/** An object to be written. */
interface Target {
	readonly Bucket: string;
	readonly Key: string;
	readonly ContentType?: string;
	readonly CacheControl?: string;
}

/** Objects in a bucket of S3, or of another server that speaks its protocol. */
export class S3Objects implements ObjectStore {
	readonly place: string;
	readonly #place: S3Place;
	readonly #s3: S3Module;
	readonly #client: S3Client;
	readonly #retry: Retry;
	/** Whether the server was seen to give objects an ETag that is not the MD5 of their bytes. */
	#otherTags = false;

	private constructor(place: S3Place, s3: S3Module, options: ObjectStoreOptions) {
		this.place = formatPlace(place);
		this.#place = place;
		this.#s3 = s3;
		this.#client = createS3Client(s3, place, options.env);
		this.#retry = new Retry(options.patience ?? 120_000, options.onTrouble ?? (() => {}));
	}

	static async open(place: S3Place, options: ObjectStoreOptions): Promise<S3Objects> {
		return new S3Objects(place, await loadS3(place), options);
	}

	async put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, headers: ObjectHeaders = {}): Promise<void> {
		const at = this.#put(key, headers);
		if (body instanceof Uint8Array) return this.#putWhole(key, at, body);
		const parts = inParts(body, partSize);
		const first = await parts.next();
		const second = first.done ? first : await parts.next();
		if (second.done) return this.#putWhole(key, at, first.value ?? new Uint8Array());
		await this.#putParts(key, at, prepend([first.value as Uint8Array, second.value], parts));
	}

	#putWhole(key: string, at: Target, body: Uint8Array): Promise<void> {
		const md5 = createHash('md5').update(body);
		const hex = md5.copy().digest('hex');
		const request = { ...at, Body: body, ContentLength: body.length, ContentMD5: md5.digest('base64') };
		return this.#work('write objects', async (abortSignal) => {
			const { ETag, ServerSideEncryption, SSECustomerAlgorithm } = await this.#client.send(
				new this.#s3.PutObjectCommand(request),
				{ abortSignal },
			);
			// With keys of its own for encryption the server makes ETags in another way.
			const isOther = /^aws:kms/.test(ServerSideEncryption ?? '') || SSECustomerAlgorithm !== undefined;
			if (isOther || this.#otherTags || ETag === undefined || ETag.replaceAll('"', '') === hex) return;
			await this.#compare(key, body);
		});
	}

	/** An ETag that is not the MD5 of the object: it is broken, or the server makes its ETags in another way. */
	async #compare(key: string, body: Uint8Array): Promise<void> {
		const stored = await this.#getOnce(key, AbortSignal.timeout(requestTime));
		if (stored === undefined || Buffer.compare(stored, body) !== 0)
			throw new BrokenUpload('the stored object is not what was sent');
		this.#otherTags = true;
	}

	async #putParts(key: string, target: Target, parts: AsyncIterable<Uint8Array>): Promise<void> {
		const { CreateMultipartUploadCommand, UploadPartCommand, CompleteMultipartUploadCommand } = this.#s3;
		const at = this.#at(key);
		const write = <Value>(work: (signal: AbortSignal) => Promise<Value>) => this.#work('write objects', work);
		const { UploadId } = await write((abortSignal) =>
			this.#client.send(new CreateMultipartUploadCommand(target), { abortSignal }),
		);
		const upload = { ...at, UploadId };
		try {
			const done: { PartNumber: number; ETag: string | undefined }[] = [];
			for await (const Body of parts) {
				const PartNumber = done.length + 1;
				const ContentMD5 = createHash('md5').update(Body).digest('base64');
				const part = { ...upload, PartNumber, Body, ContentLength: Body.length, ContentMD5 };
				const { ETag } = await write((abortSignal) => this.#client.send(new UploadPartCommand(part), { abortSignal }));
				done.push({ PartNumber, ETag });
			}
			const complete = { ...upload, MultipartUpload: { Parts: done } };
			await write(async (abortSignal) => {
				try {
					await this.#client.send(new CompleteMultipartUploadCommand(complete), { abortSignal });
				} catch (error) {
					// The reply to an earlier try got lost: the upload is complete.
					if ((error as Error).name !== 'NoSuchUpload' || (await this.#headOnce(key, abortSignal)) === undefined)
						throw error;
				}
			});
		} catch (error) {
			await this.#client.send(new this.#s3.AbortMultipartUploadCommand(upload)).catch(() => {});
			throw error;
		}
	}

	get(key: string): Promise<Uint8Array | undefined> {
		return this.#work('read objects', (signal) => this.#getOnce(key, signal));
	}

	async #getOnce(key: string, abortSignal: AbortSignal, Range?: string): Promise<Uint8Array | undefined> {
		try {
			const request = new this.#s3.GetObjectCommand({ ...this.#at(key), ...(Range && { Range }) });
			const { Body, ContentLength } = await this.#client.send(request, { abortSignal });
			const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
			if (ContentLength !== undefined && bytes.length !== ContentLength)
				throw Object.assign(new Error('the response broke off'), { code: 'ECONNRESET' });
			return bytes;
		} catch (error) {
			if (isMissingObject(error)) return undefined;
			throw error;
		}
	}

	/** In ranges, so that a connection that breaks costs one of them. */
	async *read(key: string): AsyncGenerator<Uint8Array> {
		const info = await this.head(key);
		if (info === undefined) throw this.#missing(key);
		for (let at = 0; at < info.size; at += partSize) {
			const range = `bytes=${at}-${Math.min(at + partSize, info.size) - 1}`;
			const bytes = await this.#work('read objects', (signal) => this.#getOnce(key, signal, range));
			if (bytes === undefined) throw this.#missing(key);
			yield bytes;
		}
	}

	#missing(key: string): ObjectStoreError {
		return new ObjectStoreError('missing', `${this.place}: there is no object ${this.#place.prefix}${key}`);
	}

	head(key: string): Promise<ObjectInfo | undefined> {
		return this.#work('read objects', (signal) => this.#headOnce(key, signal));
	}

	async #headOnce(key: string, abortSignal: AbortSignal): Promise<ObjectInfo | undefined> {
		try {
			const { ContentLength = 0, LastModified } = await this.#client.send(
				new this.#s3.HeadObjectCommand(this.#at(key)),
				{ abortSignal },
			);
			return { key, size: ContentLength, modifiedAt: LastModified?.getTime() ?? Date.now() };
		} catch (error) {
			if (isMissingObject(error)) return undefined;
			throw error;
		}
	}

	async *list(prefix: string): AsyncGenerator<ObjectInfo> {
		const { bucket: Bucket, prefix: own } = this.#place;
		for (let ContinuationToken: string | undefined; ; ) {
			const request = { Bucket, Prefix: `${own}${prefix}`, ...(ContinuationToken && { ContinuationToken }) };
			const page = await this.#work('list objects', (abortSignal) =>
				this.#client.send(new this.#s3.ListObjectsV2Command(request), { abortSignal }),
			);
			for (const { Key, Size = 0, LastModified } of page.Contents ?? [])
				if (Key !== undefined)
					yield { key: Key.slice(own.length), size: Size, modifiedAt: LastModified?.getTime() ?? Date.now() };
			ContinuationToken = page.NextContinuationToken;
			if (ContinuationToken === undefined) return;
		}
	}

	/** One request each: what S3 has for many at once needs checksums that not all servers know. */
	async delete(keys: readonly string[]): Promise<void> {
		for (let at = 0; at < keys.length; at += deletesAtOnce)
			await Promise.all(
				keys.slice(at, at + deletesAtOnce).map((key) =>
					this.#work('delete objects', (abortSignal) =>
						this.#client.send(new this.#s3.DeleteObjectCommand(this.#at(key)), { abortSignal }).catch((error) => {
							if (!isMissingObject(error)) throw error;
						}),
					),
				),
			);
	}

	close(): void {
		this.#retry.close();
		this.#client.destroy();
	}

	#put(key: string, { contentType, cacheControl }: ObjectHeaders): Target {
		return {
			...this.#at(key),
			...present({ ContentType: contentType, CacheControl: cacheControl }),
		};
	}

	#at(key: string) {
		return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${key}` };
	}

	async #work<Value>(action: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
		try {
			return await this.#retry.run(this.place, () => work(AbortSignal.timeout(requestTime)), temporaryDetail);
		} catch (error) {
			throw explainS3(error, this.#place, action);
		}
	}
}

/** The same bytes in pieces of one size; the last may be smaller. */
async function* inParts(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
	let waiting: Uint8Array[] = [];
	let length = 0;
	for await (const bytes of body)
		for (let at = 0; at < bytes.length; ) {
			const piece = bytes.subarray(at, at + size - length);
			waiting.push(piece);
			length += piece.length;
			at += piece.length;
			if (length < size) continue;
			yield Buffer.concat(waiting);
			waiting = [];
			length = 0;
		}
	if (length > 0) yield Buffer.concat(waiting);
}

async function* prepend<Value>(first: readonly Value[], rest: AsyncIterable<Value>): AsyncGenerator<Value> {
	yield* first;
	yield* rest;
}
