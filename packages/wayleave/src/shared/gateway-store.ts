import { resolve } from 'node:path';

/** A store whose file is named relative to a folder, as one that is named whole. */
export function storeIn(store: string, base: string): string {
	const [, file] = /^sqlite:(?!:memory:$)(.+)$/i.exec(store) ?? [];
	return file === undefined ? store : `sqlite:${resolve(base, file.replace(/^\/\/(?=\/)/, ''))}`;
}
