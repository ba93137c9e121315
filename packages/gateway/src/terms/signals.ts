import { agentCategories } from '@wayleave/protocols/identity';
import type { Use } from '@wayleave/protocols/policy';
import type { Config } from '../config/schema.ts';

/** What the vocabularies beside robots2.txt can say of a policy. Silence where they would say more, or less, than is meant. */
export interface Signals {
	/** The value of `Content-Usage` (AIPREF); undefined: nothing to say. */
	readonly contentUsage?: string;
	/** The value of `Content-Signal`. */
	readonly contentSignal?: string;
	/** 1: text and data mining is reserved; 0: it is not (TDMRep). */
	readonly tdmReservation?: 0 | 1;
	/** The rules of `X-Robots-Tag` and of meta robots. */
	readonly robotsTags: readonly string[];
	/** Seconds. */
	readonly crawlDelay?: number;
}

/**
 * Says in the other vocabularies what holds for every category alike, since none of them knows categories: what is not
 * the same for all, and `ask`, which none can say, stays with robots2.txt. So a reader of all of them comes to the
 * verdict of robots2.txt alone.
 */
export function signalsOf(config: Pick<Config, 'policy' | 'categories' | 'publish' | 'rate'>): Signals {
	const { publish } = config;
	const all = (use: Use) => valueForAll(config, use);
	const training = yesNo(all('train'));
	const input = all('read') === 'no' ? 'no' : all('read') === 'yes' && all('summarise') === 'yes' ? 'yes' : undefined;
	const search = yesNo(valueFor(config, 'search-indexer', 'crawl'));
	const signal = [
		['search', search],
		['ai-input', input],
		['ai-train', training],
	].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
	const reservation = reservationOf(config);
	const tags = [
		...(search === 'no' ? ['noindex'] : []),
		...(all('summarise') === 'no' ? ['nosnippet'] : []),
		...(all('store') === 'no' ? ['noarchive'] : []),
		...(training === 'no' ? ['noai'] : []),
	];
	const usage = [
		...(training ? [`train-ai=${training === 'yes' ? 'y' : 'n'}`] : []),
		...(search === 'no' ? ['search=n'] : []),
	];
	const delay = crawlDelayOf(config);
	return {
		...(publish.contentUsage && usage.length > 0 && { contentUsage: usage.join(', ') }),
		...(publish.contentSignal && signal.length > 0 && { contentSignal: signal.join(', ') }),
		...(publish.tdmrep && reservation !== undefined && { tdmReservation: reservation }),
		robotsTags: publish.xRobotsTag ? tags : [],
		...(delay !== undefined && { crawlDelay: delay }),
	};
}

/** The value of a directive for one category: its section's, else the global one (AMB-03). */
function valueFor({ policy, categories }: Pick<Config, 'policy' | 'categories'>, category: string, use: Use) {
	return categories[category as keyof typeof categories]?.[use] ?? policy[use];
}

/** The value of a directive where it is one and the same for everybody. */
function valueForAll(config: Pick<Config, 'policy' | 'categories'>, use: Use): string | undefined {
	const value = config.policy[use];
	return agentCategories.every((category) => valueFor(config, category, use) === value) ? value : undefined;
}

function yesNo(value: string | undefined): 'yes' | 'no' | undefined {
	return value === 'yes' || value === 'no' ? value : undefined;
}

/**
 * A reservation forbids training to everybody, and storing in a corpus to those who build one: agents that say
 * `data-harvester`, or nothing. It may only be made where the policy forbids all of that too.
 */
function reservationOf(config: Pick<Config, 'policy' | 'categories'>): 0 | 1 | undefined {
	const stores = [config.policy.store, valueFor(config, 'data-harvester', 'store')];
	const training = valueForAll(config, 'train');
	if (training === 'no' && stores.every((value) => value === 'no')) return 1;
	return training === 'yes' && stores.every((value) => value === 'yes') ? 0 : undefined;
}

/** Whole seconds, which is all that some readers of `Crawl-delay` know; nothing for a pace above one a second. */
function crawlDelayOf({ policy, rate }: Pick<Config, 'policy' | 'rate'>): number | undefined {
	const perMinute = Number(policy.rate ?? rate.default);
	return perMinute > 0 && perMinute <= 60 ? Math.ceil(60 / perMinute) : undefined;
}
