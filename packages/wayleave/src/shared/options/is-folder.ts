import { statSync } from 'node:fs';

/** Whether the folder exists. If a file is in its place, opening it fails. */
export function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
