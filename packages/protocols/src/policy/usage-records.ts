import type { Evidence } from '../evidence.ts';
import { normaliseEscapes } from '../robots/escapes.ts';
import type { RobotsFile, RobotsRecord } from '../robots/index.ts';
import { type PreparedRobots, pathOfUrl } from '../robots/index.ts';
import { compilePattern, matchesPattern, type Pattern } from '../robots/pattern.ts';
import { type ContentSignals, parseContentSignal, type SignalName, signalNames } from './content-signal.ts';
import { parseUsageRule, type UsageCategory, type UsagePreferences } from './content-usage.ts';
import { fold } from './fold.ts';
import { type LevelStatement, sayLevel } from './levels.ts';
import type { PathFile } from './path-files.ts';
import type { Statement } from './types.ts';

/** The vocabulary records of a robots.txt for one agent. */
export interface UsageRecords {
	/** Statements of `Content-Usage` about a category at a URL. */
	usage(category: UsageCategory, url: string): Statement[];
	/** What `Content-Signal` says; it knows no paths. */
	signal(name: SignalName): readonly Statement[];
	/** The levels of `Content-Signal: use=`. */
	readonly levels: readonly LevelStatement[];
}

interface PathUsage {
	readonly pattern: Pattern;
	readonly preferences: UsagePreferences;
	readonly evidence: Evidence;
}

/** Reads the records once, equal ones as one; the groups are already those of the agent. */
export function prepareUsageRecords(pathFile: PathFile): UsageRecords {
	const usages = readUsages(pathFile);
	const signals = readSignals(pathFile);
	const statements = Object.fromEntries(
		signalNames.map((name) => {
			const said = signals.flatMap(({ said, evidence }) => say(said[name], evidence));
			return [name, fold(said, ({ effect }) => effect)];
		}),
	) as Record<SignalName, Statement[]>;
	return {
		usage: (category, url) => sayUsage(usages, category, url),
		signal: (name) => statements[name],
		levels: fold(
			signals.flatMap(({ said, evidence }) => sayLevel(said.use, evidence)),
			({ level }) => level,
		),
	};
}

function readUsages({ source, file, rules }: PathFile): PathUsage[] {
	const read = pick(file, rules, 'content-usage').map(({ record, outside }) => {
		const { path = '/', preferences } = parseUsageRule(record.value).value;
		return {
			path,
			preferences: outside ? onlyDenied(preferences) : preferences,
			evidence: evidenceOf(source, record, 'content-usage'),
		};
	});
	const keyOf = ({ path, preferences }: (typeof read)[number]) =>
		`${preferences['train-ai']} ${preferences.search} ${path}`;
	return fold(read, keyOf).map(({ path, ...usage }) => ({ pattern: compilePattern(path, false), ...usage }));
}

function readSignals({ source, file, rules }: PathFile) {
	return pick(file, rules, 'content-signal').map(({ record, outside }) => {
		const { use, ...effects } = parseContentSignal(record.value).value;
		// A level only restricts, so it counts in any place.
		const said: ContentSignals = { ...(outside ? onlyDenied(effects) : effects), ...(use && { use }) };
		return { said, evidence: evidenceOf(source, record, 'content-signal') };
	});
}

/**
 * The longest pattern counts, and of equal ones the strictest (draft-ietf-aipref-attach-05). Where the longest says
 * nothing readable about the category, a shorter one that forbids it still counts: the stricter of two readings.
 */
function sayUsage(usages: readonly PathUsage[], category: UsageCategory, url: string): Statement[] {
	if (usages.length === 0) return [];
	const path = normaliseEscapes(pathOfUrl(url));
	const matching = usages.filter(({ pattern }) => matchesPattern(pattern, path));
	const stating = longest(matching.filter(({ preferences }) => preferences[category] !== undefined));
	const denying = stating.filter(({ preferences }) => preferences[category] === 'deny');
	const speaking = denying.length > 0 ? denying : longest(matching);
	return speaking.flatMap(({ preferences, evidence }) => say(preferences[category], evidence));
}

function longest(usages: readonly PathUsage[]): PathUsage[] {
	const length = usages.reduce((most, { pattern }) => Math.max(most, pattern.length), 0);
	return usages.filter(({ pattern }) => pattern.length === length);
}

/** The records of the chosen groups, and those above the first group, which only count for what they forbid. */
function pick(file: RobotsFile, rules: PreparedRobots, key: string): { record: RobotsRecord; outside: boolean }[] {
	const wanted = (record: RobotsRecord) => record.key.toLowerCase() === key;
	return [
		...file.records
			.filter((record) => record.group === undefined && wanted(record))
			.map((record) => ({ record, outside: true })),
		...rules.records.filter(wanted).map((record) => ({ record, outside: false })),
	];
}

function onlyDenied<Name extends string>(
	said: Readonly<Partial<Record<Name, 'allow' | 'deny'>>>,
): Partial<Record<Name, 'allow' | 'deny'>> {
	return Object.fromEntries(Object.entries(said).filter(([, effect]) => effect === 'deny')) as typeof said;
}

function say(effect: 'allow' | 'deny' | undefined, evidence: Evidence): Statement[] {
	return effect ? [{ effect, evidence }] : [];
}

function evidenceOf(
	source: string,
	{ line, column, text }: RobotsRecord,
	mechanism: 'content-usage' | 'content-signal',
): Evidence {
	return { source, line, column, text: text.trim(), mechanism };
}
