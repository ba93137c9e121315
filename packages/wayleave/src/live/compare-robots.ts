import { gatherAgents, type OwnAgent } from '@wayleave/gateway';
import { parseRobots, type RobotsRecord } from '@wayleave/protocols/robots';

/** A line that one of two files has for an agent and the other has not. */
export interface LineDifference {
	readonly kind: 'missing' | 'foreign';
	/** `*` for everybody; `the file` for records that speak to nobody in particular. */
	readonly agent: string;
	/** As it is written plainly: `Disallow: /admin`. */
	readonly text: string;
	/** Where it stands: in the live file for `foreign`, in the one that is meant for `missing`. */
	readonly line: number;
}

/** An agent that has several groups in the live file and not in the other. */
export interface SplitAgent {
	readonly agent: string;
	/** Where its groups begin. */
	readonly lines: readonly number[];
}

export interface RobotsComparison {
	readonly lines: readonly LineDifference[];
	readonly split: readonly SplitAgent[];
}

/** Compares two robots.txt by what they say to each agent: order, remarks and blank lines do not matter. */
export function compareRobots(meant: string, live: string): RobotsComparison {
	const [wanted, found] = [gatherAgents(meant), gatherAgents(live)];
	const keys = new Set([...wanted.agents.keys(), ...found.agents.keys()]);
	const lines = [...keys].flatMap((key) => {
		const { name } = (wanted.agents.get(key) ?? found.agents.get(key))!;
		return compareLines(name, agentLines(groupFor(wanted, key)), agentLines(groupFor(found, key)));
	});
	const split = [...found.agents]
		.filter(([key, { groups }]) => groups.size > 1 && (wanted.agents.get(key)?.groups.size ?? 0) <= 1)
		.map(([, { name, groups }]) => ({
			agent: name,
			lines: [...groups].map((index) => Math.min(...found.groups[index]!.lines)),
		}));
	return { lines: [...lines, ...compareLines('the file', fileLines(meant), fileLines(live))], split };
}

/** What holds for an agent: its own group, else the one for everybody (RFC 9309 §2.2.1). */
function groupFor({ agents }: ReturnType<typeof gatherAgents>, key: string): OwnAgent | undefined {
	return agents.get(key) ?? agents.get('*');
}

type Lines = ReadonlyMap<string, { readonly text: string; readonly line: number }>;

function compareLines(agent: string, wanted: Lines, found: Lines): LineDifference[] {
	const only = (kind: LineDifference['kind'], these: Lines, those: Lines) =>
		[...these].filter(([key]) => !those.has(key)).map(([, { text, line }]) => ({ kind, agent, text, line }));
	return [...only('missing', wanted, found), ...only('foreign', found, wanted)];
}

/** By what they mean: names without case, spaces put right. A Disallow of nothing says nothing. */
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
