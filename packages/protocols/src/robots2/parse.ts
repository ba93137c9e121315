import { maxProblems } from '../internal/max-problems.ts';
import type { Parsed, Problem } from '../problem.ts';
import { parseRobots, type RobotsCode, type RobotsFile } from '../robots/index.ts';
import { findSpelling, isKnownRecord } from '../robots/keys.ts';
import {
	type DirectiveName,
	directive,
	directiveNamed,
	isLaterDirective,
	looseness,
	type PolicyName,
	readValue,
} from './directives.ts';
import { defaultMaxBytes, readLines } from './lines.ts';
import { readMeta } from './meta.ts';
import type { Robots2Problem, Robots2ProblemCode } from './problems.ts';
import { robots2Problem } from './report.ts';
import { readSectionHeader } from './section.ts';
import type { Robots2Entry, Robots2File } from './types.ts';

export interface ParseRobots2Options {
	/** Bytes read at most; 500 KiB by default (RFC 9309 §2.5). */
	readonly maxBytes?: number;
}

/**
 * Reads a robots2.txt (robots2.txt 0.2.1). Never throws: what is odd is reported with its position.
 *
 * `parseRobots2('train: no').value.global[0]` is `{ name: 'train', value: 'no', line: 1, column: 1, text: 'train: no' }`.
 */
export function parseRobots2(
	input: string | Uint8Array,
	{ maxBytes = defaultMaxBytes }: ParseRobots2Options = {},
): Parsed<Robots2File, Robots2ProblemCode | RobotsCode> {
	const { lines, truncated, utf16 } = readLines(input, maxBytes);
	const reader = new Reader(lines);
	if (utf16) reader.report('robots2-utf-16', 1, 1);
	if (truncated) reader.report('robots2-truncated', 0, 0, { limit: maxBytes });
	lines.forEach((line, index) => {
		reader.read(line, index + 1);
	});
	// Only the lines of robots.txt, at their places: a reader of robots.txt passes over the others anyway.
	const paths = parseRobots(reader.pathLines.join('\n'), { maxBytes: Number.POSITIVE_INFINITY });
	const value = reader.file(paths.value, truncated);
	const ofPaths = paths.problems.filter(({ code }) => code !== 'unknown-key');
	const problems = [...reader.problems, ...ofPaths].sort((a, b) => a.line - b.line || a.column - b.column);
	return { value, problems: capped(problems) };
}

/** The first thousand problems, and the number of further ones. */
export function capped<Code extends string>(problems: readonly Problem<Code>[]): Problem<Code | Robots2ProblemCode>[] {
	const listed = problems.slice(0, maxProblems);
	const omitted = problems.slice(maxProblems);
	if (omitted.length === 0) return listed;
	const severity = omitted.some((problem) => problem.severity === 'error') ? 'error' : 'info';
	return [...listed, robots2Problem('robots2-omitted', { line: 0, column: 0 }, { count: omitted.length }, severity)];
}

type Open = { categories: readonly string[]; line: number; entries: Robots2Entry<PolicyName>[] };

interface Place {
	readonly line: number;
	readonly column: number;
	readonly text: string;
}

/** Goes through the lines once, keeping the section it is in. */
class Reader {
	readonly problems: Robots2Problem[] = [];
	readonly #lines: readonly string[];
	readonly pathLines: string[];
	readonly #meta: ReadonlyMap<string, string>;
	readonly #global: Open = { categories: [], line: 0, entries: [] };
	readonly #sections: Open[] = [];
	#open = this.#global;
	readonly #quality: Robots2File['quality'][number][] = [];
	readonly #reportTo: Robots2Entry<'report-to'>[] = [];
	readonly #chains: Robots2Entry<'chain'>[] = [];
	readonly #counting = new Map<readonly Robots2Entry[], Map<DirectiveName, Robots2Entry>>();
	#lastLine = 0;

	constructor(lines: readonly string[]) {
		this.#lines = lines;
		this.pathLines = lines.map(() => '');
		this.#meta = readMeta(lines, this.problems);
	}

	report(code: Robots2ProblemCode, line: number, column: number, args: Robots2Problem['args'] = {}): void {
		this.problems.push(robots2Problem(code, { line, column }, args));
	}

	read(raw: string, line: number): void {
		const text = raw.replace(/(?:^|\s)#.*$/s, '').trim();
		if (text === '') return;
		this.#lastLine = line;
		const column = raw.search(/\S/) + 1;
		if (text.startsWith('[')) this.#readHeader(text, line, column);
		else this.#readLine(raw, text, line, column);
	}

	#readLine(raw: string, text: string, line: number, column: number): void {
		const [, written = '', colon = '', rest = ''] = /^([^\s:]+)\s*(:?)\s*(.*)$/s.exec(text) ?? [];
		const name = directiveNamed(written);
		if (name === undefined) this.#readOther(raw, text, line, column);
		else this.#readRecord(name, written, colon, rest, { line, column, text: raw.trim() });
	}

