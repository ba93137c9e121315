import { basename, extname } from 'node:path';
import { decodeUtf16 } from '@wayleave/protocols';
import {
	parseRangeLines,
	parseRanges,
	type RangeList,
	type RangePrefix,
	type RangesProblem,
	readOwnForm,
} from '@wayleave/protocols/jafar';
import type { Terminal } from '../command.ts';
import { explain } from '../lint/problems.ts';
import { readNamed, stdinName, textOf } from '../options/read-named.ts';

/** A file of ranges: a JAFAR or older JSON list, or one range a line. */
export interface RangesFile {
	/** As it was named on the command line. */
	readonly name: string;
	/** Undefined when the file is no list that can be used. */
	readonly prefixes: readonly RangePrefix[] | undefined;
	/** Undefined for lines. */
	readonly list: RangeList | undefined;
	readonly problems: readonly RangesProblem[];
}

/** Reads a file; `-` is stdin. Lines without a name of their own are given `service`. @throws FileError */
export function readRangesFile(name: string, terminal: Terminal, service?: string): RangesFile {
	const bytes = readNamed(name, terminal);
	const text = textOf(bytes);
	if (isJson(name, text)) {
		const { value, problems } = readRangesJson(bytes, text);
		return { name, prefixes: value?.prefixes, list: value, problems };
	}
	const { value, problems } = parseRangeLines(text, service);
	return { name, prefixes: value, list: undefined, problems };
}

/** Up to this many unreadable entries are named one by one. */
const namedEntries = 3;

/**
 * Reads a list; if none of its entries matches the draft, tries the formats that operators publish. Then one problem
 * covers all entries.
 */
export function readRangesJson(bytes: Uint8Array, text: string): ReturnType<typeof parseRanges> {
	// What a person saved as "Unicode" is read for that person; readers of a published list refuse it.
	const utf16 = decodeUtf16(bytes);
	if (utf16 !== undefined) {
		const { value, problems } = readRangesJson(new TextEncoder().encode(utf16), utf16);
		return { value, problems: [{ code: 'ranges-utf-16', severity: 'error', ...whole, args: {} }, ...problems] };
	}
	const read = parseRanges(bytes);
	if ((read.value?.prefixes.length ?? 0) > 0) return read;
	const prefixes = readOwnForm(text)?.prefixes;
	if (prefixes !== undefined)
		return {
			value: { format: 'legacy', synctoken: '', prefixes },
			problems: [{ code: 'ranges-own-form', severity: 'info', ...whole, args: { count: prefixes.length } }],
		};
	const unread = read.problems.filter(
		({ code }) => code === 'ranges-prefix-fields' || code === 'ranges-malformed-prefix',
	);
	if (unread.length <= namedEntries) return read;
	return { value: undefined, problems: [{ code: 'ranges-nothing-read', severity: 'error', ...whole, args: {} }] };
}

const whole = { line: 0, column: 0 } as const;

/** Lines of ranges begin with neither bracket, whatever the file is called. */
function isJson(name: string, text: string): boolean {
	return extname(name).toLowerCase() === '.json' || /^\ufeff?\s*[[{]/.test(text);
}

/** The name of a file without folder and extension: what to call a source that has no other name. */
export function sourceName(name: string): string {
	return name === '-' ? stdinName : basename(name, extname(name));
}

/** `file:line:col severity code message` for each problem. */
export function problemLines(file: { readonly name: string; readonly problems: readonly RangesProblem[] }): string {
	const lines = file.problems.map((problem) => {
		const { line, column, severity, code } = problem;
		return `${file.name}:${line}:${column} ${severity} ${code} ${explain(problem)}\n`;
	});
	return lines.join('');
}
