import { prepareRobots } from '../robots/index.ts';
import type { SignalName } from './content-signal.ts';
import type { UsageCategory } from './content-usage.ts';
import { fold, foldStatements } from './fold.ts';
import { sayLevels } from './levels.ts';
import { licencesOfHeaders, licencesOfRobots, sayLicence } from './licences.ts';
import { isIndexer, onlyIndexes, sayLevelHeader, saySignalHeader, sayTags, sayUsageHeader } from './page-signals.ts';
import { type PathFile, ruleEvidence } from './path-files.ts';
import { prepareReservations, sayReservation } from './reservation.ts';
import type { Agent, HostPolicies, PageSignals, Statement, Use } from './types.ts';
import { prepareUsageRecords } from './usage-records.ts';
import { needRead } from './uses.ts';

/** What the vocabularies beside robots2.txt say about a use. */
export type Vocabularies = (use: Use, url: string, page: PageSignals | undefined) => Statement[];

/** Statements of the vocabularies about a use, in their own words for it ("Uses" in `docs/interfaces.md`). */
interface Words {
	readonly signal?: SignalName;
	/** Its yes permits nothing: the signal is about another use that this one needs. */
	readonly onlyDenies?: true;
	readonly category?: UsageCategory;
}

function wordsFor(use: Use, agent: Agent): Words {
	if (use === 'crawl') return isIndexer(agent) ? { signal: 'search', category: 'search' } : {};
	if (use === 'train') return { signal: 'ai-train', category: 'train-ai' };
	if (use === 'read' || use === 'summarise') return { signal: 'ai-input' };
	// An excerpt in search results belongs to `search`.
	if (!needRead.has(use) || (use === 'quote' && onlyIndexes(agent))) return {};
	return { signal: 'ai-input', onlyDenies: true };
}

/** Reads the records of the files once; what a response says about itself comes with each question. */
export function prepareVocabularies(policies: HostPolicies, agent: Agent, files: readonly PathFile[]): Vocabularies {
	const records = files.map(prepareUsageRecords);
	const licences = fold(
		files
			.flatMap(({ source, file }) => licencesOfRobots(source, file))
			.map((each) => ({ ...sayLicence(each), ...each })),
		({ url, source }) => `${source} ${url}`,
	).map(({ effect, evidence }): Statement => ({ effect, evidence }));
	const levels = records.flatMap((each) => each.levels);
	const reservations = prepareReservations(policies.tdmrep);
	const reserved =
		(agent.buildsCorpus ?? buildsCorpus(agent)) ? new Set<Use>(['train', 'store']) : new Set<Use>(['train']);
	const byToken = prepareUsageTokens(agent, files);

	return (use, url, page) => {
		const words = wordsFor(use, agent);
		const { signal, category, onlyDenies } = words;
		const said = [
			...(category ? records.flatMap((each) => each.usage(category, url)) : []),
			...(signal ? records.flatMap((each) => each.signal(signal)) : []),
			...sayLevels(levels, use),
			...(signal && !onlyDenies ? licences : []),
			...(reserved.has(use) ? sayReservation(reservations, page, url) : []),
			...byToken(use, url),
			...(page ? foldStatements(sayPage(page, agent, use, words)) : []),
			...(page && signal && !onlyDenies ? sayLicences(page) : []),
		];
		return onlyDenies ? said.filter(({ effect }) => effect !== 'allow') : said;
	};
}

function sayPage(page: PageSignals, agent: Agent, use: Use, { signal, category }: Words): Statement[] {
	return [
		...(category ? sayUsageHeader(page, category) : []),
		...(signal ? saySignalHeader(page, signal) : []),
		...sayLevelHeader(page, use),
		...sayTags(page, agent, use),
	];
}

function sayLicences(page: PageSignals): Statement[] {
	return [...licencesOfHeaders(page), ...(page.licences ?? [])].map(sayLicence);
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
