import type { Evidence } from '../../evidence.ts';
import { parseDictionary } from '../../headers/index.ts';
import { error, makerOf, type Place, warning } from '../../internal/problem-maker.ts';
import type { Parsed, Problem } from '../../problem.ts';
import { normaliseEscapes, pathOfUrl } from '../../robots/escapes.ts';
import { compilePattern, matchesPattern, type Pattern } from '../../robots/pattern.ts';
import { headerValues } from '../../robots2/header-fields.ts';
import { isIndexer } from '../agent-roles.ts';
import { fold } from '../fold.ts';
import type { PathFile } from '../path-files.ts';
import type { Agent, PageSignals, Statement, Use } from '../types.ts';
import { groupRecords, onlyDenied, recordEvidence, statement } from './group-records.ts';
import { defineVocabulary } from './vocabulary.ts';

const problems = {
	'content-usage-unparsable': error('Content-Usage {text} is not a dictionary (RFC 9651); the whole field is ignored'),
	'content-usage-unknown-key': warning('Content-Usage has no key {key}; it is ignored'),
	'content-usage-unknown-value': error('{key} must be y or n; this value is ignored'),
};
type UsageCode = keyof typeof problems;
const usageProblem = makerOf(problems);

/** The preferences of the IETF working group AIPREF, for paths or for the whole group. */
export const contentUsage = defineVocabulary({
	name: 'content-usage',
	title: 'Content-Usage',
	specification: 'draft-ietf-aipref-vocab-07, draft-ietf-aipref-attach-05',
	problems,
	records: {
		'content-usage': {
			check: (value, at) => parseUsageRule(value, at).problems,
		},
	},
	headers: [{ field: 'content-usage', repeats: 'site-wins' }],
	prepare({ agent, robots }) {
		const files = robots.map(readUsages).filter(({ length }) => length > 0);
		const site = (use: Use, url: string): readonly Statement[] => {
			const category = categoryOf(use, agent);
			return category === undefined ? [] : files.flatMap((usages) => ofRecords(usages, category, url));
		};
		return {
			site: files.length > 0 ? site : undefined,
			response(use, page) {
				const category = categoryOf(use, agent);
				return category === undefined ? [] : ofHeader(page, category);
			},
		};
	},
	publish: {
		option: 'contentUsage',
		statements(policy) {
			const train = policy.valueForAll('train');
			const members = [
				...(train === 'yes' ? ['train-ai=y'] : train === 'no' ? ['train-ai=n'] : []),
				...(policy.value('crawl', 'search-indexer') === 'no' ? ['search=n'] : []),
			];
			if (members.length === 0) return undefined;
			const value = members.join(', ');
			return { records: { 'Content-Usage': value }, headers: { 'content-usage': value } };
		},
	},
});

function categoryOf(use: Use, agent: Agent): UsageCategory | undefined {
	if (use === 'train') return 'train-ai';
	return use === 'crawl' && isIndexer(agent) ? 'search' : undefined;
}

interface PathUsage {
	readonly pattern: Pattern;
	readonly preferences: UsagePreferences;
	readonly evidence: Evidence;
}

/** Reads the records of a file once, equal ones as one. */
function readUsages(file: PathFile): PathUsage[] {
	const read = groupRecords(file, 'content-usage').map(({ record, outside }) => {
		const { path = '/', preferences } = parseUsageRule(record.value).value;
		return {
			path,
			preferences: outside ? onlyDenied(preferences) : preferences,
			evidence: recordEvidence(file.source, record, 'content-usage'),
		};
	});
	const keyOf = ({ path, preferences }: (typeof read)[number]) =>
		`${preferences['train-ai']} ${preferences.search} ${path}`;
	return fold(read, keyOf).map(({ path, ...usage }) => ({ pattern: compilePattern(path, false), ...usage }));
}

/**
 * The longest pattern counts, and of equal ones the strictest (draft-ietf-aipref-attach-05). Where the longest says
 * nothing readable about the category, a shorter one that forbids it still counts: the stricter of two readings.
 */
