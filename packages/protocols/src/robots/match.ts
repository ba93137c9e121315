import { agentKeys, wantedKeys } from './agents.ts';
import { normaliseEscapes, pathOfUrl, upperEscapes } from './escapes.ts';
import { findInvisible, withoutInvisible } from './invisible.ts';
import { type Reading, readings } from './modes.ts';
import { type IndexedRule, indexRule, RuleIndex } from './rule-index.ts';
import type { RobotsAgent, RobotsFile, RobotsGroup, RobotsRecord, RobotsRule, RobotsVerdict } from './types.ts';

/** The rules of a file for one agent, answered by index. */
export interface PreparedRobots {
	/** Whether a group names the agent, `*` speaks for it, or nothing does. */
	readonly selected: 'specific' | '*' | 'none';
	/** The `User-agent` lines that selected the groups. */
	readonly agents: readonly RobotsAgent[];
	/** All rules in force, in file order. */
	readonly rules: readonly RobotsRule[];
	/** The records written for these agents, `Crawl-delay` too. */
	readonly records: readonly RobotsRecord[];
	/** Seconds; the longest of the delays in force. */
	readonly crawlDelay: number | undefined;
	/** A URL, or its path and query. Linear in its length. */
	match(url: string): RobotsVerdict;
}

/**
 * Selects the groups for an agent (RFC 9309 §2.2.1) and arranges their rules for many questions.
 *
 * `agent` is a product token or a whole User-Agent header. Given several names, the first is the one that stands in for
 * all, and each further one counts only where a group names it: then both must permit.
 */
export function prepareRobots(file: RobotsFile, agent: string | readonly string[]): PreparedRobots {
	if (typeof agent === 'string') return prepareOne(file, agent);
	const [first = '', ...others] = agent;
	const named = others.map((name) => prepareOne(file, name)).filter(({ selected }) => selected === 'specific');
	return named.length === 0 ? prepareOne(file, first) : allMustPermit([prepareOne(file, first), ...named]);
}

/** Whether an agent may fetch a URL, and the rule that decides. Repeated questions share one index. */
export function matchRobots(file: RobotsFile, agent: string | readonly string[], url: string): RobotsVerdict {
	return prepareRobots(file, agent).match(url);
}

function allMustPermit(each: readonly PreparedRobots[]): PreparedRobots {
	const union = <Item>(pick: (one: PreparedRobots) => readonly Item[]): Item[] => [...new Set(each.flatMap(pick))];
	return {
		selected: 'specific',
		agents: union(({ agents }) => agents),
		rules: union(({ rules }) => rules),
		records: union(({ records }) => records),
		crawlDelay: longest(each.map(({ crawlDelay }) => crawlDelay)),
		match(url) {
			const verdicts = each.map((one) => one.match(url));
			return verdicts.find(({ allowed }) => !allowed) ?? verdicts[0]!;
		},
	};
}

const longest = (delays: readonly (number | undefined)[]): number | undefined =>
	delays.reduce((a, b) => (a === undefined || b! > a ? b : a), undefined);

/** The agent lines of one name, and the groups that they stand in. */
interface Selection {
	readonly agents: RobotsAgent[];
	readonly groups: Set<RobotsGroup>;
	prepared?: PreparedRobots;
}

/** By the keys of the agent lines; the empty key selects nothing. */
type Directory = Map<string, Selection>;

/** One per file, made when first asked. It grows with the names in the file, not with those that are asked for. */
const directories = new WeakMap<RobotsFile, Directory>();

function directoryOf(file: RobotsFile, reading: Reading): Directory {
	const known = directories.get(file);
	if (known !== undefined) return known;
	const directory: Directory = new Map([['', { agents: [], groups: new Set() }]]);
	directories.set(file, directory);
	for (const group of file.groups) {
		for (const agent of group.agents) {
			for (const key of agentKeys(agent.name, reading)) {
				const selection = directory.get(key) ?? { agents: [], groups: new Set() };
				directory.set(key, selection);
				selection.agents.push(agent);
				selection.groups.add(group);
			}
		}
	}
	return directory;
}

function prepareOne(file: RobotsFile, agent: string): PreparedRobots {
	const reading = readings[file.mode];
	const directory = directoryOf(file, reading);
	const [whole, cut] = wantedKeys(agent, reading);
	const specific = directory.get(whole) ?? directory.get(cut);
	const everybody = directory.get('*');
	const selection = specific ?? everybody ?? directory.get('')!;
	selection.prepared ??= prepareSelection(reading, selection, specific ? 'specific' : everybody ? '*' : 'none');
	return selection.prepared;
}

const freely: RobotsVerdict = { allowed: true };

function prepareSelection(
	reading: Reading,
	{ agents, groups }: Selection,
	selected: PreparedRobots['selected'],
): PreparedRobots {
	const rules = [...groups].flatMap((group) => group.rules);
	const chosen = new Set(agents);
	// Thousands of records may share one list of thousands of agents: each list is searched once.
	const lists = new Map<RobotsRecord['agents'], boolean>();
	const forThem = ({ agents: list }: RobotsRecord): boolean => {
		const known = lists.get(list) ?? list.some((agent) => chosen.has(agent));
		lists.set(list, known);
		return known;
	};
	const records = [...groups].flatMap((group) => group.records.filter(forThem));
	let index: RuleIndex | undefined;
	return {
		selected,
		agents,
		rules,
		records,
		crawlDelay: longest(records.map(({ seconds }) => seconds)),
		match(url) {
			const path = pathOfUrl(url);
			if (reading.robotsTxtAllowed && path === '/robots.txt') return freely;
			index ??= new RuleIndex(rules.flatMap((rule) => variantsOf(rule, reading)));
			const found = index.find(reading.escapesAsWritten ? path : normaliseEscapes(path));
			// An empty pattern restricts nothing (RFC 9309 §2.2.2).
			return found ? { allowed: found.rule.allow || found.length === 0, rule: found.rule } : freely;
		},
	};
}

/**
 * A rule; a `Disallow` without invisible blanks; and, as Google reads it, the folder of an allowed index page:
 * `/x/index.html` also matches `/x/$`.
 */
function variantsOf(rule: RobotsRule, { escapesAsWritten, indexPages, invisible }: Reading): IndexedRule[] {
	const itself = indexRule(rule, escapesAsWritten);
	if (invisible && !rule.allow && findInvisible(rule.pattern) >= 0) {
		const visible = withoutInvisible(rule.pattern);
		// Blanks only are an empty pattern, which restricts nothing.
		return visible === '' ? [itself] : [itself, indexRule(rule, escapesAsWritten, visible)];
	}
	if (!indexPages || !rule.allow) return [itself];
	const pattern = escapesAsWritten ? upperEscapes(rule.pattern) : rule.pattern;
	const slash = pattern.lastIndexOf('/');
	if (slash < 0 || !pattern.startsWith('/index.htm', slash)) return [itself];
	return [itself, indexRule(rule, escapesAsWritten, `${pattern.slice(0, slash + 1)}$`)];
}
