import { resolve } from 'node:path';

/** A store as a person typed it, with its file relative to the folder that they typed in. */
export function storeUrl(text: string, cwd: string): string {
	const [, file] = /^sqlite:(?!\/\/)(.+)$/.exec(text) ?? [];
	return file === undefined || file === ':memory:' ? text : `sqlite:${resolve(cwd, file)}`;
}
