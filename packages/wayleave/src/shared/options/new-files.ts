import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files that a command may make and that did not exist before. */
export class NewFiles {
	readonly #paths: readonly string[];
	/** Their folders that did not exist, the innermost first. */
	readonly #folders: readonly string[];

	/** @param paths absolute */
	constructor(paths: readonly string[]) {
		this.#paths = paths.filter((path) => !existsSync(path));
		const folders = new Set(this.#paths.flatMap(missingFolders));
		this.#folders = [...folders].sort((a, b) => b.length - a.length);
	}

	/** Whether any of the files did not exist. */
	get isExpected(): boolean {
		return this.#paths.length > 0;
	}

	/** Removes what was made since, and folders that are empty then. */
	remove(): void {
		for (const path of this.#paths) {
			if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) removeEmpty(path);
			else rmSync(path, { force: true });
		}
		for (const folder of this.#folders) removeEmpty(folder);
	}
}

function missingFolders(path: string): string[] {
	const folder = dirname(path);
	return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

function removeEmpty(folder: string): void {
	try {
		rmdirSync(folder);
	} catch {
		// It does not exist, or has foreign content.
	}
}
