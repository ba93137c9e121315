import type { Evidence, Mechanism } from '../evidence.ts';
import { namesOfAgent } from './agent-names.ts';
import { parseContentSignal, type SignalName } from './content-signal.ts';
import { parseContentUsage, type UsageCategory } from './content-usage.ts';
import { leveledUses, sayLevel, sayLevels } from './levels.ts';
import { metaRules, robotsTagRules, type TagRule } from './robots-tags.ts';
import { signalValues } from './signal-fields.ts';
import type { Agent, Limits, PageSignals, Statement, Use } from './types.ts';

/** Statements of a response's `Content-Usage` about a category; several headers are one dictionary (RFC 9651 §4.2). */
export function sayUsageHeader({ source, headers = [] }: PageSignals, category: UsageCategory): Statement[] {
	const values = signalValues(headers, 'content-usage');
	if (values.length === 0) return [];
	const text = values.join(', ');
	const said = parseContentUsage(text).value[category];
	return said ? [{ effect: said, evidence: evidence(source, 0, `Content-Usage: ${text}`, 'content-usage') }] : [];
}

/** What `Content-Signal` of a response says. */
export function saySignalHeader({ source, headers = [] }: PageSignals, name: SignalName): Statement[] {
	return signalValues(headers, 'content-signal').flatMap((text) => {
		const said = parseContentSignal(text).value[name];
		return said ? [{ effect: said, evidence: evidence(source, 0, `Content-Signal: ${text}`, 'content-signal') }] : [];
	});
}

/** Statements of the levels in a response's `Content-Signal`. */
export function sayLevelHeader({ source, headers = [] }: PageSignals, use: Use): Statement[] {
	if (!leveledUses.has(use)) return [];
	const levels = signalValues(headers, 'content-signal').flatMap((text) =>
		sayLevel(parseContentSignal(text).value.use, evidence(source, 0, `Content-Signal: ${text}`, 'content-signal')),
	);
	return sayLevels(levels, use);
}

interface TagEffect {
	readonly use: Use;
	/** Only for agents that build a search index. */
	readonly indexing?: true;
	/** Instead of forbidding the use. */
	readonly limits?: Limits;
}

/** The rules of X-Robots-Tag and meta robots that speak to our uses ("Uses" in `docs/interfaces.md`). */
const tagEffects: Readonly<Record<string, TagEffect>> = {
	noindex: { use: 'crawl', indexing: true },
	none: { use: 'crawl', indexing: true },
	nosnippet: { use: 'summarise' },
	'max-snippet:0': { use: 'summarise' },
	noarchive: { use: 'store' },
	noai: { use: 'train' },
	noimageai: { use: 'train', limits: { images: false } },
};

const taggedUses: ReadonlySet<Use> = new Set(Object.values(tagEffects).map(({ use }) => use));

/** Statements of X-Robots-Tag and Robots-Tag headers and meta tags about a use. They only restrict. */
export function sayTags({ source, headers = [], meta = [] }: PageSignals, agent: Agent, use: Use): Statement[] {
	if (!taggedUses.has(use)) return [];
	const names = namesOfAgent(agent);
	const say = (mechanism: Mechanism) => (rule: TagRule) => {
		const effect = Object.hasOwn(tagEffects, rule.rule) ? tagEffects[rule.rule]! : undefined;
		if (effect?.use !== use || (effect.indexing && !isIndexer(agent))) return [];
		return [tagStatement(effect, evidence(source, rule.line, rule.text, mechanism))];
	};
	return [
		...robotsTagRules(headers, names).flatMap(say('x-robots-tag')),
		...metaRules(meta, names).flatMap(say('meta-robots')),
	];
}

function tagStatement({ limits }: TagEffect, said: Evidence): Statement {
	return limits ? { effect: 'silent', limits, evidence: said } : { effect: 'deny', evidence: said };
}

export function isIndexer({ categories = [] }: Agent): boolean {
	return categories.includes('search-indexer');
}

/** An agent without another role. */
export function onlyIndexes(agent: Agent): boolean {
	return isIndexer(agent) && agent.categories?.every((category) => category === 'search-indexer') === true;
}

export function evidence(source: string, line: number, text: string, mechanism: Mechanism): Evidence {
	return { source, line, text, mechanism };
}
