import type { Evidence } from '../evidence.ts';
import { directive, type EffectivePolicy, effectivePolicy } from '../robots2/index.ts';
import { prepareAccess } from './access.ts';
import { combine } from './combine.ts';
import { prepareOperator } from './operator.ts';
import { isMissing, longestDelay, preparePathFiles } from './path-files.ts';
import { obligationsOf, sayDirective } from './robots2-voice.ts';
import type { Agent, AskRecord, HostPolicies, Obligations, PageSignals, Statement, Use, Verdict } from './types.ts';
import { needRead } from './uses.ts';
import { prepareVocabularies } from './vocabularies.ts';

/** What belongs to one question rather than to the host. */
export interface Occasion {
	/** What the response itself says, once there is one. */
	readonly page?: PageSignals;
	/** The answers that hold now; those of the host policies when absent. */
	readonly asks?: readonly AskRecord[];
	/** The content comes from the SOM endpoint that the robots.txt of this host declares (AMB-04). */
	readonly representation?: 'som';
}

/** The terms of a host for one agent, arranged for many questions. */
export interface PreparedPolicies {
	/** What robots2.txt states for this agent; empty without one. */
	readonly effective: EffectivePolicy;
	readonly obligations: Obligations;
	/** Seconds; the longest `Crawl-delay` of the groups that are in force. */
	readonly crawlDelay?: number;
	/** The line that sets it. */
	readonly crawlDelayLine?: Evidence;
	decide(use: Use, url: string | URL, occasion?: Occasion): Verdict;
}

/** Prepares the policies of a host for one agent: what does not depend on the URL is worked out once. */
export function preparePolicies(policies: HostPolicies, asked: Agent): PreparedPolicies {
	const agent = { ...asked, categories: (asked.categories ?? []).map((category) => category.toLowerCase()) };
	const { robots2 } = policies;
	const chain = robots2 && !isMissing(robots2) ? robots2.files : [];
	const files = preparePathFiles(policies, agent);
	const effective = effectivePolicy(chain, agent);
	const obligations = obligationsOf(effective);
	const access = prepareAccess(policies, agent, effective, files);
	const vocabularies = prepareVocabularies(policies, agent, files);
	const operator = prepareOperator(policies.operator ?? [], agent);
	return {
		effective,
		obligations,
		...longestDelay(files),
		decide(use, url, { page, asks = policies.asks ?? [], representation } = {}) {
			const href = readUrl(url);
			if (href === undefined) return invalidUrl(use, String(url));
			const say = (name: Use) => sayDirective(effective, name, agent, asks, href);
			const toFetch = [...access(href, representation === 'som'), ...say('crawl'), ...operator('crawl', href)];
			const toRead = needRead.has(use) ? say('read') : [];
			const own = use === 'crawl' ? toFetch : [...say(use), ...operator(use, href)];
			const silent = chain.length > 0 && effective[use] === undefined && directive(use).silentIsNo;
			return combine({
				use,
				gates: [...(use === 'crawl' ? [] : toFetch), ...toRead].filter(isRestrictive),
				statements: [...own, ...vocabularies(use, href, page)],
				obligations,
				...(silent && { silence: sayNothing(use, chain[0]!.source) }),
			});
		},
	};
}

const isRestrictive = ({ effect }: Statement) => effect === 'deny' || effect === 'ask';

function sayNothing(use: Use, source: string): Evidence {
	return { source, line: 0, text: `${use} is not stated`, mechanism: 'robots2' };
}

/** The URL in its normal form without fragment; undefined unless it is one of http or https. */
function readUrl(url: string | URL): string | undefined {
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
