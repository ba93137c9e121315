import { gatherAgents, type OwnAgent } from '@wayleave/gateway';
import { parseRobots, type RobotsRecord } from '@wayleave/protocols/robots';

/** A line that one of two files has for an agent and the other has not. */
export interface LineDifference {
	readonly kind: 'missing' | 'foreign';
	/** `*` for everybody; `the file` for records outside all groups. */
	readonly agent: string;
	/** As it is written plainly: `Disallow: /admin`. */
	readonly text: string;
	/** Its line: in the live file for `foreign`, in the expected one for `missing`. */
	readonly line: number;
}

/** An agent that has several groups in the live file and not in the other. */
export interface SplitAgent {
	readonly agent: string;
	/** First lines of its groups. */
	readonly lines: readonly number[];
}

export interface RobotsComparison {
	readonly lines: readonly LineDifference[];
	readonly split: readonly SplitAgent[];
}

/** Compares two robots.txt by what they say to each agent: order, remarks and blank lines do not matter. */
export function compareRobots(expected: string, live: string): RobotsComparison {
	const [wanted, found] = [gatherAgents(expected), gatherAgents(live)];
	// The agents of the expected file first, under the names that they have there.
	const agents = new Map([...wanted.agents, ...[...found.agents].filter(([key]) => !wanted.agents.has(key))]);
	const lines = [...agents].flatMap(([key, { name }]) =>
		compareLines(name, agentLines(groupFor(wanted, key)), agentLines(groupFor(found, key))),
	);
	const split = [...found.agents]
		.filter(([key, { groups }]) => groups.size > 1 && (wanted.agents.get(key)?.groups.size ?? 0) <= 1)
		.map(([, { name, groups }]) => ({
			agent: name,
			lines: [...groups].map((index) => Math.min(...(found.groups[index]?.lines ?? []))),
		}));
	return { lines: [...lines, ...compareLines('the file', fileLines(expected), fileLines(live))], split };
}

/** The group of an agent: its own, else the one for all agents (RFC 9309 §2.2.1). */
function groupFor({ agents }: ReturnType<typeof gatherAgents>, key: string): OwnAgent | undefined {
	return agents.get(key) ?? agents.get('*');
}

type Lines = ReadonlyMap<string, { readonly text: string; readonly line: number }>;

function compareLines(agent: string, wanted: Lines, found: Lines): LineDifference[] {
	const only = (kind: LineDifference['kind'], these: Lines, those: Lines) =>
		[...these].filter(([key]) => !those.has(key)).map(([, { text, line }]) => ({ kind, agent, text, line }));
	return [...only('missing', wanted, found), ...only('foreign', found, wanted)];
}

/** Lines by meaning: names in lower case, spaces normalised. An empty Disallow is left out. */
function agentLines(agent: OwnAgent | undefined): Lines {
	const rules = (agent?.rules ?? [])
		.filter(({ pattern }) => pattern !== '')
		.map(({ allow, pattern, line }) => ({ text: `${allow ? 'Allow' : 'Disallow'}: ${pattern}`, line }));
	return byMeaning([...rules, ...(agent?.records ?? []).map(recordLine)]);
}

/** SOM lines: they hold for the whole file wherever they stand, and the first of a name counts. */
function fileLines(text: string): Lines {
	return byMeaning(
		parseRobots(text)
			.value.records.filter(({ key }) => /^som-/i.test(key))
			.map(recordLine),
	);
}

function recordLine({ key, value, line }: RobotsRecord) {
	return { text: `${key}: ${value}`, line };
}

function byMeaning(lines: readonly { readonly text: string; readonly line: number }[]): Lines {
	return new Map(
		lines.map((each) => [each.text.replace(/^[^:]*/, (name) => name.toLowerCase()).replace(/\s+/g, ' '), each]),
	);
}
