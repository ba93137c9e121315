import type { Evidence } from '../evidence.ts';
import { directive, type EffectivePolicy, effectivePolicy } from '../robots2/index.ts';
import { prepareAccess } from './access.ts';
import { combine } from './combine.ts';
import { prepareOperator } from './operator.ts';
import { isMissing, maxCrawlDelay, preparePathFiles } from './path-files.ts';
import { prepareVocabularies } from './prepare-vocabularies.ts';
import { obligationsOf, statementsFromDirective } from './robots2-statements.ts';
import type { Agent, AskRecord, HostPolicies, Obligations, PageSignals, Statement, Use, Verdict } from './types.ts';
import { needRead } from './uses.ts';

/** Input that depends on the question rather than on the host. */
export interface DecisionInput {
	/** Signals of the response, if there is one. */
	readonly page?: PageSignals;
	/** The answers that hold now; those of the host policies when absent. */
	readonly asks?: readonly AskRecord[];
	/** The content comes from the SOM endpoint that the robots.txt of this host declares. */
	readonly representation?: 'som';
}

/** The terms of a host for one agent, arranged for many questions. */
export interface PreparedPolicies {
	/** The policy of robots2.txt for this agent; empty without one. */
	readonly effective: EffectivePolicy;
	readonly obligations: Obligations;
	/** Seconds; the longest `Crawl-delay` of the groups that are in force. */
	readonly crawlDelay?: number;
	/** The line that sets it. */
	readonly crawlDelayLine?: Evidence;
	decide(use: Use, url: string | URL, input?: DecisionInput): Verdict;
}

/** Prepares the policies of a host for one agent: what does not depend on the URL is worked out once. */
export function preparePolicies(policies: HostPolicies, asked: Agent): PreparedPolicies {
	const agent = { ...asked, categories: (asked.categories ?? []).map((category) => category.toLowerCase()) };
	const { robots2 } = policies;
	const chain = robots2 && !isMissing(robots2) ? robots2.files : [];
	const [first] = chain;
	const files = preparePathFiles(policies, agent);
	const effective = effectivePolicy(chain, agent);
	const obligations = obligationsOf(effective);
	const access = prepareAccess(policies, agent, effective, files);
	const vocabularies = prepareVocabularies(policies, agent, files);
	const operator = prepareOperator(policies.operator ?? [], agent);
	// All uses of one URL are asked about in turn.
	const hrefOf = rememberLast(readUrl);
	const pages = rememberLast((href: string) => access(href, false));
	const representations = rememberLast((href: string) => access(href, true));
	return {
		effective,
		obligations,
		...maxCrawlDelay(files),
		decide(use, url, { page, asks = policies.asks ?? [], representation } = {}) {
			const href = hrefOf(String(url));
			if (href === undefined) return invalidUrl(use, String(url));
			const say = (name: Use) => statementsFromDirective(effective, name, agent, asks, href);
			const files = representation === 'som' ? representations(href) : pages(href);
			const toFetch = [...files, ...say('crawl'), ...operator('crawl', href)];
			const toRead = needRead.has(use) ? say('read') : [];
			const own = use === 'crawl' ? toFetch : [...say(use), ...operator(use, href)];
			const silent = first !== undefined && effective[use] === undefined && directive(use).silentIsNo;
			return combine({
				use,
				gates: [...(use === 'crawl' ? [] : toFetch), ...toRead].filter(isRestrictive),
				statements: [...own, ...vocabularies(use, href, page)],
				obligations,
				...(silent && { silence: evidenceOfSilence(use, first.source) }),
			});
		},
	};
}

/** The same function, which remembers what it made of the last text. */
function rememberLast<Value>(make: (text: string) => Value): (text: string) => Value {
	let last: { readonly text: string; readonly value: Value } | undefined;
	return (text) => {
		if (last?.text !== text) last = { text, value: make(text) };
		return last.value;
	};
}

const isRestrictive = ({ effect }: Statement) => effect === 'deny' || effect === 'ask';

function evidenceOfSilence(use: Use, source: string): Evidence {
	return { source, line: 0, text: `${use} is not stated`, mechanism: 'robots2' };
}

/** The URL in its normal form without fragment; undefined unless it is one of http or https. */
function readUrl(url: string): string | undefined {
	try {
		const { protocol, href, hash } = new URL(url);
		if (protocol !== 'https:' && protocol !== 'http:') return undefined;
		return hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length);
	} catch {
		return undefined;
	}
}

/** Never a permission: what cannot be read cannot be matched against a rule. */
function invalidUrl(use: Use, url: string): Verdict {
	const because: Evidence[] = [{ source: url, line: 0, text: 'invalid-url', mechanism: 'robots' }];
	return { effect: 'deny', use, permitted: false, obligations: {}, because, also: [], contradicts: [] };
}