	#readHeader(text: string, line: number, column: number): void {
		const { categories, wellFormed, unknown } = readSectionHeader(text);
		const read = categories.length > 0 ? `[agent: ${namesOf({ categories })}]` : 'a section that applies to no agent';
		if (!wellFormed) this.report('robots2-malformed-section', line, column, { read });
		for (const category of unknown) this.report('robots2-unknown-category', line, column, { category });
		this.#open = categories.includes('*') ? this.#global : { categories, line, entries: [] };
		if (this.#open !== this.#global) this.#sections.push(this.#open);
	}

	#readRecord(name: DirectiveName, written: string, colon: string, rest: string, at: Place): void {
		const { line, column } = at;
		const value = readValue(name, rest) ?? readValue(name, rest.replace(/#.*$/s, '').trimEnd());
		if (colon === '') {
			this.report('robots2-missing-colon', line, column, { name });
			// Where the colon is missing, only what narrows is taken at its word.
			if (value === undefined || directive(name).kind !== 'permission' || value === 'yes') return;
		}
		if (written.toLowerCase() !== name) this.report('robots2-american-spelling', line, column, { written, name });
		this.#readDirective(name, value, rest, at);
	}

	#readDirective(name: DirectiveName, value: string | undefined, written: string, at: Place): void {
		const permission = directive(name).kind === 'permission';
		if (value === undefined) {
			const counts = permission ? 'no' : name === 'rate' ? 'polite' : 'absent';
			const severity = permission ? 'error' : 'warning';
			this.problems.push(robots2Problem('robots2-invalid-value', at, { name, value: written, counts }, severity));
			if (!permission) return;
		}
		const entry = { name, value: value ?? 'no', ...at, ...(value === undefined && { invalid: true as const }) };
		const { kind } = directive(name);
		if (kind === 'report-to') this.#reportTo.push(entry as Robots2Entry<'report-to'>);
		else if (kind === 'chain') this.#chains.push(entry as Robots2Entry<'chain'>);
		else this.#keep(entry, kind === 'quality' ? this.#quality : this.#open.entries);
	}

	/** Keeps all entries of one name; `strictestOf` decides which of them counts. */
	#keep(entry: Robots2Entry, entries: Robots2Entry[]): void {
		const counting = this.#counting.get(entries) ?? new Map<DirectiveName, Robots2Entry>();
		this.#counting.set(entries, counting);
		entries.push(entry);
		const { name, line, column } = entry;
		const before = counting.get(name);
		const best = before ? stricter(before, entry) : entry;
		counting.set(name, best);
		if (before) this.report('robots2-duplicate-directive', line, column, { name, value: best.value });
	}

	/** A record of robots.txt, or an unknown one. */
	#readOther(raw: string, text: string, line: number, column: number): void {
		this.pathLines[line - 1] = raw;
		const name = text.slice(0, Math.max(0, text.indexOf(':'))).trimEnd();
		if (/^user-?\s?agent$/i.test(name)) this.#open = this.#global;
		else if (/^(?:dis)?allow$/i.test(name) && this.#open !== this.#global)
			this.report('robots2-path-rule-in-section', line, column, { name, category: namesOf(this.#open) });
		else if (name !== '' && !findSpelling(name, 0, name.length) && !isKnownRecord(name))
			this.report(
				isLaterDirective(name, this.#meta.get('spec-version'))
					? 'robots2-later-directive'
					: 'robots2-unknown-directive',
				line,
				column,
				{
					name,
				},
			);
	}

	file(paths: RobotsFile, truncated: boolean): Robots2File {
		const chain = truncated ? undefined : this.#chains.find(({ line }) => line === this.#lastLine);
		for (const { line, column } of this.#chains)
			if (line !== chain?.line) this.report('robots2-chain-not-last', line, column);
		return {
			meta: this.#meta,
			paths,
			global: this.#global.entries,
			sections: this.#sections,
			quality: this.#quality,
			reportTo: this.#reportTo,
			...(chain && { chain }),
			lines: this.#lines,
			truncated,
		};
	}
}

/**
 * The categories of a section, worded for a sentence: a header may name thousands, and each of its lines may have a
 * problem.
 */
export function namesOf({ categories }: { readonly categories: readonly string[] }): string {
	return categories.length <= 5
		? categories.join(', ')
		: `${categories.slice(0, 5).join(', ')} and ${categories.length - 5} more`;
}

function stricter<Name extends DirectiveName>(a: Robots2Entry<Name>, b: Robots2Entry<Name>): Robots2Entry<Name> {
	return looseness(a.name, a.value) <= looseness(b.name, b.value) ? a : b;
}

/** The effective entry of each directive, in the order of first mention: the strictest, the first of equals. */
export function strictestOf<Name extends DirectiveName>(
	entries: readonly Robots2Entry<Name>[],
): Map<Name, Robots2Entry<Name>> {
	const found = new Map<Name, Robots2Entry<Name>>();
	for (const entry of entries) {
		const before = found.get(entry.name);
		found.set(entry.name, before ? stricter(before, entry) : entry);
	}
	return found;
}
