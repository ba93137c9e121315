import { basename, extname } from 'node:path';
import { textOf } from '@wayleave/protocols';
import {
	parseRangeLines,
	type RangeList,
	type RangePrefix,
	type RangesProblem,
	readRangesJson,
} from '@wayleave/protocols/jafar';
import type { Terminal } from '../terminal/command.ts';
import { readNamed, stdinName } from './options/read-named.ts';

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

/** Lines of ranges begin with neither bracket, whatever the file is called. */
function isJson(name: string, text: string): boolean {
	return extname(name).toLowerCase() === '.json' || /^\ufeff?\s*[[{]/.test(text);
}

/** The name of a file without folder and extension: what to call a source that has no other name. */
export function sourceName(name: string): string {
	return name === '-' ? stdinName : basename(name, extname(name));
}