function ofRecords(usages: readonly PathUsage[], category: UsageCategory, url: string): Statement[] {
	const path = normaliseEscapes(pathOfUrl(url));
	const matching = usages.filter(({ pattern }) => matchesPattern(pattern, path));
	const stating = longest(matching.filter(({ preferences }) => preferences[category] !== undefined));
	const denying = stating.filter(({ preferences }) => preferences[category] === 'deny');
	const speaking = denying.length > 0 ? denying : longest(matching);
	return speaking.flatMap(({ preferences, evidence }) => statement(preferences[category], evidence));
}

function longest(usages: readonly PathUsage[]): PathUsage[] {
	const length = usages.reduce((most, { pattern }) => Math.max(most, pattern.length), 0);
	return usages.filter(({ pattern }) => pattern.length === length);
}

/** Several header fields are one dictionary (RFC 9651 §4.2). */
function ofHeader({ source, headers = [] }: PageSignals, category: UsageCategory): Statement[] {
	const values = headerValues(headers, 'content-usage');
	if (values.length === 0) return [];
	const value = values.join(', ');
	const text = `Content-Usage: ${value}`;
	return statement(parseContentUsage(value).value[category], { source, line: 0, text, mechanism: 'content-usage' });
}

/** The categories of the vocabulary (draft-ietf-aipref-vocab-07). */
export const usageCategories = ['train-ai', 'search'] as const;
export type UsageCategory = (typeof usageCategories)[number];

/** Preference for each category; absent means unknown. */
export type UsagePreferences = Readonly<Partial<Record<UsageCategory, 'allow' | 'deny'>>>;

/**
 * Reads the value of `Content-Usage` (draft-ietf-aipref-vocab-07): a dictionary (RFC 9651 §3.2) of tokens `y` and `n`.
 *
 * `parseContentUsage('train-ai=n').value` is `{ 'train-ai': 'deny' }`. One fault makes all of it unknown:
 * `Train-AI=n` and `train-ai=n,` say nothing at all, and are reported.
 */
export function parseContentUsage(
	text: string,
	at: Place = { line: 1, column: 1 },
): Parsed<UsagePreferences, UsageCode> {
	const dictionary = parseDictionary(text);
	if (!dictionary) return { value: {}, problems: [usageProblem('content-usage-unparsable', at, { text })] };
	const value: Partial<Record<UsageCategory, 'allow' | 'deny'>> = {};
	const problems: Problem<UsageCode>[] = [];
	for (const [key, member] of dictionary) {
		const category = usageCategories.find((known) => known === key);
		const said = member.type === 'token' ? member.value : '';
		if (!category) problems.push(usageProblem('content-usage-unknown-key', at, { key }));
		else if (said === 'y' || said === 'n') value[category] = said === 'y' ? 'allow' : 'deny';
		else problems.push(usageProblem('content-usage-unknown-value', at, { key }));
	}
	return { value, problems };
}

/** A `Content-Usage` record of robots.txt: the paths it is for, and what it says (draft-ietf-aipref-attach-05). */
export interface UsageRule {
	/** A path pattern of RFC 9309; absent for the whole group. */
	readonly path?: string;
	readonly preferences: UsagePreferences;
}

/** Reads the value of a `Content-Usage` record: `/path train-ai=n`, or the preferences alone. */
export function parseUsageRule(value: string, at: Place = { line: 1, column: 1 }): Parsed<UsageRule, UsageCode> {
	const end = value.startsWith('/') ? value.search(/[ \t]/) : 0;
	const path = end < 0 ? value : value.slice(0, end);
	const rest = value.slice(path.length);
	const text = rest.trimStart();
	const column = at.column + path.length + rest.length - text.length;
	const { value: preferences, problems } = parseContentUsage(text, { line: at.line, column });
	return { value: { ...(path && { path }), preferences }, problems };
}
