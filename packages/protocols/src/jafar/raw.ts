import { composite, type JsonCursor, type JsonScalar } from '../internal/json-cursor.ts';

/** A value as it stands in the file. */
export interface Raw {
	readonly at: number;
	readonly value: JsonScalar;
}

/** An entry of `prefixes`, not yet understood; undefined members are skipped (JAFAR §3.2). */
export interface RawPrefix {
	readonly at: number;
	readonly isObject: boolean;
	ipv4Prefix?: Raw;
	ipv6Prefix?: Raw;
	notes?: Raw;
	/** `service` and the items of `services`, in order. */
	readonly services: Raw[];
}

/** The top-level object, not yet understood: whether it may be is for its formatVersion to say. */
export interface RawList {
	formatVersion?: Raw;
	synctoken?: Raw;
	/** The spelling of files from before the draft. */
	syncToken?: Raw;
	creationTime?: Raw;
	notes?: Raw;
	prefixes?: RawPrefix[];
}

/** Reads the object under the cursor. */
export function readRawList(cursor: JsonCursor): RawList {
	const list: RawList = {};
	cursor.object((name) => {
		switch (name) {
			case 'formatVersion':
			case 'synctoken':
			case 'syncToken':
			case 'creationTime':
			case 'notes':
				list[name] = readRaw(cursor);
				break;
			case 'prefixes':
				if (cursor.isArray()) list.prefixes = readPrefixes(cursor);
				else cursor.skip();
				break;
			default:
				cursor.skip();
		}
	});
	return list;
}

function readRaw(cursor: JsonCursor): Raw {
	cursor.peek();
	return { at: cursor.at, value: cursor.scalar() };
}

function readPrefixes(cursor: JsonCursor): RawPrefix[] {
	const prefixes: RawPrefix[] = [];
	cursor.array(() => prefixes.push(readPrefix(cursor)));
	return prefixes;
}

function readPrefix(cursor: JsonCursor): RawPrefix {
	const isObject = cursor.isObject();
	const prefix: RawPrefix = { at: cursor.at, isObject, services: [] };
	if (!isObject) {
		cursor.skip();
		return prefix;
	}
	cursor.object((name) => {
		if (name === 'ipv4Prefix' || name === 'ipv6Prefix' || name === 'notes') prefix[name] = readRaw(cursor);
		else if (name === 'service' || name === 'services') readServices(cursor, prefix.services);
		else cursor.skip();
	});
	return prefix;
}

/** One name, or the array of names of the draft that came later. */
function readServices(cursor: JsonCursor, into: Raw[]): void {
	if (cursor.isArray()) cursor.array(() => into.push(readRaw(cursor)));
	else into.push(readRaw(cursor));
}

/** A value for a sentence. */
export function showValue(value: JsonScalar): string {
	return value === composite ? '{…}' : String(value);
}
