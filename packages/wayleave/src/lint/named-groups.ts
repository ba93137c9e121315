import { parseContentSignal, parseUsageRule } from '@wayleave/protocols/policy';
import {
	type PreparedRobots,
	prepareRobots,
	type RobotsAgent,
	type RobotsFile,
	type RobotsGroup,
	type RobotsRecord,
} from '@wayleave/protocols/robots';
import { type LintProblem, lintProblems } from './problems.ts';

/** Enough for every honest file; more would make a crafted one slow to check. */
const maxGroups = 500;
const maxRules = 500;
const maxShown = 3;

type Code = 'lint-group-frees' | 'lint-group-drops-signal' | 'lint-names-beside-star';

/**
 * Groups for named agents that lack what the group for `*` forbids: a group of its own replaces that one (RFC 9309
 * §2.2.1), which authors often do not expect. Not reported is what a named group says itself: an `Allow`, an empty
 * `Disallow`, a signal of its own.
 */
export function checkNamedGroups(file: RobotsFile): LintProblem[] {
	const everybody = prepareRobots(file, '*');
	const general = everybody.selected === '*' ? { everybody, withheld: withheldBy(everybody) } : undefined;
	return file.groups.slice(0, maxGroups).flatMap((group) => {
		const beside = checkNamesBesideStar(group);
		if (beside !== undefined) return [beside];
		return general === undefined
			? []
			: [...checkPaths(file, group, general.withheld), ...checkSignals(file, group, everybody)];
	});
}

interface Withheld {
	readonly pattern: string;
	/** A path that the pattern matches, and that `*` may not fetch. */
	readonly sample: string;
	readonly line: number;
}

function withheldBy(everybody: PreparedRobots): Withheld[] {
	return everybody.rules
		.filter(({ allow, pattern }) => !allow && pattern !== '')
		.slice(0, maxRules)
		.map(({ pattern, line }) => ({ pattern, line, sample: sampleOf(pattern) }))
		.filter(({ sample }) => !everybody.match(sample).allowed);
}

function sampleOf(pattern: string): string {
	const path = pattern.replace(/\$$/, '').replaceAll('*', 'x');
	return path.startsWith('/') ? path : `/${path}`;
}

/** The agents of a group to which something does not apply, with the group for everybody replaced. */
function named(file: RobotsFile, { agents }: RobotsGroup): { agent: RobotsAgent; own: PreparedRobots }[] {
	return agents
		.map((agent) => ({ agent, own: prepareRobots(file, agent.name) }))
		.filter(({ own }) => own.selected === 'specific' && !isClosed(own));
}

/** An agent that may fetch nothing loses nothing. */
function isClosed({ rules, match }: PreparedRobots): boolean {
	return !match('/').allowed && !rules.some(({ allow }) => allow);
}

function checkPaths(file: RobotsFile, group: RobotsGroup, withheld: readonly Withheld[]): LintProblem[] {
	const lost = named(file, group).flatMap(({ agent, own }) => {
		const freed = withheld.filter(({ sample }) => own.match(sample).rule === undefined);
		return freed.length === 0 ? [] : [{ agent, freed }];
	});
	const [first] = lost;
	if (first === undefined) return [];
	const names = listed(lost.map(({ agent }) => agent.name));
	const patterns = listed(first.freed.map(({ pattern }) => pattern));
	return [problemAt('lint-group-frees', first.agent, { names, patterns, first: first.freed[0]?.line ?? 0 })];
}

function checkSignals(file: RobotsFile, group: RobotsGroup, everybody: PreparedRobots): LintProblem[] {
	const general = statementsOf(everybody.records);
	const always = statementsOf(file.records.filter((record) => record.group === undefined));
	const denied = [...general].filter(([about, { isDenied }]) => isDenied && always.get(about)?.isDenied !== true);
	const lost = named(file, group).flatMap(({ agent, own }) => {
		const said = statementsOf(own.records);
		const dropped = denied.filter(([about]) => !said.has(about));
		return dropped.length === 0 ? [] : [{ agent, dropped }];
	});
	const [first] = lost;
	if (first === undefined) return [];
	const records = [...new Set(first.dropped.map(([, { record }]) => record))];
	const args = {
		names: listed(lost.map(({ agent }) => agent.name)),
		signals: listed(records.map(({ key, value }) => `${key}: ${value}`)),
		first: records[0]?.line ?? 0,
	};
	return [problemAt('lint-group-drops-signal', first.agent, args)];
}

interface Statement {
	readonly isDenied: boolean;
	readonly record: RobotsRecord;
}

/** What usage records say, by what it is about: both vocabularies have a word for training. */
function statementsOf(records: readonly RobotsRecord[]): ReadonlyMap<string, Statement> {
	const found = new Map<string, Statement>();
	for (const record of records) {
		const preferences =
			record.key.toLowerCase() === 'content-signal'
				? parseContentSignal(record.value).value
				: record.key.toLowerCase() === 'content-usage'
					? parseUsageRule(record.value).value.preferences
					: {};
		for (const [name, effect] of Object.entries(preferences)) {
			const about = name === 'ai-train' ? 'train-ai' : name;
			if (found.get(about)?.isDenied !== true) found.set(about, { isDenied: effect === 'deny', record });
		}
	}
	return found;
}

function checkNamesBesideStar({ agents, rules }: RobotsGroup): LintProblem | undefined {
	const star = agents.find(({ name }) => /^\*(?:\s|$)/.test(name));
	const others = agents.filter((agent) => !/^\*(?:\s|$)/.test(agent.name) && agent.name !== '');
	if (star === undefined || others.length === 0) return undefined;
	const closes = rules.some(({ allow, pattern }) => !allow && (pattern === '/' || pattern === '/*'));
	const follows = closes ? ': it closes the site to everybody' : '';
	return problemAt('lint-names-beside-star', star, { names: listed(others.map(({ name }) => name)), follows });
}

function listed(texts: readonly string[]): string {
	const distinct = [...new Set(texts)];
	const more = distinct.length - maxShown;
	const shown = distinct
		.slice(0, maxShown)
		.map((text) => text.slice(0, 60))
		.join(', ');
	return more > 0 ? `${shown} and ${more} more` : shown;
}

function problemAt(code: Code, { line, column }: RobotsAgent, args: LintProblem['args']): LintProblem {
	return { code, severity: lintProblems[code].severity, line, column, args };
}
