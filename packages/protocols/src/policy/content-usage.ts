import { parseDictionary } from '../headers/index.ts';
import type { Place } from '../internal/problem-maker.ts';
import type { Parsed } from '../problem.ts';
import type { PolicyProblem, PolicyProblemCode } from './problems.ts';
import { policyProblem } from './report.ts';

/** The categories of the vocabulary (draft-ietf-aipref-vocab-07). */
export const usageCategories = ['train-ai', 'search'] as const;
export type UsageCategory = (typeof usageCategories)[number];

/** What is said about each category; absent is unknown, which is neither. */
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
): Parsed<UsagePreferences, PolicyProblemCode> {
	const dictionary = parseDictionary(text);
	if (!dictionary) return { value: {}, problems: [policyProblem('content-usage-unparsable', at, { text })] };
	const value: Partial<Record<UsageCategory, 'allow' | 'deny'>> = {};
	const problems: PolicyProblem[] = [];
	for (const [key, member] of dictionary) {
		const category = usageCategories.find((known) => known === key);
		const said = member.type === 'token' ? member.value : '';
		if (!category) problems.push(policyProblem('content-usage-unknown-key', at, { key }));
		else if (said === 'y' || said === 'n') value[category] = said === 'y' ? 'allow' : 'deny';
		else problems.push(policyProblem('content-usage-unknown-value', at, { key }));
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
export function parseUsageRule(
	value: string,
	at: Place = { line: 1, column: 1 },
): Parsed<UsageRule, PolicyProblemCode> {
	const end = value.startsWith('/') ? value.search(/[ \t]/) : 0;
	const path = end < 0 ? value : value.slice(0, end);
	const rest = value.slice(path.length);
	const text = rest.trimStart();
	const column = at.column + path.length + rest.length - text.length;
	const { value: preferences, problems } = parseContentUsage(text, { line: at.line, column });
	return { value: { ...(path && { path }), preferences }, problems };
}
