import { statSync } from 'node:fs';

/** Whether there is a folder. Where something is in its way, such as a file, whoever opens it says so. */
export function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
