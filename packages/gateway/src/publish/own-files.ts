import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export function hashOf(content: string | Uint8Array): string {
	return createHash('sha256').update(content).digest('hex');
}

/** Writes a file so that a reader sees the old bytes or the new ones, and a crash leaves one of the two. */
export function replaceFile(path: string, content: string | Uint8Array): void {
	mkdirSync(dirname(path), { recursive: true });
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
	const mode = statSync(path, { throwIfNoEntry: false })?.mode;
	writeFileSync(temporary, content);
	if (mode !== undefined) chmodSync(temporary, mode & 0o777);
	renameSync(temporary, path);
}

export type OwnFileResult = 'written' | 'same' | 'foreign' | 'removed' | 'absent';

/** Remembers the files that we wrote. */
export interface WrittenFiles {
	/** The hash of what we last wrote, by file: it is kept up to date. */
	readonly written: Map<string, string>;
	/** Whether we wrote these bytes for another origin: the folder was published for it before. */
	wroteElsewhere(file: string, hash: string): boolean;
}

/** Files that we write as a whole into a foreign folder: never over one that is not ours. */
export class OwnFiles {
	/** Changed files, in order. */
	readonly written: string[] = [];
	readonly folder: string;
	readonly #index: WrittenFiles;
	readonly #replace: boolean;

	constructor(folder: string, index: WrittenFiles, replace: boolean) {
		this.folder = folder;
		this.#index = index;
		this.#replace = replace;
	}

	/** @param isOurs tells from the text of an unrecorded file whether we wrote it */
	write(file: string, content: string, isOurs: (text: string) => boolean = () => false): OwnFileResult {
		const path = join(this.folder, file);
		const hash = hashOf(content);
		if (existsSync(path)) {
			const found = readFileSync(path);
			const foundHash = hashOf(found);
			if (foundHash === hash) {
				this.#index.written.set(file, hash);
				return 'same';
			}
			const ours =
				foundHash === this.#index.written.get(file) ||
				this.#index.wroteElsewhere(file, foundHash) ||
				isOurs(found.toString('utf8'));
			if (!ours && !this.#replace) return 'foreign';
		}
		replaceFile(path, content);
		this.#index.written.set(file, hash);
		this.written.push(file);
		return 'written';
	}

	/** Whether we once wrote it. */
	has(file: string): boolean {
		return this.#index.written.has(file);
	}

	/** Takes away what we once wrote and no longer say; what was changed since is not ours any more, and stays. */
	remove(file: string): OwnFileResult {
		const path = join(this.folder, file);
		const hash = this.#index.written.get(file);
		this.#index.written.delete(file);
		if (hash === undefined || !existsSync(path)) return 'absent';
		if (hashOf(readFileSync(path)) !== hash) return 'foreign';
		rmSync(path);
		this.written.push(file);
		return 'removed';
	}
}
