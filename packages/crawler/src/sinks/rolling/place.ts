import { formatPlace, isObjectPlace, parsePlace } from '@wayleave/io/objects';

/** Where rolling files are, and how they are named. */
export interface RollingPlace {
	/** The folder, as a place for objects. */
	readonly place: string;
	/** Before and after the number; without a number there is one file of this name. */
	readonly before: string;
	readonly after: string | undefined;
}

/**
 * @param name as a person wrote it: `s3://BUCKET/FOLDER/*.EXTENSION?endpoint=…` or `FOLDER/*.EXTENSION`
 * @throws ObjectStoreError `bad-place`
 */
export function rollingPlace(name: string, cwd: string): RollingPlace {
	const [, path = name, query = ''] = isObjectPlace(name) ? (/^([^?]*)(\?.*)?$/s.exec(name) ?? []) : [];
	const cut = Math.max(path.lastIndexOf('/'), isObjectPlace(name) ? -1 : path.lastIndexOf('\\'));
	const folder = path.slice(0, cut === -1 ? 0 : cut);
	const [before = '', after] = path.slice(cut + 1).split('*');
	const written = isObjectPlace(name)
		? `${folder}${query}`
		: `file:${folder === '' && cut !== 0 ? '.' : folder || '/'}`;
	return { place: formatPlace(parsePlace(written, cwd)), before, after };
}

/** The file with a number: `pages-0001-000017.parquet` is the 17th of a store, in its first run. */
export function fileKey({ before, after }: RollingPlace, id: number, run?: number): string {
	if (after === undefined) return before;
	const number = String(id).padStart(6, '0');
	return `${before}${run === undefined ? '' : `${String(run).padStart(4, '0')}-`}${number}${after}`;
}
