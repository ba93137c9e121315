import { wantedKeys } from './agents.ts';
import { Keeper, type Selection, selectionOf } from './directory.ts';
import { normaliseEscapes, pathOfUrl } from './escapes.ts';
import { type Reading, readings } from './modes.ts';
import { RuleIndex } from './rule-index.ts';
import { tryRules, variantsOf } from './try-rules.ts';
import type { PreparedRobots, RobotsFile, RobotsRecord, RobotsVerdict } from './types.ts';

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
			return each.map((one) => one.match(url)).reduce((a, b) => (!a.allowed || b.allowed ? a : b));
		},
	};
}

const longest = (delays: readonly (number | undefined)[]): number | undefined =>
	delays.reduce((a, b) => (a === undefined || (b ?? a) > a ? b : a), undefined);

function prepareOne(file: RobotsFile, agent: string): PreparedRobots {
	const reading = readings[file.mode];
	const [whole, cut] = wantedKeys(agent, reading);
	const directory = Keeper.directoryFor(file, whole);
	const specific = directory.get(whole) ?? directory.get(cut);
	const everybody = directory.get('*');
	const selection = specific ?? everybody ?? selectionOf(directory, '');
	selection.prepared ??= prepareSelection(reading, selection, specific ? 'specific' : everybody ? '*' : 'none');
	return selection.prepared;
}

/** An index costs about as much as this many questions without one. */
const questionsTried = 8;

const freely: RobotsVerdict = { allowed: true };

function prepareSelection(
	reading: Reading,
	selection: Selection,
	selected: PreparedRobots['selected'],
): PreparedRobots {
	const { agents, groups } = selection;
	const [first, ...others] = groups;
	const rules = others.length === 0 ? (first?.rules ?? []) : groups.flatMap((group) => group.rules);
	const records = recordsFor(selection);
	let asked = 0;
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
			const octets = reading.escapesAsWritten ? path : normaliseEscapes(path);
			if (asked++ === questionsTried) index = new RuleIndex(rules.flatMap((rule) => variantsOf(rule, reading)));
			const found = index ? index.find(octets) : tryRules(rules, reading, octets);
			// An empty pattern restricts nothing (RFC 9309 §2.2.2).
			return found ? { allowed: found.rule.allow || found.length === 0, rule: found.rule } : freely;
		},
	};
}

/** The records that speak to the agents of a selection. */
function recordsFor({ agents, groups }: Selection): RobotsRecord[] {
	const found: RobotsRecord[] = [];
	if (groups.every(({ records }) => records.length === 0)) return found;
	const chosen = new Set(agents);
	// Thousands of records may share one list of thousands of agents: each list is searched once.
	let last: RobotsRecord['agents'] | undefined;
	let isForThem = false;
	for (const { records } of groups) {
		for (const record of records) {
			if (record.agents !== last) isForThem = record.agents.some((agent) => chosen.has(agent));
			last = record.agents;
			if (isForThem) found.push(record);
		}
	}
	return found;
}
