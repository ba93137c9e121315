import { parseItem } from '../../headers/index.ts';
import { type HeaderFields, headerValues } from '../../robots2/header-fields.ts';
import { namesOfAgent } from '../agent-names.ts';
import { isIndexer } from '../agent-roles.ts';
import { foldStatements } from '../fold.ts';
import type { Agent, Limits, Mechanism, MetaTag, PageSignals, Statement, Use } from '../types.ts';
import { defineVocabulary } from './vocabulary.ts';

/** `X-Robots-Tag`, `Robots-Tag` and robots meta tags. They only restrict. */
export const robotsTags = defineVocabulary({
	name: 'robots-tags',
	title: 'X-Robots-Tag',
	specification: 'draft-illyes-repext-03',
	problems: {},
	headers: [
		{ field: 'x-robots-tag', repeats: 'add', meta: 'robots' },
		{ field: 'robots-tag', repeats: 'add' },
	],
	prepare: ({ agent }) => ({
		response: (use, page) => (taggedUses.has(use) ? foldStatements(statementsOf(page, agent, use)) : []),
	}),
	publish: {
		option: 'xRobotsTag',
		statements(policy) {
			const rules = [
				...(policy.value('crawl', 'search-indexer') === 'no' ? ['noindex'] : []),
				...(policy.valueForAll('summarise') === 'no' ? ['nosnippet'] : []),
				...(policy.valueForAll('store') === 'no' ? ['noarchive'] : []),
				...(policy.valueForAll('train') === 'no' ? ['noai'] : []),
			];
			if (rules.length === 0) return undefined;
			const content = rules.join(', ');
			return { headers: { 'x-robots-tag': content }, meta: [{ name: 'robots', content }] };
		},
	},
});

interface TagEffect {
	readonly use: Use;
	/** Only for agents that build a search index. */
	readonly indexing?: true;
	/** Instead of forbidding the use. */
	readonly limits?: Limits;
}

/** The rules that speak to our uses ("Uses" in `docs/reference/interfaces.md`). */
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

function statementsOf({ source, headers = [], meta = [] }: PageSignals, agent: Agent, use: Use): Statement[] {
	const names = namesOfAgent(agent);
	const say =
		(mechanism: Mechanism) =>
		({ rule, line, text }: TagRule): Statement[] => {
			const tag = Object.hasOwn(tagEffects, rule) ? tagEffects[rule] : undefined;
			if (tag?.use !== use || (tag.indexing && !isIndexer(agent))) return [];
			const evidence = { source, line, text, mechanism };
			return [tag.limits ? { effect: 'silent', limits: tag.limits, evidence } : { effect: 'deny', evidence }];
		};
	return [
		...robotsTagRules(headers, names).flatMap(say('x-robots-tag')),
		...metaRules(meta, names).flatMap(say('meta-robots')),
	];
}

/** Rules whose value follows a colon: what stands before it is no agent. */
const ruleWithValue = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/**
 * The rules that `X-Robots-Tag` and `Robots-Tag` headers give an agent: those for all agents and its own together,
 * since rules only restrict. Names are compared case-insensitively; rules come lower-cased, `max-snippet:0` as written
 * here.
 */
export function robotsTagRules(headers: HeaderFields, names: readonly string[]): TagRule[] {
	const old = headerValues(headers, 'x-robots-tag').flatMap((value) =>
		withText(readTagRules(value, names), `X-Robots-Tag: ${value}`),
	);
	const values = headerValues(headers, 'robots-tag');
	if (values.length === 0) return old;
	const list = values.join(', ');
	return [...old, ...withText(readTagList(list, names), `Robots-Tag: ${list}`)];
}

const withText = (rules: readonly string[], text: string, line = 0): TagRule[] =>
	rules.map((rule) => ({ rule, text, line }));

/** The rules of `<meta name="robots">` and of meta tags that carry a name of the agent. */
export function metaRules(tags: readonly MetaTag[], names: readonly string[]): TagRule[] {
	return tags
		.filter(({ name }) => isNamed(name.trim(), ['robots', ...names]))
		.flatMap(({ name, content, line = 0 }) =>
			withText(content.toLowerCase().split(',').map(normalise), `<meta name="${name}" content="${content}">`, line),
		);
}

/** One rule and where it was read. */
export interface TagRule {
	readonly rule: string;
	readonly text: string;
	readonly line: number;
}

/** `[agent:] rule, rule…`; an agent holds until the next one, since HTTP joins repeated headers with commas. */
function readTagRules(value: string, names: readonly string[]): string[] {
	const rules: string[] = [];
	let ours = true;
	for (const part of value.toLowerCase().split(',')) {
		const colon = part.indexOf(':');
		const agent = part.slice(0, Math.max(colon, 0)).trim();
		const prefixed = agent !== '' && !/\s/.test(agent) && !ruleWithValue.test(agent);
		if (prefixed) ours = agent === '*' || isNamed(agent, names);
		if (ours) rules.push(normalise(prefixed ? part.slice(colon + 1) : part));
	}
	return rules;
}

/** UTF-16 units of `Robots-Tag` that are read; draft-illyes-repext-03 requires at least 8 KiB. */
const maxTagList = 16 * 1024;

/** Members of a list, each up to a comma outside quotation marks. */
const listMembers = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gs;

/**
 * `*;nosnippet, ExampleBot;max-snippet=0` (draft-illyes-repext-03): a List of Structured Fields with product tokens or
 * `*` as members and rules as parameters. The draft drops the whole field for one fault; here only the faulty member is
 * read in the form of `X-Robots-Tag`, since rules only restrict.
 */
function readTagList(list: string, names: readonly string[]): string[] {
	const members = list.slice(0, maxTagList).match(listMembers) ?? [];
	// The limit may have cut the last member.
	const whole = list.length > maxTagList ? members.slice(0, -1) : members;
	return whole.flatMap((member) => {
		const item = parseItem(member.trim());
		if (item?.type !== 'token' || item.params.size === 0) return readTagRules(member, names);
		if (item.value !== '*' && !isNamed(item.value, names)) return [];
		return [...item.params].flatMap(([rule, { type, value }]) => {
			if (type === 'boolean') return value === true ? [rule] : [];
			return [`${rule}:${String(value).toLowerCase()}`];
		});
	});
}

function normalise(rule: string): string {
	const [name = '', ...value] = rule.split(':');
	return value.length === 0 ? name.trim() : `${name.trim()}:${value.join(':').trim()}`;
}

function isNamed(written: string, names: readonly string[]): boolean {
	return names.some((name) => name.toLowerCase() === written.toLowerCase());
}
