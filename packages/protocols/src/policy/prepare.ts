import type { Evidence } from '../evidence.ts';
import { type PreparedRobots, prepareRobots } from '../robots/index.ts';
import { directive, type EffectivePolicy, effectivePolicy } from '../robots2/index.ts';
import { isMissing, namesOf, prepareAccess } from './access.ts';
import { combine } from './combine.ts';
import type { SignalName } from './content-signal.ts';
import { licencesOfHeaders, licencesOfRobots, sayLicence } from './licences.ts';
import { prepareOperator } from './operator.ts';
import { isIndexer, saySignalHeader, sayTags, sayUsageHeader } from './page-signals.ts';
import { prepareReservations, sayReservation } from './reservation.ts';
import { obligationsOf, sayDirective } from './robots2-voice.ts';
import type { Agent, AskRecord, HostPolicies, Obligations, PageSignals, Statement, Use, Verdict } from './types.ts';
import { prepareUsageRecords } from './usage-records.ts';

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
	/** Seconds; `Crawl-delay` of the groups of robots.txt that are in force. */
	readonly crawlDelay?: number;
	/** The line that sets it. */
	readonly crawlDelayLine?: Evidence;
	decide(use: Use, url: string | URL, occasion?: Occasion): Verdict;
}

/** Uses that need the content to be read first; `read: no` forbids them too (AMB-02). */
const needRead: ReadonlySet<Use> = new Set([
	'summarise',
	'quote',
	'derivative',
	'train',
	'compete',
	'personalise',
	'monetise',
]);

/** The signal of Content-Signal behind a use ("Uses" in `docs/interfaces.md`). */
const signalOf: Readonly<Partial<Record<Use, SignalName>>> = {
	crawl: 'search',
	read: 'ai-input',
	summarise: 'ai-input',
	train: 'ai-train',
};

/** Prepares the policies of a host for one agent: what does not depend on the URL is worked out once. */
export function preparePolicies(policies: HostPolicies, agent: Agent): PreparedPolicies {
	const { robots, robots2 } = policies;
	const files = robots2 && !isMissing(robots2) ? robots2.files : [];
	const effective = effectivePolicy(files, agent);
	const obligations = obligationsOf(effective);
	const access = prepareAccess(policies, agent, effective);
	const operator = prepareOperator(policies.operator ?? [], agent);
	const reservations = prepareReservations(policies.tdmrep);
	const rules = robots && !isMissing(robots) ? prepareRobots(robots.file, namesOf(agent)) : undefined;
	const records =
		rules && robots && !isMissing(robots) ? prepareUsageRecords(robots.source, robots.file, rules) : undefined;
	const licences = robots && !isMissing(robots) ? licencesOfRobots(robots.source, robots.file) : [];
	const minesText = agent.buildsCorpus ?? minesByDefault(agent);

	/** What the vocabularies beside robots2.txt say about a use. */
	function sayVocabularies(use: Use, url: string, page: PageSignals | undefined): Statement[] {
		const signal = use === 'crawl' && !isIndexer(agent) ? undefined : signalOf[use];
		return [
			...(use === 'train' ? [...(records?.training(url) ?? []), ...(page ? sayUsageHeader(page) : [])] : []),
			...(signal ? [...(records?.signal(signal) ?? []), ...(page ? saySignalHeader(page, signal) : [])] : []),
			...(use === 'train' || (use === 'store' && minesText) ? sayReservation(reservations, page, url) : []),
			...(page ? sayTags(page, agent, use) : []),
			...(signal
				? [...licences, ...(page ? [...licencesOfHeaders(page), ...(page.licences ?? [])] : [])].map(sayLicence)
				: []),
		];
	}

	return {
		effective,
		obligations,
		...(rules && robots && delayOf(rules, robots.source)),
		decide(use, url, { page, asks = policies.asks ?? [], representation } = {}) {
			const href = readUrl(url);
			if (href === undefined) return invalidUrl(use, String(url));
			const say = (name: Use) => sayDirective(effective, name, agent, asks, href);
			const toFetch = [...access(href, representation === 'som'), ...say('crawl'), ...operator('crawl', href)];
			const toRead = needRead.has(use) ? say('read') : [];
			const own = use === 'crawl' ? toFetch : [...say(use), ...operator(use, href)];
			const silent = files.length > 0 && effective[use] === undefined && directive(use).silentIsNo;
			return combine({
				use,
				gates: [...(use === 'crawl' ? [] : toFetch), ...toRead].filter(isRestrictive),
				statements: [...own, ...sayVocabularies(use, href, page)],
				obligations,
				...(silent && { silence: sayNothing(use, files[0]!.source) }),
			});
		},
	};
}

function delayOf({ crawlDelay, records }: PreparedRobots, source: string) {
	const record = records.find(
		({ key, value }) => key.toLowerCase() === 'crawl-delay' && Number.parseFloat(value) === crawlDelay,
	);
	if (crawlDelay === undefined || !record) return {};
	const { line, column, text } = record;
	return { crawlDelay, crawlDelayLine: { source, line, column, text: text.trim(), mechanism: 'robots' as const } };
}

const isRestrictive = ({ effect }: Statement) => effect === 'deny' || effect === 'ask';

function minesByDefault({ categories = [] }: Agent): boolean {
	return categories.length === 0 || categories.includes('data-harvester');
}

function sayNothing(use: Use, source: string): Evidence {
	return { source, line: 0, text: `${use} is not stated`, mechanism: 'robots2' };
}

/** The URL in its normal form without fragment; undefined unless it is one of http or https. */
function readUrl(url: string | URL): string | undefined {
	if (!URL.canParse(String(url))) return undefined;
	const parsed = new URL(url);
	parsed.hash = '';
	return /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

/** Never a permission: what cannot be read cannot be matched against a rule. */
function invalidUrl(use: Use, url: string): Verdict {
	const because: Evidence[] = [{ source: url, line: 0, text: 'invalid-url', mechanism: 'robots' }];
	return { effect: 'deny', use, permitted: false, obligations: {}, because, also: [], contradicts: [] };
}
