import { formatRobots, type RobotsFile } from '../robots/index.ts';
import { parseUrl } from '../url/parse-url.ts';
import {
	type DirectiveName,
	directiveNamed,
	type PolicyName,
	policyNames,
	type QualityName,
	qualityNames,
	readValue,
} from './directives.ts';
import { strictestOf } from './parse.ts';
import type { Robots2Entry, Robots2File } from './types.ts';

/** Values by directive, British or American; written in the order of the draft. */
export type Robots2Values<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** One `User-agent` group. */
export interface PathGroup {
	readonly agents: readonly string[];
	readonly rules: readonly { readonly allow: boolean; readonly pattern: string }[];
}

/** The content of a robots2.txt to write. */
export interface Robots2Draft {
	readonly meta?: Readonly<Record<string, string>>;
	/** Groups of their own, or those of a file that was read, with all their records. */
	readonly paths?: readonly PathGroup[] | RobotsFile;
	readonly policy?: Robots2Values<PolicyName>;
	readonly quality?: Robots2Values<QualityName>;
	readonly reportTo?: readonly string[];
	readonly sections?: readonly { readonly category: string; readonly policy: Robots2Values<PolicyName> }[];
	readonly chain?: string;
}

/** A draft that cannot be written so that it would be read as it is meant. */
export class Robots2FormatError extends Error {
	override readonly name = 'Robots2FormatError';
	readonly code: 'invalid-value' | 'unknown-directive';
	/** The directive, or the part of the draft. */
	readonly part: string;

	constructor(code: Robots2FormatError['code'], part: string, value: string) {
		super(`${code}: ${part}: ${JSON.stringify(value)}`);
		this.code = code;
		this.part = part;
	}
}

/**
 * Writes a robots2.txt: meta, path rules, global policy, then the sections, since all that follows a section header
 * belongs to it, and the chain as last line. British spellings only.
 *
 * @throws Robots2FormatError for a value that its directive does not take, `rate` below 1, a chain that is not
 * https, and anything with a line end or a comment in it.
 */
export function formatRobots2(draft: Robots2Draft): string {
	const { meta = {}, paths = [], policy = {}, quality = {}, reportTo = [], sections = [], chain } = draft;
	const blocks = [
		Object.entries(meta).map(([name, value]) => `# meta: ${metaName(name)}: ${plain('meta', value)}`),
		...('groups' in paths
			? [formatRobots(paths).trimEnd()].filter(Boolean).map((text) => [text])
			: paths.map(groupLines)),
		valueLines(policy, policyNames),
		valueLines(quality, qualityNames),
		reportTo.map((value) => line('report-to', value)),
		...sections.map((section) => [
			`[agent: ${category(section.category)}]`,
			...valueLines(section.policy, policyNames),
		]),
		chain === undefined ? [] : [line('chain', https(chain))],
	];
	return blocks
		.filter((block) => block.length > 0)
		.map((block) => `${block.join('\n')}\n`)
		.join('\n');
}

/** A file as a draft: in each section the strictest of repeated values, invalid permissions as `no`. */
export function robots2Draft(file: Robots2File): Robots2Draft {
	const sections = new Map<string, Robots2Entry<PolicyName>[]>();
	for (const { categories, entries } of file.sections) {
		// One entry per directive: avoids copying thousands of entries under thousands of categories.
		const counting = strictestOf(entries);
		for (const category of categories) {
			const before = sections.get(category) ?? [];
			sections.set(category, [...strictestOf([...before, ...counting.values()]).values()]);
		}
	}
	return {
		meta: Object.fromEntries([...file.meta].filter(([name, value]) => isPlain(name) && isPlain(value))),
		paths: file.paths,
		policy: valuesOf(file.global),
		quality: valuesOf(file.quality),
		reportTo: file.reportTo.map(({ value }) => value),
		sections: [...sections].map(([category, entries]) => ({ category, policy: valuesOf(entries) })),
		...(file.chain && isHttps(file.chain.value) && { chain: file.chain.value }),
	};
}

/** A group without rules gets one that restricts nothing, else the next group would be read as part of it. */
function groupLines({ agents, rules }: PathGroup): string[] {
	return [
		...agents.map((agent) => `User-agent: ${plain('User-agent', agent)}`),
		...rules.map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${plain('path', pattern)}`.trimEnd()),
		...(rules.length === 0 ? ['Disallow:'] : []),
	];
}

function valuesOf<Name extends PolicyName | QualityName>(entries: readonly Robots2Entry<Name>[]): Robots2Values<Name> {
	const values = Array.from(strictestOf(entries).values(), ({ name, value }) => [name, value] as const);
	const all = Object.fromEntries(values) as Partial<Record<PolicyName | QualityName, string>>;
	// No requests at all is what `crawl: no` says in a value that a generator may write.
	const { rate, ...rest } = all;
	return (rate === '0' ? { ...rest, crawl: 'no' } : all) as Robots2Values<Name>;
}

function valueLines<Name extends DirectiveName>(values: Robots2Values<Name>, order: readonly Name[]): string[] {
	const named = new Map<DirectiveName, string>();
	for (const [written, value] of Object.entries<string | undefined>(values)) {
		if (value === undefined) continue;
		const name = directiveNamed(written);
		if (name === undefined || !(order as readonly string[]).includes(name))
			throw new Robots2FormatError('unknown-directive', written, value);
		named.set(name, value);
	}
	return order.flatMap((name) => {
		const value = named.get(name);
		return value === undefined ? [] : line(name, value);
	});
}

function line(name: DirectiveName, value: string): string {
	const canonical = readValue(name, plain(name, value));
	if (canonical === undefined || (name === 'rate' && canonical === '0'))
		throw new Robots2FormatError('invalid-value', name, value);
	return `${name}: ${canonical}`;
}

function category(written: string): string {
	if (written === '*' || !/^[^\s,|:\]#[]+$/.test(written))
		throw new Robots2FormatError('invalid-value', 'category', written);
	return written.toLowerCase();
}

function metaName(name: string): string {
	if (!/^[^\s:]+$/.test(name)) throw new Robots2FormatError('invalid-value', 'meta', name);
	return name.toLowerCase();
}

function https(url: string): string {
	if (!isHttps(url)) throw new Robots2FormatError('invalid-value', 'chain', url);
	return url;
}

/** Chains lead to https URLs only. */
export function isHttps(url: string): boolean {
	return parseUrl(url)?.protocol === 'https:';
}

function plain(part: string, value: string): string {
	if (!isPlain(value)) throw new Robots2FormatError('invalid-value', part, value);
	return value;
}

/** One line, without a comment, white space at its ends or control characters. */
function isPlain(value: string): boolean {
	return value === value.trim() && !/[\x00-\x1f\x7f\u2028\u2029]|(?:^|\s)#/.test(value);
}
