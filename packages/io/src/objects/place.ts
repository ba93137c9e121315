import { join, resolve } from 'node:path';
import { ObjectStoreError } from './types.ts';

export interface S3Place {
	readonly kind: 's3';
	readonly bucket: string;
	/** Empty, or ends with `/`. */
	readonly prefix: string;
	readonly endpoint?: string;
	readonly region?: string;
	readonly pathStyle?: boolean;
}

export interface FolderPlace {
	readonly kind: 'file';
	/** Absolute. */
	readonly folder: string;
}

const example = 's3://bucket/prefix, or file:FOLDER';

/** Whether a name that a person gave is a place for objects, and not a file. */
export const isObjectPlace = (name: string): boolean => /^s3:/i.test(name);

/**
 * Reads `s3://BUCKET/PREFIX` with `?endpoint=URL&region=NAME&path-style=yes|no`, or `file:FOLDER`.
 *
 * @param cwd the folder from which a relative one is meant
 * @throws ObjectStoreError `bad-place`
 */
export function parsePlace(place: string, cwd: string): S3Place | FolderPlace {
	const folder = /^file:(?:\/\/(?=\/))?(.+)$/is.exec(place)?.[1];
	if (folder !== undefined) return { kind: 'file', folder: resolve(cwd, folder) };
	const [, bucket, path = '', query = ''] = /^s3:\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(place) ?? [];
	if (bucket === undefined) throw bad(place, `write ${example}`);
	if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(bucket))
		throw bad(place, `${bucket} cannot be the name of a bucket: 3 to 63 letters, digits, dots and hyphens`);
	const prefix = path.replace(/\/+$/, '');
	return { kind: 's3', bucket, prefix: prefix === '' ? '' : `${prefix}/`, ...readQuery(place, query) };
}

function readQuery(place: string, query: string): Pick<S3Place, 'endpoint' | 'region' | 'pathStyle'> {
	const { endpoint, region, 'path-style': style, ...others } = Object.fromEntries(new URLSearchParams(query));
	const [unknown] = Object.keys(others);
	if (unknown !== undefined) throw bad(place, `unknown parameter ${unknown}: write endpoint, region or path-style`);
	if (endpoint !== undefined && !/^https?:\/\/[^/]/i.test(endpoint))
		throw bad(place, 'the endpoint must be a URL, such as https://s3.example.net');
	if (style !== undefined && style !== 'yes' && style !== 'no') throw bad(place, 'path-style is yes or no');
	return {
		...(endpoint && { endpoint }),
		...(region && { region }),
		...(style !== undefined && { pathStyle: style === 'yes' }),
	};
}

const bad = (place: string, what: string) => new ObjectStoreError('bad-place', `${place}: ${what}`);

/** A place below another one: `s3://bucket/a?endpoint=x` and `b` make `s3://bucket/a/b?endpoint=x`. */
export function placeBelow(place: string, name: string): string {
	const parsed = parsePlace(place, process.cwd());
	return formatPlace(
		parsed.kind === 'file'
			? { ...parsed, folder: join(parsed.folder, name) }
			: { ...parsed, prefix: `${parsed.prefix}${name}/` },
	);
}

/** The place as it is written in messages and remembered. */
export function formatPlace(place: S3Place | FolderPlace): string {
	if (place.kind === 'file') return `file:${place.folder}`;
	const { bucket, prefix, endpoint, region, pathStyle } = place;
	const parameters = new URLSearchParams({
		...(endpoint && { endpoint }),
		...(region && { region }),
		...(pathStyle !== undefined && { 'path-style': pathStyle ? 'yes' : 'no' }),
	});
	const query = parameters.size === 0 ? '' : `?${decodeURIComponent(parameters.toString())}`;
	return `s3://${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}${query}`;
}
