import { explain } from '@wayleave/gateway/lint/problems';
import {
	checkRangesSuccession,
	compileRanges,
	diffRanges,
	mergeRanges,
	type RangeMatch,
	type RangePrefix,
	type RangesProblemCode,
} from '@wayleave/protocols/jafar';
import { quantity } from '@wayleave/protocols/text';
import { stdinName } from '../../shared/options/read-named.ts';
import { tellFailure } from '../../shared/output/tell-failure.ts';
import { problemLines } from '../../shared/problem-lines.ts';
import { type RangesFile, readRangesFile, sourceName } from '../../shared/range-files.ts';
import { exitCodes, type Terminal } from '../../terminal/command.ts';
import type { BuildFlags, CheckFlags, LookupFlags } from './flags.ts';
import { type PublishFlags, publishRanges } from './publish.ts';

export function build(names: readonly string[], flags: BuildFlags, terminal: Terminal): number {
	const files = (names.length > 0 ? names : ['-']).map((name) => readRangesFile(name, terminal, flags.service));
	const prefixes = usable(files, terminal, { complete: true });
	if (prefixes === undefined) return exitCodes.found;
	return publishFound(prefixes.flat(), names, flags, terminal);
}

/** A broken pipe must not publish an empty list of our addresses. */
function publishFound(
	ranges: readonly RangePrefix[],
	names: readonly string[],
	flags: PublishFlags,
	terminal: Terminal,
): number {
	if (ranges.length > 0 || flags.allowEmpty === true) {
		publishRanges(ranges, flags, terminal);
		return exitCodes.ok;
	}
	const where = names.length > 0 ? names.join(', ') : stdinName;
	return tellFailure(terminal, flags, {
		code: 'no-ranges',
		message: `${where} contains no range; nothing was written. To publish an empty list, use --allow-empty`,
	});
}

/**
 * The ranges of each file, after printing what is wrong with them; undefined when one cannot be used.
 * For our own list, `complete`, no range may have been left out: it would silently disown an address.
 */
function usable(
	files: readonly RangesFile[],
	terminal: Terminal,
	{ complete }: { complete: boolean },
): (readonly RangePrefix[])[] | undefined {
	for (const file of files) terminal.err(problemLines(file.name, file.problems));
	const lacking = ({ prefixes, problems }: RangesFile) =>
		prefixes === undefined || (complete && problems.some(({ code }) => leavesOut.has(code)));
	return files.some(lacking) ? undefined : files.map(({ prefixes = [] }) => prefixes);
}

/** The problems for which a range is not read. */
const leavesOut: ReadonlySet<RangesProblemCode> = new Set([
	'ranges-prefix-fields',
	'ranges-malformed-prefix',
	'ranges-wrong-family',
	'ranges-host-bits',
]);

/** Exits with 1 if an address is not listed. */
export function lookup(names: readonly string[], { ip: addresses, json }: LookupFlags, terminal: Terminal): number {
	const files = names.map((name) => readRangesFile(name, terminal));
	const lists = usable(files, terminal, { complete: false });
	if (lists === undefined) return exitCodes.found;
	const index = compileRanges(lists.map((prefixes) => ({ prefixes })));
	let missed = false;
	for (const ip of addresses) {
		const matches = index
			.lookup(ip)
			.map(({ list, prefix, services }) => ({ file: names[list] ?? '', prefix, services }));
		if (matches.length === 0) missed = true;
		terminal.out(json ? `${JSON.stringify({ ip, listed: matches.length > 0, matches })}\n` : lookupLines(ip, matches));
	}
	return missed ? exitCodes.found : exitCodes.ok;
}

function lookupLines(ip: string, matches: readonly (Omit<RangeMatch, 'list'> & { file: string })[]): string {
	if (matches.length === 0) return `${ip} is not listed\n`;
	return matches
		.map(({ file, prefix, services }) => {
			const names = services.length === 0 ? '' : ` (${services.join(', ')})`;
			return `${ip} is in ${prefix}${names} of ${file}\n`;
		})
		.join('');
}

export function merge(names: readonly string[], flags: PublishFlags, terminal: Terminal): number {
	const sources = names.map((argument) => {
		const [, operator, name = argument] = /^([^=/\\]+)=(.+)$/.exec(argument) ?? [];
		return { operator: operator ?? sourceName(name), file: readRangesFile(name, terminal) };
	});
	const lists = usable(
		sources.map(({ file }) => file),
		terminal,
		{ complete: false },
	);
	if (lists === undefined) return exitCodes.found;
	const tagged = sources.map(({ operator }, at) => ({ operator, list: { prefixes: lists[at] ?? [] } }));
	return publishFound(mergeRanges(tagged), names, flags, terminal);
}

export function check(names: readonly string[], { previous, json }: CheckFlags, terminal: Terminal): number {
	const files = names.map((name) => readRangesFile(name, terminal));
	const before = previous === undefined ? undefined : readRangesFile(previous, terminal);
	let errors = 0;
	for (const file of files) {
		const problems = [...file.problems, ...successionProblems(before, file)];
		errors += problems.filter(({ severity }) => severity === 'error').length;
		for (const problem of problems) {
			if (json) terminal.out(`${JSON.stringify({ file: file.name, ...problem, message: explain(problem) })}\n`);
		}
		if (!json) terminal.out(problemLines(file.name, problems));
		if (before !== undefined) terminal.out(changeLines(before, file, json === true));
		terminal.note(`${file.name}: ${describe(file)}, ${quantity(problems.length, 'problem')}\n`);
	}
	return errors > 0 ? exitCodes.found : exitCodes.ok;
}

function successionProblems(before: RangesFile | undefined, { list }: RangesFile) {
	return before?.list === undefined || list === undefined ? [] : checkRangesSuccession(before.list, list);
}

/** `+` for a range that came, `-` for one that went, `~` for one with other services. */
function changeLines(before: RangesFile, after: RangesFile, json: boolean): string {
	if (before.prefixes === undefined || after.prefixes === undefined) return '';
	const { added, removed, changed } = diffRanges({ prefixes: before.prefixes }, { prefixes: after.prefixes });
	const line = (sign: string, change: string, prefix: string, services: readonly string[], past?: readonly string[]) =>
		json
			? `${JSON.stringify({ change, prefix, services, ...(past && { before: past }) })}\n`
			: `${sign} ${[prefix, past && `${past.join(', ')} ->`, services.join(', ')].filter(Boolean).join(' ')}\n`;
	return [
		...added.map(({ range, services }) => line('+', 'added', range.text, services)),
		...removed.map(({ range, services }) => line('-', 'removed', range.text, services)),
		...changed.map(({ range, before: past, after: services }) => line('~', 'changed', range.text, services, past)),
	].join('');
}

function describe({ prefixes, list }: RangesFile): string {
	if (prefixes === undefined) return 'no list';
	const kind = list === undefined ? 'lines' : list.format === 'legacy' ? 'a legacy list' : 'a JAFAR list';
	return `${kind} of ${quantity(prefixes.length, 'range')}`;
}
