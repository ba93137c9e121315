import type { Problem } from '../problem.ts';
import { createLintReport } from './lint-report.ts';
import { prepareRobots } from './match.ts';
import type { RobotsCode } from './problems.ts';
import { recordEffects } from './record-effects.ts';
import type { Report } from './report.ts';
import type { PreparedRobots, RobotsAgent, RobotsFile, RobotsGroup, RobotsRecord } from './types.ts';

/** Enough for honest files; a higher limit would make a crafted one slow to check. */
const maxGroups = 200;
const maxRules = 100;
/** Authors of groups with more rules than this had the other groups in mind. */
const maxOwnRules = 2;
/** All agents of a list share its rules. */
const maxAgents = 10;
const maxShown = 3;

/**
 * Groups for named agents that lack prohibitions of the group for `*`: a named group replaces that one (RFC 9309
 * §2.2.1), which authors often do not expect. Not reported if the named group decides itself: with rules of its own, an
 * empty `Disallow`, or its own signal.
 */
export function checkNamedGroups(file: RobotsFile, report: Report): void {
	const everybody = prepareRobots(file, '*');
	const withheld = withheldBy(everybody);
	const denied = deniedSignals(file, everybody);
	for (const group of file.groups.slice(0, maxGroups)) {
		if (checkNamesBesideStar(group, report) || everybody.selected !== '*') continue;
		if (group.rules.length === 0) checkPaths(file, group, withheld, report);
		checkSignals(file, group, denied, report);
	}
}

/**
 * Groups with rules of their own that lack paths of the group for `*`. Many are written so on purpose, so the report is
 * a remark, one per file.
 */
export function checkOwnRules(file: RobotsFile): Problem<RobotsCode>[] {
	const everybody = prepareRobots(file, '*');
	if (everybody.selected !== '*') return [];
	const withheld = withheldBy(everybody);
	for (const group of file.groups.slice(0, maxGroups)) {
		if (group.rules.length === 0 || group.rules.length > maxOwnRules || group.agents.some(isStar)) continue;
		const report = createLintReport();
		checkPaths(file, group, withheld, report, 'info');
		const found = report.close();
		if (found.length > 0) return found;
	}
	return [];
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

/** The agents of a group to which something does not apply, because the group replaces the one for `*`. */
function named(file: RobotsFile, { agents }: RobotsGroup): { agent: RobotsAgent; own: PreparedRobots }[] {
	return agents
		.slice(0, maxAgents)
		.map((agent) => ({ agent, own: prepareRobots(file, agent.name) }))
		.filter(({ own }) => own.selected === 'specific' && !isClosed(own));
}

/** An agent that may fetch nothing loses nothing. */
function isClosed({ rules, match }: PreparedRobots): boolean {
	return !match('/').allowed && !rules.some(({ allow }) => allow);
}

function checkPaths(
	file: RobotsFile,
	group: RobotsGroup,
	withheld: readonly Withheld[],
	report: Report,
	severity?: 'info',
): void {
	const lost = named(file, group).flatMap(({ agent, own }) => {
		const freed = withheld.filter(({ sample }) => own.rules.length === 0 || own.match(sample).rule === undefined);
		return freed.length === 0 ? [] : [{ agent, freed }];
	});
	const [first] = lost;
	if (first === undefined) return;
	const names = listed(lost.map(({ agent }) => agent.name));
	const patterns = listed(first.freed.map(({ pattern }) => pattern));
	const args = { names, patterns, first: first.freed[0]?.line ?? 0 };
	report.add('lint-group-frees', first.agent.line, first.agent.column, args, severity);
}

/** Prohibitions of the group for `*` in a vocabulary that are not also stated above all groups. */
function deniedSignals(file: RobotsFile, everybody: PreparedRobots): (readonly [string, Statement])[] {
	const general = statementsOf(everybody.records);
	const always = statementsOf(file.records.filter((record) => record.group === undefined));
	return [...general].filter(([about, { isDenied }]) => isDenied && always.get(about)?.isDenied !== true);
}

function checkSignals(
	file: RobotsFile,
	group: RobotsGroup,
	denied: readonly (readonly [string, Statement])[],
	report: Report,
): void {
	if (denied.length === 0) return;
	const lost = named(file, group).flatMap(({ agent, own }) => {
		const said = statementsOf(own.records);
		const dropped = denied.filter(([about]) => !said.has(about));
		return dropped.length === 0 ? [] : [{ agent, dropped }];
	});
	const [first] = lost;
	if (first === undefined) return;
	const records = [...new Set(first.dropped.map(([, { record }]) => record))];
	const args = {
		names: listed(lost.map(({ agent }) => agent.name)),
		signals: listed(records.map(({ key, value }) => `${key}: ${value}`)),
		first: records[0]?.line ?? 0,
	};
	report.add('lint-group-drops-signal', first.agent.line, first.agent.column, args);
}

interface Statement {
	readonly isDenied: boolean;
	readonly record: RobotsRecord;
}

/** Statements of vocabulary records by subject. */
function statementsOf(records: readonly RobotsRecord[]): ReadonlyMap<string, Statement> {
	const found = new Map<string, Statement>();
	for (const record of records) {
		for (const { subject, effect } of recordEffects(record))
			if (found.get(subject)?.isDenied !== true) found.set(subject, { isDenied: effect === 'deny', record });
	}
	return found;
}

const isStar = ({ name }: RobotsAgent): boolean => /^\*(?:\s|$)/.test(name);

/** Whether a list of names contains `*`: then the group applies to all agents, and replaces nothing. */
function checkNamesBesideStar({ agents, rules }: RobotsGroup, report: Report): boolean {
	const star = agents.find(isStar);
	if (star === undefined) return false;
	const others = agents.filter((agent) => !isStar(agent) && agent.name !== '');
	if (others.length === 0) return true;
	const closes = rules.some(({ allow, pattern }) => !allow && (pattern === '/' || pattern === '/*'));
	const follows = closes ? ': it closes the site to everybody' : '';
	const args = { names: listed(others.map(({ name }) => name)), follows };
	report.add('lint-names-beside-star', star.line, star.column, args);
	return true;
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
