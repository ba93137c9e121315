import { statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CrawlError } from '../base/errors.ts';

/**
 * A file that only grows, and whose length is committed elsewhere. What a crash has left behind the committed length is
 * cut off when it is opened again, so that everything is in it exactly once.
 */
export class CommittedFile {
	readonly path: string;
	/** Offset of the next bytes. */
	end = 0;
	readonly #file: string;
	readonly #lines: boolean;
	#handle: FileHandle | undefined;
	#part: string | undefined;

	/** @param options `lines`: whether all that is written ends with the end of a line */
	constructor(file: string, options: { readonly lines?: boolean } = {}) {
		this.#file = file;
		this.#lines = options.lines === true;
		this.path = resolve(file);
	}

	/** Whether something is at the path already. */
	holds(): Promise<boolean> {
		return holdsBytes(this.path);
	}

	/**
	 * @param beside whether what is at the path stays as it is until the file is complete
	 * @throws CrawlError `sink-failed` when it is shorter than `end`: then it has lost what was good; or another file
	 */
	async open(end: number, beside = false): Promise<void> {
		await mkdir(dirname(this.path), { recursive: true });
		const part = `${this.path}.part`;
		// If the part was renamed into place but that was never committed, the part no longer exists.
		this.#part = beside && (end === 0 || (await exists(part))) ? part : undefined;
		const place = this.#part ?? this.path;
		// Not "append": Linux then ignores the position of a write.
		this.#handle = await open(place, 'r+').catch(() => open(place, 'w+'));
		this.end = end;
		const { size } = await this.#handle.stat();
		const wrong =
			size < end
				? `was truncated: ${size} of ${end} bytes are left`
				: (await this.#isCutBy(end))
					? 'is not the file that the crawl wrote before'
					: undefined;
		if (wrong !== undefined) {
			await this.close();
			throw new CrawlError('sink-failed', `${this.#file} ${wrong}: ${this.#wayOut}`);
		}
		await this.#handle.truncate(end);
	}

	/** Lines can be had from the store again; what was sent and received cannot. */
	get #wayOut(): string {
		return this.#lines
			? 'move it away and run the same command again to rewrite it'
			: 'restore it, or choose another file for the rest of the crawl';
	}

	get #opened(): FileHandle {
		if (this.#handle === undefined) throw new Error('the file is not open');
		return this.#handle;
	}

	/** Whether what would be kept ends in the middle of a line. */
	async #isCutBy(end: number): Promise<boolean> {
		if (!this.#lines || end === 0) return false;
		const { buffer } = await this.#opened.read(Buffer.alloc(1), 0, 1, end - 1);
		return buffer[0] !== 0x0a;
	}

	/**
	 * @returns the new length, as a position to commit
	 * @throws CrawlError `sink-failed` when another process has written to the file, or removed it
	 */
	async append(bytes: Uint8Array): Promise<string> {
		this.#refuseOthers();
		for (let at = 0; at < bytes.length; ) {
			const { bytesWritten } = await this.#opened.write(bytes, at, bytes.length - at, this.end + at);
			at += bytesWritten;
		}
		this.end += bytes.length;
		return String(this.end);
	}

	/** Ends the crawl if the file was moved, or if another process writes to it. */
	#refuseOthers(): void {
		// At once: a look at a folder takes microseconds, and to have a thread do it ten times as long.
		const there = statSize(this.#part ?? this.path);
		if (there === this.end) return;
		const what = there === undefined ? 'was removed during the crawl' : 'is also written by another process';
		throw new CrawlError(
			'sink-failed',
			`${this.#file} ${what}: give each process its own file, and move this one away to rewrite it`,
		);
	}

	/** Replaces the file by the part written next to it. */
	async complete(): Promise<void> {
		this.#refuseOthers();
		if (this.#part === undefined) return;
		await rename(this.#part, this.path);
		this.#part = undefined;
	}

	/** Deletes the part written next to the file. */
	async abandon(): Promise<void> {
		await this.close();
		if (this.#part !== undefined) await rm(this.#part, { force: true });
		this.#part = undefined;
	}

	async close(): Promise<void> {
		await this.#handle?.close();
		this.#handle = undefined;
	}
}

/** Whether there is such a file, and it is not empty. */
export const holdsBytes = (file: string): Promise<boolean> =>
	stat(file).then(
		({ size }) => size > 0,
		() => false,
	);

/** Undefined where there is no such file, or where it cannot be seen. */
function statSize(file: string): number | undefined {
	try {
		return statSync(file, { throwIfNoEntry: false })?.size;
	} catch {
		return undefined;
	}
}

const exists = (file: string): Promise<boolean> =>
	stat(file).then(
		() => true,
		() => false,
	);
