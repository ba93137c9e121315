import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CrawlError } from '../errors.ts';

/**
 * A file that only grows, and whose length is committed elsewhere. What a crash has left behind the committed length is
 * cut off when it is opened again, so that everything is in it exactly once.
 */
export class CommittedFile {
	readonly path: string;
	/** Where the next bytes go. */
	end = 0;
	readonly #file: string;
	#handle: FileHandle | undefined;

	constructor(file: string) {
		this.#file = file;
		this.path = resolve(file);
	}

	/** @throws CrawlError `sink-failed` when it is shorter than `end`: then it has lost what was good. */
	async open(end: number): Promise<void> {
		await mkdir(dirname(this.path), { recursive: true });
		// Not "append": Linux then ignores the position of a write.
		this.#handle = await open(this.path, 'r+').catch(() => open(this.path, 'w+'));
		this.end = end;
		const { size } = await this.#handle.stat();
		if (size < end) {
			await this.close();
			throw new CrawlError(
				'sink-failed',
				`${this.#file} has lost what was written before (${size} of ${end} bytes are there): refresh (--refresh) to write it anew`,
			);
		}
		await this.#handle.truncate(end);
	}

	/** @returns the new length, as a position to commit */
	async append(bytes: Uint8Array): Promise<string> {
		for (let at = 0; at < bytes.length; ) {
			const { bytesWritten } = await this.#handle!.write(bytes, at, bytes.length - at, this.end + at);
			at += bytesWritten;
		}
		this.end += bytes.length;
		return String(this.end);
	}

	async close(): Promise<void> {
		await this.#handle?.close();
		this.#handle = undefined;
	}
}
