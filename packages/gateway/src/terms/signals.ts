import { agentCategories } from '@wayleave/protocols/identity';
import {
	type FileVocabulary,
	fileVocabularies,
	type MetaTag,
	type PolicyProblem,
	type PolicyView,
	type PublishOption,
	type Use,
	vocabularies,
} from '@wayleave/protocols/policy';
import type { Config } from '../config/schema.ts';

/**
 * A policy in the vocabularies beside robots2.txt. A vocabulary is silent where it would say more, or less, than the
 * policy: so a reader of all of them comes to the verdict of robots2.txt alone.
 */
export interface Signals {
	/** Lines of robots.txt for every group. */
	readonly records: readonly string[];
	/** Fields of every page, names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly meta: readonly MetaTag[];
	readonly files: readonly SignalFile[];
	readonly problems: readonly PolicyProblem[];
	/** Seconds. */
	readonly crawlDelay?: number;
}

/** The file of a vocabulary. */
export interface SignalFile {
	readonly vocabulary: FileVocabulary;
	readonly text: string;
}

type PolicyConfig = Pick<Config, 'policy' | 'categories' | 'publish' | 'rate' | 'origin'>;

export function signalsOf(config: PolicyConfig): Signals {
	const view = viewOf(config);
	const published = vocabularies.flatMap(({ name, publish }) => {
		const isOn = publish !== undefined && config.publish[publish.option as PublishOption];
		const statements = isOn ? publish.statements(view) : undefined;
		return statements === undefined ? [] : [{ name, statements }];
	});
	const delay = crawlDelayOf(config);
	return {
		records: published.flatMap(({ statements: { records = {} } }) =>
			Object.entries(records).map(([key, value]) => `${key}: ${value}`),
		),
		headers: Object.assign({}, ...published.map(({ statements }) => statements.headers)),
		meta: published.flatMap(({ statements: { meta = [] } }) => meta),
		files: fileVocabularies.flatMap((vocabulary) => {
			const text = published.find(({ name }) => name === vocabulary.name)?.statements.file;
			return text === undefined ? [] : [{ vocabulary, text }];
		}),
		problems: published.flatMap(({ statements: { problems = [] } }) => problems as readonly PolicyProblem[]),
		...(delay !== undefined && { crawlDelay: delay }),
	};
}

function viewOf({ policy, categories, origin }: PolicyConfig): PolicyView {
	// A section replaces single directives of the general policy.
	const value = (use: Use, category?: string): string | undefined =>
		categories[category as keyof typeof categories]?.[use] ?? policy[use];
	return {
		value,
		valueForAll: (use) =>
			agentCategories.every((category) => value(use, category) === policy[use]) ? policy[use] : undefined,
		policyUrl: `${origin}/robots2.txt`,
	};
}

/** Whole seconds, which is all that some readers of `Crawl-delay` know; nothing for a pace above one a second. */
function crawlDelayOf({ policy, rate }: Pick<Config, 'policy' | 'rate'>): number | undefined {
	const perMinute = Number(policy.rate ?? rate.default);
	return perMinute > 0 && perMinute <= 60 ? Math.ceil(60 / perMinute) : undefined;
}
