import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
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
	#part: string | undefined;

	constructor(file: string) {
		this.#file = file;
		this.path = resolve(file);
	}

	/**
	 * @param beside whether what is at the path stays as it is until the file is complete
	 * @throws CrawlError `sink-failed` when it is shorter than `end`: then it has lost what was good
	 */
	async open(end: number, beside = false): Promise<void> {
		await mkdir(dirname(this.path), { recursive: true });
		const part = `${this.path}.part`;
		// When it had taken its place already and that was not committed any more, there is no such file.
		this.#part = beside && (end === 0 || (await exists(part))) ? part : undefined;
		const place = this.#part ?? this.path;
		// Not "append": Linux then ignores the position of a write.
		this.#handle = await open(place, 'r+').catch(() => open(place, 'w+'));
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

	/** What was written beside the file takes its place. */
	async complete(): Promise<void> {
		if (this.#part === undefined) return;
		await rename(this.#part, this.path);
		this.#part = undefined;
	}

	async close(): Promise<void> {
		await this.#handle?.close();
		this.#handle = undefined;
	}
}

const exists = (file: string): Promise<boolean> =>
	stat(file).then(
		() => true,
		() => false,
	);
