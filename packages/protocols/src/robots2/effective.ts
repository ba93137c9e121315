import { parseUrl } from '../url/parse-url.ts';
import { directive, looseness, type PolicyName, policyNames } from './directives.ts';
import { strictestOf } from './parse.ts';
import type { Robots2Entry, Robots2File, Robots2Source } from './types.ts';

/** The agent that a policy is read for. */
export interface PolicyReader {
	/** Its roles; with several, each must be permitted. */
	readonly categories?: readonly string[];
	/** Its own name: a section of that name can only narrow what its categories may do. */
	readonly name?: string;
	/** Further names that it gives: their sections narrow too. */
	readonly otherNames?: readonly string[];
}

/** The value of one directive, and its line. */
export interface Setting extends Omit<Robots2Entry, 'name'> {
	readonly source: string;
	/** The section it stands in; absent for the global policy. */
	readonly category?: string;
}

/** The directives that are stated for a reader; what is absent is unspecified. */
export type EffectivePolicy = Readonly<Partial<Record<PolicyName, Setting>>>;

/**
 * The policy of a chain of files for a reader. In each file a matching section replaces the global value;
 * an earlier file beats a later one, which only fills gaps.
 */
export function effectivePolicy(
	files: readonly Robots2Source[],
	{ categories = [], name, otherNames = [] }: PolicyReader = {},
): EffectivePolicy {
	const roles = categories.map((category) => category.toLowerCase());
	const policies = (roles.length > 0 ? roles : ['']).map((role) => policyOfRole(files, role));
	const policy = policies.reduce(narrower);
	const names = name === undefined ? otherNames : [name, ...otherNames];
	return names.reduce((narrow, each) => narrowedBy(narrow, sectionsNamed(files, each.toLowerCase())), policy);
}

/** Whether two sources are of one origin: file names have none, and are taken as one. */
export function sameOrigin(a: string, b: string): boolean {
	return a === b || parseUrl(a)?.origin === parseUrl(b)?.origin;
}

/** In each file what its sections say, else what is global; an earlier file beats a later one. */
function policyOfRole(files: readonly Robots2Source[], role: string): EffectivePolicy {
	return firstOf(files, ({ source, file }) => [
		...settingsOf(sectionEntries(file, role), source, role),
		...settingsOf(file.global, source),
	]);
}

function sectionsNamed(files: readonly Robots2Source[], name: string): EffectivePolicy {
	return firstOf(files, ({ source, file }) => settingsOf(sectionEntries(file, name), source, name));
}

type Draft = { -readonly [Name in PolicyName]?: Setting };

/** The first setting of each name; a market of another origin is not ours. */
function firstOf(
	files: readonly Robots2Source[],
	read: (file: Robots2Source) => readonly (readonly [PolicyName, Setting])[],
): Draft {
	const policy: Draft = {};
	for (const file of files) {
		const foreign = !sameOrigin(file.source, files[0]?.source ?? file.source);
		for (const [name, setting] of read(file)) if (!(foreign && name === 'market')) policy[name] ??= setting;
	}
	return policy;
}

function sectionEntries(file: Robots2File, category: string): Robots2Entry<PolicyName>[] {
	return file.sections.flatMap(({ categories, entries }) => (categories.includes(category) ? entries : []));
}

function settingsOf(
	entries: readonly Robots2Entry<PolicyName>[],
	source: string,
	category?: string,
): (readonly [PolicyName, Setting])[] {
	return [...strictestOf(entries)].map(([name, entry]) => [name, toSetting(entry, source, category)]);
}

function toSetting(entry: Robots2Entry, source: string, category?: string): Setting {
	const { value, line, column, text, invalid } = entry;
	return { value, source, line, column, text, ...(category && { category }), ...(invalid && { invalid }) };
}

/** For each directive the stricter of two settings; silence is as strict as what it is taken for. */
function narrower(a: EffectivePolicy, b: EffectivePolicy): EffectivePolicy {
	const policy: Draft = {};
	for (const name of policyNames) {
		const setting = strictness(name, a[name]) <= strictness(name, b[name]) ? a[name] : b[name];
		if (setting) policy[name] = setting;
	}
	return policy;
}

/** A policy under what is said besides; here silence takes nothing away. */
function narrowedBy(policy: EffectivePolicy, besides: EffectivePolicy): EffectivePolicy {
	return narrower(policy, { ...policy, ...besides });
}

function strictness(name: PolicyName, setting: Setting | undefined): number {
	if (setting) return looseness(name, setting.value);
	// A silent `train` is no, and stricter than a stated one only where that is not `no` itself.
	return directive(name).silentIsNo ? 0.5 : Number.POSITIVE_INFINITY;
}
