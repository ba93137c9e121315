import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileError } from '@wayleave/io/messages';
import { isKnownName, recognise } from '@wayleave/protocols/lint/formats';

/** Folders that hold no files of the site. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.wayleave']);

/** Enough of a file to see what it is. */
const headBytes = 65_536;

/**
 * The files in a folder, and in those below it, that lint knows: by their names, and JSON by its keys. Text under another
 * name is passed over: a line of prose may look like a rule.
 *
 * @param name the folder as a person named it
 * @throws FileError for a folder that cannot be read
 */
export function filesIn(name: string, cwd: string): string[] {
	let entries: ReturnType<typeof entriesOf>;
	try {
		entries = entriesOf(resolve(cwd, name));
	} catch (error) {
		throw fileError(error, name, 'read');
	}
	return entries.flatMap((entry) => {
		const path = join(name, entry.name);
		if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : filesIn(path, cwd);
		return isKnown(resolve(cwd, path), entry.name) ? [path] : [];
	});
}

const entriesOf = (path: string) =>
	readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));

function isKnown(path: string, name: string): boolean {
	if (isKnownName(name)) return true;
	if (!/\.(?:json|jsonl)$/i.test(name)) return false;
	const head = headOf(path);
	// Lines of JSON are known by the first.
	return head !== undefined && recognise('', /l$/i.test(name) ? head.replace(/\n.*/s, '') : head) !== undefined;
}

function headOf(path: string): string | undefined {
	let file: number | undefined;
	try {
		file = openSync(path, 'r');
		const head = Buffer.alloc(headBytes);
		return head.toString('utf8', 0, readSync(file, head, 0, headBytes, 0));
	} catch {
		// A broken link or a pipe: not a file of the site.
		return undefined;
	} finally {
		if (file !== undefined) closeSync(file);
	}
}
