import {
	type Agent,
	type HostPolicies,
	namesOfAgent,
	type PreparedPolicies,
	preparePolicies,
	type Verdict,
} from '@wayleave/protocols/policy';
import { type PreparedRobots, prepareRobots } from '@wayleave/protocols/robots';
import { sameOrigin } from '@wayleave/protocols/robots2';

/** The uses that a fetch is for; a verdict on `read` includes `crawl`. */
export type FetchUse = (typeof fetchUses)[number];
const fetchUses = ['crawl', 'read'] as const;

/** The policy of the site for one agent, arranged for one decision after the other. */
export interface AgentTerms extends PreparedPolicies {
	/**
	 * `decide` for a fetch by an agent to whom nothing is answered: the same verdict, found by the rules that match the
	 * path. Paths that the same rules decide get the very same object.
	 */
	decideFetch(use: FetchUse, url: string): Verdict;
	/** Uses to ask for before a page is fetched. */
	readonly toAsk: readonly FetchUse[];
	/** Seconds between two pages that the policy asks for; 0 where it asks for none. */
	readonly delay: number;
}

/** Nothing in such a URL changes when it is normalised, so its path can be matched as it is. */
const plainUrl = /^https?:\/\/[\w.:[\]-]+\/[\w\-./~?=&+,;:@!$()*%]*$/;
/** Of each file one rule decides; more combinations than these are not kept. */
const maxKept = 250;

export function prepareAgentTerms(policies: HostPolicies, agent: Agent): AgentTerms {
	const prepared = preparePolicies(policies, agent);
	const { crawlDelay = 0, obligations } = prepared;
	const rules = pathRules(policies, agent);
	const kept: Record<FetchUse, Map<string, Verdict>> = { crawl: new Map(), read: new Map() };
	const literals = literalsOf(rules);
	const free: Partial<Record<FetchUse, Verdict>> = {};
	return {
		...prepared,
		toAsk: fetchUses.filter((use) => prepared.effective[use]?.value === 'ask'),
		delay: Math.max(crawlDelay, obligations.ratePerMinute === undefined ? 0 : 60 / obligations.ratePerMinute),
		decideFetch(use, url) {
			// The operator's own rules have paths of their own.
			if (policies.operator !== undefined || !plainUrl.test(url)) return prepared.decide(use, url);
			const isFree = literals !== undefined && !url.includes('%') && !includesAny(url, literals);
			const whereFree = isFree ? free[use] : undefined;
			if (whereFree !== undefined) return whereFree;
			let key = '';
			for (const each of rules) key += `${each.match(url).rule?.line ?? 0} `;
			const verdicts = kept[use];
			const verdict = verdicts.get(key) ?? prepared.decide(use, url);
			if (verdicts.size < maxKept) verdicts.set(key, verdict);
			if (isFree) free[use] = verdict;
			return verdict;
		},
	};
}

/** With more literals, searching for them is slower than matching the rules. */
const maxLiterals = 32;

/**
 * The longest literal part of each pattern: a URL that contains none of them matches no rule. Undefined if escapes or
 * too many rules prevent this shortcut.
 */
function literalsOf(files: readonly PreparedRobots[]): readonly string[] | undefined {
	const patterns = new Set(files.flatMap(({ rules }) => rules.map(({ pattern }) => pattern)));
	// An empty pattern restricts nothing, and matches if no other does.
	patterns.delete('');
	const plain = /^[\x21-\x24\x26-\x7e]+$/;
	if (patterns.size > maxLiterals || ![...patterns].every((pattern) => plain.test(pattern))) return undefined;
	const longest = (parts: readonly string[]) => parts.reduce((a, b) => (b.length > a.length ? b : a));
	return Array.from(patterns, (pattern) => longest(pattern.split(/[*$]/)));
}

function includesAny(text: string, parts: readonly string[]): boolean {
	for (const part of parts) if (text.includes(part)) return true;
	return false;
}

/** The files whose rules depend on the path; all else that is said about a fetch holds for the whole site. */
function pathRules({ robots, robots2 }: HostPolicies, agent: Agent): PreparedRobots[] {
	const names = namesOfAgent(agent);
	const chain = robots2 !== undefined && 'files' in robots2 ? robots2.files : [];
	const [{ source: first } = { source: '' }] = chain;
	const files = chain.filter(({ source }) => sameOrigin(source, first)).map(({ file }) => file.paths);
	if (robots !== undefined && 'file' in robots) files.push(robots.file);
	return files.map((file) => prepareRobots(file, names));
}
