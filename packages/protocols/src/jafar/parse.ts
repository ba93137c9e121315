import { readWhole } from '../internal/json-text.ts';
import { readText, type TextInput } from '../internal/text-input.ts';
import { excerpt, TextProblems } from '../internal/text-problems.ts';
import { formatTimestamp, parseTimestamp } from '../internal/timestamp.ts';
import type { Parsed } from '../problem.ts';
import { type Cidr, parseCidr, withoutHostBits } from './cidr.ts';
import type { RangesProblemCode } from './problems.ts';
import { type Raw, type RawList, type RawPrefix, readRawList, showValue } from './raw.ts';
import { rangesProblem } from './report.ts';
import { synctokenOf } from './synctoken.ts';
import type { RangeList, RangePrefix } from './types.ts';

type Problems = TextProblems<RangesProblemCode>;

export interface ParseRangesOptions {
	/** The Content-Type field of the response: its `version` names the format (draft-illyes-webbotauth-jafar-00 §3.2). */
	readonly contentType?: string;
}

/**
 * Reads a list of address ranges (JAFAR §2), leniently: also the files from before the drafts. An entry that is wrong is left out with a warning. The value is undefined when the file
 * is no list that this version understands: the last good list then stays in use (JAFAR §3.2).
 */
export function parseRanges(
	input: string | Uint8Array,
	{ contentType }: ParseRangesOptions = {},
): Parsed<RangeList | undefined, RangesProblemCode> {
	const source = readText(input);
	const problems: Problems = new TextProblems(source.text, rangesProblem);
	const raw = hasSupportedType(contentType, problems) ? readSource(source, problems) : undefined;
	const value = raw === undefined ? undefined : interpret(raw, problems);
	return { value, problems: problems.close('ranges-omitted') };
}

/** Without a version, the media type says nothing about the format. */
function hasSupportedType(contentType: string | undefined, problems: Problems): boolean {
	// The `version` parameter of the media type, quoted or not.
	const version = /^\s*application\/jafar\+json\b.*;\s*version\s*=\s*"?([^\s";]*)/i.exec(contentType ?? '')?.[1];
	if (version === undefined || parseFormatVersion(version)?.major === 1) return true;
	problems.add('ranges-unsupported-version', -1, { version: excerpt(version) });
	return false;
}

function readSource({ text, start, validUtf8 }: TextInput, problems: Problems): RawList | undefined {
	if (!validUtf8) problems.add('ranges-invalid-utf8', -1);
	if (!validUtf8) return undefined;
	if (start > 0) problems.add('ranges-byte-order-mark', 0);
	const list = readWhole(
		text,
		start,
		(cursor) => (cursor.isObject() ? readRawList(cursor) : cursor.scalar()),
		(at) => problems.add('ranges-invalid-json', at),
	);
	if (list === undefined || (typeof list === 'object' && list !== null)) return list;
	problems.add('ranges-not-an-object', start);
	return undefined;
}

function interpret(raw: RawList, problems: Problems): RangeList | undefined {
	if (raw.formatVersion !== undefined && !isSupported(raw.formatVersion, problems)) return undefined;
	if (raw.prefixes === undefined) {
		problems.add('ranges-no-prefixes', -1);
		return undefined;
	}
	const formatVersion = raw.formatVersion?.value as string | undefined;
	const token = readSynctoken(raw, problems);
	const creationTime = readCreationTime(raw, problems);
	const isDraft = formatVersion !== undefined || creationTime?.isUtc === true;
	const notes = readNotes(raw, problems);
	const prefixes = readPrefixes(raw.prefixes, problems);
	return {
		format: isDraft ? 'jafar' : 'legacy',
		...(formatVersion !== undefined && { formatVersion }),
		synctoken: token ?? synctokenOf(prefixes),
		...(creationTime !== undefined && { creationTime: creationTime.text }),
		...(notes !== undefined && { notes }),
		prefixes,
	};
}

/** Whether the major version is ours; minor versions only add (JAFAR §3.2). */
function isSupported({ at, value }: Raw, problems: Problems): boolean {
	const version = typeof value === 'string' ? parseFormatVersion(value) : undefined;
	if (version?.major === 1) return true;
	problems.add('ranges-unsupported-version', at, { version: excerpt(showValue(value)) });
	return false;
}

