import { prepareRobots } from '../robots/index.ts';
import { type EffectivePolicy, type Robots2Source, sameOrigin } from '../robots2/index.ts';
import { sayPath } from './paths.ts';
import { barByRate, barCompetitor } from './robots2-voice.ts';
import type { Agent, HostPolicies, MissingFile, Statement } from './types.ts';

/** What the two files say about fetching a URL at all. `asSom`: as a representation from a declared SOM endpoint. */
export type Access = (url: string, asSom: boolean) => Statement[];

/** Both files have to permit, each by itself (AMB-01). */
export function prepareAccess(policies: HostPolicies, agent: Agent, effective: EffectivePolicy): Access {
	const robots = prepareRobotsAccess(policies.robots, agent);
	const robots2 = prepareRobots2Access(policies.robots2, agent);
	const bars = [...barByRate(effective), ...barCompetitor(effective, agent)];
	return (url, asSom) => [...robots(url).map(asSom ? liftDisallow : same), ...robots2(url), ...bars];
}

type Rules = (url: string) => readonly Statement[];

/** The names that groups are sought by: the shared token stands in for all (AMB-17). */
export function namesOf({ token, name }: Agent): string[] {
	return name === undefined ? [token] : [token, name];
}

function prepareRobotsAccess(robots: HostPolicies['robots'], agent: Agent): Rules {
	if (!robots) return () => [];
	if (isMissing(robots)) return always(sayMissing(robots, 'robots', robots.state === 'none' ? 'REP-19' : 'REP-20'));
	const rules = prepareRobots(robots.file, namesOf(agent));
	return (url) => sayPath(robots.source, rules, url, 'robots');
}

function prepareRobots2Access(robots2: HostPolicies['robots2'], agent: Agent): Rules {
	if (!robots2) return () => [];
	if (isMissing(robots2)) return always(sayMissing(robots2, 'robots2', robots2.state === 'none' ? 'R2-06' : 'R2-02'));
	const files = ownFiles(robots2.files).map(({ source, file }) => ({
		source,
		rules: prepareRobots(file.paths, namesOf(agent)),
	}));
	return (url) => files.flatMap(({ source, rules }) => sayPath(source, rules, url, 'robots2'));
}

/** Paths of another origin say nothing about this one (AMB-49). */
function ownFiles(files: readonly Robots2Source[]): Robots2Source[] {
	return files.filter(({ source }) => sameOrigin(source, files[0]!.source));
}

/** A site without a file says nothing; one whose file cannot be had may say no (RFC 9309 §2.3.1.4, AMB-46). */
function sayMissing(
	{ source, state, detail }: MissingFile,
	mechanism: 'robots' | 'robots2',
	requirement: string,
): Statement {
	const text = detail === undefined ? state : `${state} (${detail})`;
	return {
		effect: state === 'unreachable' ? 'deny' : 'silent',
		evidence: { source, line: 0, text, mechanism, requirement },
	};
}

/** The endpoint that the same robots.txt declares may serve what its rules withhold as HTML (AMB-04, AMB-05). */
function liftDisallow(statement: Statement): Statement {
	return statement.pattern !== undefined && statement.effect === 'deny'
		? { ...statement, effect: 'silent' }
		: statement;
}

export function isMissing(file: object): file is MissingFile {
	return 'state' in file;
}

const same = (statement: Statement) => statement;
const always = (statement: Statement) => () => [statement];
