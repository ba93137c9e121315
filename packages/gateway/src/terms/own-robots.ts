import { isUtf8 } from 'node:buffer';
import {
	isFileRecord,
	parseRobots,
	productOfUserAgent,
	type RobotsGroup,
	type RobotsLine,
	type RobotsRecord,
} from '@wayleave/protocols/robots';
import { stripMarks } from './marks.ts';
import type { PathRule } from './paths.ts';

/** A rule of the site itself, and where it stands. */
export interface OwnRule extends PathRule {
	readonly line: number;
}

/** The site's own rules for one agent, from all groups that name it. */
export interface OwnAgent {
	/** As it is spelled first; `*` for everybody. */
	readonly name: string;
	readonly groups: Set<number>;
	readonly rules: OwnRule[];
	/** Records of the group: `Crawl-delay`, `Content-Signal`, … */
	readonly records: RobotsRecord[];
}

/** One group as it stands in the file. */
export interface OwnGroup {
	/** Keys of `agents`, in order. */
	readonly agents: readonly string[];
	readonly rules: readonly OwnRule[];
	readonly records: readonly RobotsRecord[];
	/** Numbers of all its lines that speak to its agents. */
	readonly lines: readonly number[];
	/** Each record speaks to all of its agents. */
	readonly plain: boolean;
}

/** The robots.txt of a site without what we wrote into it. */
export interface OwnRobots {
	readonly lines: readonly string[];
	readonly endOfLine: string;
	readonly groups: readonly OwnGroup[];
	/** By lower-case product name; `*` for everybody. */
	readonly agents: ReadonlyMap<string, OwnAgent>;
}

/** Reads the site's own robots.txt; our lines are taken out, and lines of the site that we switched off are back. */
export function readOwnRobots(input: string | Uint8Array): OwnRobots {
	const text = (typeof input === 'string' ? input : decode(input)).replace(/^\uFEFF/, '');
	const lines = stripMarks(splitLines(text));
	return { lines, endOfLine: text.includes('\r\n') ? '\r\n' : '\n', ...gatherAgents(lines.join('\n')) };
}

/** The rules of a robots.txt for each agent, from all its groups; our lines count too. */
export function gatherAgents(text: string): Pick<OwnRobots, 'groups' | 'agents'> {
	const file = parseRobots(text, { maxBytes: Number.POSITIVE_INFINITY }).value;
	const agents = new Map<string, OwnAgent>();
	const groups = file.groups.map((group, index) => readGroup(group, index, agents));
	return { groups, agents };
}

function readGroup(group: RobotsGroup, index: number, agents: Map<string, OwnAgent>): OwnGroup {
	const records = group.records.filter(({ key }) => !isFileWide(key));
	const rules = group.rules.map(({ allow, pattern, line }): OwnRule => ({ allow, pattern, line }));
	const keys = [...new Set(group.agents.map(({ name }) => agentKey(name)))].filter((key) => key !== '');
	for (const key of keys) {
		const named = group.agents.filter(({ name }) => agentKey(name) === key);
		const known = agents.get(key) ?? {
			name: displayName(named[0]?.name ?? key),
			groups: new Set(),
			rules: [],
			records: [],
		};
		agents.set(key, known);
		known.groups.add(index);
		known.rules.push(...rules);
		known.records.push(...records.filter((record) => named.some((agent) => record.agents.includes(agent))));
	}
	return {
		agents: keys,
		rules,
		records,
		lines: [...group.agents, ...group.rules, ...records].map(({ line }: RobotsLine) => line),
		plain: records.every((record) => record.agents.length === group.agents.length),
	};
}

/** Records that mean the same wherever they are. */
const isFileWide = (key: string): boolean => isFileRecord(key) || /^(?:domain|robot-version|som-.*)$/i.test(key);

/** The name by which readers find a group; empty for a line without a name. */
export function agentKey(name: string): string {
	return /^\*(?:\s|$)/.test(name) ? '*' : productOfUserAgent(name).toLowerCase();
}

function displayName(name: string): string {
	return agentKey(name) === '*' ? '*' : productOfUserAgent(name);
}

function splitLines(text: string): string[] {
	const lines = text.split(/\r\n|\n|\r/);
	if (lines.at(-1) === '') lines.pop();
	return lines;
}

/** The served file is UTF-8 (RFC 9309 §2.3): other bytes are percent-encoded, as parsers read them. */
function decode(bytes: Uint8Array): string {
	const text = Buffer.from(bytes);
	if (isUtf8(text)) return text.toString('utf8');
	const lines = text.toString('latin1').split(/(\r\n|\n|\r)/);
	return lines.map((line) => decodeLine(Buffer.from(line, 'latin1'))).join('');
}

function decodeLine(line: Buffer): string {
	if (isUtf8(line)) return line.toString('utf8');
	const escaped = (byte: string) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
	return line.toString('latin1').replace(/[\x80-\xff]/g, escaped);
}
