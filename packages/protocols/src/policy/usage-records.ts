import type { Evidence } from '../evidence.ts';
import { normaliseEscapes } from '../robots/escapes.ts';
import type { RobotsFile, RobotsRecord } from '../robots/index.ts';
import { type PreparedRobots, pathOfUrl } from '../robots/index.ts';
import { compilePattern, matchesPattern, type Pattern } from '../robots/pattern.ts';
import { type ContentSignals, parseContentSignal, type SignalName, signalNames } from './content-signal.ts';
import { parseUsageRule, type UsagePreferences } from './content-usage.ts';
import type { PathFile } from './path-files.ts';
import type { Statement } from './types.ts';

/** The vocabulary records of a robots.txt for one agent. */
export interface UsageRecords {
	/** What `Content-Usage` says about training at a URL. */
	training(url: string): Statement[];
	/** What `Content-Signal` says; it knows no paths. */
	signal(name: SignalName): readonly Statement[];
}

interface PathUsage {
	readonly pattern: Pattern;
	readonly preferences: UsagePreferences;
	readonly evidence: Evidence;
}

/** Reads the records once; the rules have chosen the groups for the agent. */
export function prepareUsageRecords({ source, file, rules }: PathFile): UsageRecords {
	const usages = pick(file, rules, 'content-usage').map(({ record, outside }): PathUsage => {
		const { path = '/', preferences } = parseUsageRule(record.value).value;
		return {
			pattern: compilePattern(path, false),
			preferences: outside ? onlyDenied(preferences) : preferences,
			evidence: evidenceOf(source, record, 'content-usage'),
		};
	});
	const signals = pick(file, rules, 'content-signal').map(({ record, outside }) => {
		const said: ContentSignals = parseContentSignal(record.value).value;
		return { said: outside ? onlyDenied(said) : said, evidence: evidenceOf(source, record, 'content-signal') };
	});
	const statements = Object.fromEntries(
		signalNames.map((name) => [name, signals.flatMap(({ said, evidence }) => say(said[name], evidence))]),
	) as Record<SignalName, Statement[]>;
	return { training: (url) => sayTraining(usages, url), signal: (name) => statements[name] };
}

/**
 * The longest pattern counts, and of equal ones the strictest (draft-ietf-aipref-attach-05). Where the longest says
 * nothing readable about training, what a shorter one forbids still stands: the stricter of two readings.
 */
function sayTraining(usages: readonly PathUsage[], url: string): Statement[] {
	if (usages.length === 0) return [];
	const path = normaliseEscapes(pathOfUrl(url));
	const matching = usages.filter(({ pattern }) => matchesPattern(pattern, path));
	const stating = longest(matching.filter(({ preferences }) => preferences['train-ai'] !== undefined));
	const denying = stating.filter(({ preferences }) => preferences['train-ai'] === 'deny');
	const speaking = denying.length > 0 ? denying : longest(matching);
	return speaking.flatMap(({ preferences, evidence }) => say(preferences['train-ai'], evidence));
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