/** The two numbers of `major.minor`, or undefined; 1.10 comes after 1.9 (JAFAR §3.2). */
export function parseFormatVersion(text: string): { readonly major: number; readonly minor: number } | undefined {
	const parts = /^(\d{1,9})\.(\d{1,9})$/.exec(text);
	return parts === null ? undefined : { major: Number(parts[1]), minor: Number(parts[2]) };
}

/** Required only by the draft that has `formatVersion`; the one after it made it optional. */
function readSynctoken({ formatVersion, synctoken, syncToken }: RawList, problems: Problems): string | undefined {
	const raw = synctoken ?? syncToken;
	if (raw === undefined) {
		if (formatVersion !== undefined) problems.add('ranges-missing-synctoken', -1);
		return undefined;
	}
	const { value } = raw;
	if (typeof value === 'string' && value !== '') return value;
	if (raw === syncToken && typeof value === 'number') return String(value);
	problems.add('ranges-wrong-type', raw.at, { field: 'synctoken', expected: 'a non-empty string' });
	return undefined;
}

function readCreationTime(
	{ creationTime }: RawList,
	problems: Problems,
): { readonly text: string; readonly isUtc: boolean } | undefined {
	if (creationTime === undefined) {
		problems.add('ranges-missing-creation-time', -1);
		return undefined;
	}
	const { at, value } = creationTime;
	const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
	if (parsed?.zone !== 'utc') problems.add('ranges-creation-time', at, { value: excerpt(showValue(value)) });
	return parsed && { text: formatTimestamp(parsed.time), isUtc: parsed.zone === 'utc' };
}

function readNotes({ notes }: RawList, problems: Problems): string | undefined {
	if (notes === undefined || typeof notes.value === 'string') return notes?.value as string | undefined;
	problems.add('ranges-wrong-type', notes.at, { field: 'notes', expected: 'a string' });
	return undefined;
}

function readPrefixes(raw: readonly RawPrefix[], problems: Problems): RangePrefix[] {
	const prefixes: RangePrefix[] = [];
	const seen = new Set<string>();
	for (const entry of raw) {
		const range = readRange(entry, problems);
		if (range === undefined) continue;
		const services = readServices(entry, problems);
		const identity = JSON.stringify([range.text, ...services]);
		if (seen.has(identity)) problems.add('ranges-duplicate', entry.at, { prefix: range.text });
		else
			prefixes.push({ range, services, ...(typeof entry.notes?.value === 'string' && { notes: entry.notes.value }) });
		seen.add(identity);
	}
	return prefixes;
}

/** Exactly one of the two members, and a range of its family without host bits (JAFAR §2.3). */
function readRange({ at, isObject, ipv4Prefix, ipv6Prefix }: RawPrefix, problems: Problems): Cidr | undefined {
	const raw = ipv4Prefix ?? ipv6Prefix;
	if (!isObject || raw === undefined || (ipv4Prefix !== undefined && ipv6Prefix !== undefined)) {
		problems.add('ranges-prefix-fields', at);
		return undefined;
	}
	const family = raw === ipv4Prefix ? 4 : 6;
	const written = showValue(raw.value);
	const args = { prefix: excerpt(written), family: family === 4 ? 'IPv4' : 'IPv6' };
	const visible = typeof raw.value === 'string' ? written.replace(invisible, '').trim() : '';
	const range = parseCidr(visible);
	if (range === 'host-bits') problems.add('ranges-host-bits', raw.at, { ...args, meant: withoutHostBits(visible) });
	else if (range === 'malformed' || range === 'missing-length') problems.add('ranges-malformed-prefix', raw.at, args);
	else if (range === 'mapped' || range.family !== family) problems.add('ranges-wrong-family', raw.at, args);
	else {
		if (visible !== written) problems.add('ranges-hidden-character', raw.at, { prefix: range.text });
		return range;
	}
	return undefined;
}

/** Zero-width characters, which a real list held for months. */
const invisible = /\u200b|\u200c|\u200d|\u2060|\ufeff/g;

function readServices({ services }: RawPrefix, problems: Problems): string[] {
	const names = new Set<string>();
	for (const { at, value } of services) {
		if (typeof value !== 'string') problems.add('ranges-wrong-type', at, { field: 'service', expected: 'a string' });
		else if (value !== '') names.add(value);
	}
	return [...names];
}
