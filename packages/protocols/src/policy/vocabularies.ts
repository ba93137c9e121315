import { prepareRobots } from '../robots/index.ts';
import type { SignalName } from './content-signal.ts';
import { licencesOfHeaders, licencesOfRobots, sayLicence } from './licences.ts';
import { isIndexer, saySignalHeader, sayTags, sayUsageHeader } from './page-signals.ts';
import { type PathFile, ruleEvidence } from './path-files.ts';
import { prepareReservations, sayReservation } from './reservation.ts';
import type { Agent, HostPolicies, PageSignals, Statement, Use } from './types.ts';
import { prepareUsageRecords } from './usage-records.ts';

/** What the vocabularies beside robots2.txt say about a use. */
export type Vocabularies = (use: Use, url: string, page: PageSignals | undefined) => Statement[];

/** The signal of Content-Signal, and the RSL terms, behind a use ("Uses" in `docs/interfaces.md`). */
const signalOf: Readonly<Partial<Record<Use, SignalName>>> = {
	crawl: 'search',
	read: 'ai-input',
	summarise: 'ai-input',
	train: 'ai-train',
};

/** Reads the records of the files once; what a response says about itself comes with each question. */
export function prepareVocabularies(policies: HostPolicies, agent: Agent, files: readonly PathFile[]): Vocabularies {
	const records = files.map(prepareUsageRecords);
	const licences = files.flatMap(({ source, file }) => licencesOfRobots(source, file)).map(sayLicence);
	const reservations = prepareReservations(policies.tdmrep);
	const reserved =
		(agent.buildsCorpus ?? buildsCorpus(agent)) ? new Set<Use>(['train', 'store']) : new Set<Use>(['train']);
	const byToken = prepareUsageTokens(agent, files);

	return (use, url, page) => {
		const signal = use === 'crawl' && !isIndexer(agent) ? undefined : signalOf[use];
		return [
			...(use === 'train' ? records.flatMap(({ training }) => training(url)) : []),
			...(signal ? [...records.flatMap((each) => each.signal(signal)), ...licences] : []),
			...(reserved.has(use) ? sayReservation(reservations, page, url) : []),
			...byToken(use, url),
			...(page ? sayPage(page, agent, use, signal) : []),
		];
	};
}

function sayPage(page: PageSignals, agent: Agent, use: Use, signal: SignalName | undefined): Statement[] {
	const licences = signal ? [...licencesOfHeaders(page), ...(page.licences ?? [])] : [];
	return [
		...(use === 'train' ? sayUsageHeader(page) : []),
		...(signal ? saySignalHeader(page, signal) : []),
		...sayTags(page, agent, use),
		...licences.map(sayLicence),
	];
}

function buildsCorpus({ categories = [] }: Agent): boolean {
	return categories.length === 0 || categories.includes('data-harvester');
}

/**
 * A group for a token that never fetches, such as Google-Extended, says what its operator may do with what it has
 * fetched under another name: train, and answer from it.
 */
function prepareUsageTokens({ usageTokens = [] }: Agent, files: readonly PathFile[]) {
	const groups = files.flatMap(({ source, mechanism, file }) =>
		usageTokens
			.map((token) => ({ source, mechanism, rules: prepareRobots(file, token) }))
			.filter(({ rules }) => rules.selected === 'specific'),
	);
	return (use: Use, url: string): Statement[] => {
		if (use !== 'train' && use !== 'summarise') return [];
		return groups.flatMap(({ source, mechanism, rules }) => {
			const { allowed, rule } = rules.match(url);
			return allowed ? [] : [{ effect: 'deny' as const, evidence: ruleEvidence(source, mechanism, rule) }];
		});
	};
}
