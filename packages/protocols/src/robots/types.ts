import type { RobotsMode } from './modes.ts';

/** A kept line, ready to be quoted as evidence. */
export interface RobotsLine {
	/** Counts from 1; `\r\n`, `\n` and a lone `\r` each end a line. */
	readonly line: number;
	/** Where the value begins, in UTF-16 units from 1. */
	readonly column: number;
	/** The line as it stands in the file, with its comment, without its end. */
	readonly text: string;
}

/** One `User-agent` line (RFC 9309 §2.2.1). */
export interface RobotsAgent extends RobotsLine {
	/** The value as written. */
	readonly name: string;
}

/** One `Allow` or `Disallow` line (RFC 9309 §2.2.2). */
export interface RobotsRule extends RobotsLine {
	readonly allow: boolean;
	/** The path pattern as written; bytes that are not UTF-8 stand as `%XX`. */
	readonly pattern: string;
}

/** Any other `key: value` line (RFC 9309 §2.2.4): `Crawl-delay`, `Content-Signal`, `SOM-Endpoint`, `Host`, … */
export interface RobotsRecord extends RobotsLine {
	/** The key as written. */
	readonly key: string;
	readonly value: string;
	/** Seconds of a `Crawl-delay`, not negative; undefined for other records and unreadable values. */
	readonly seconds: number | undefined;
	/** Index in `groups` of the group it stands in; undefined before the first group. */
	readonly group: number | undefined;
	/**
	 * The agent lines that it speaks to. Two lists of agents with only a `Crawl-delay` between them are one group
	 * by RFC 9309, yet the delay was written for the list above it.
	 */
	readonly agents: readonly RobotsAgent[];
}

/** Agents and the rules that they share. */
export interface RobotsGroup {
	readonly agents: readonly RobotsAgent[];
	readonly rules: readonly RobotsRule[];
	/** Everything in the group that is neither agent nor rule. */
	readonly records: readonly RobotsRecord[];
}

/** A robots.txt file, read. */
export interface RobotsFile {
	readonly mode: RobotsMode;
	readonly groups: readonly RobotsGroup[];
	/** Sitemap lines wherever they stand. */
	readonly sitemaps: readonly RobotsRecord[];
	/** All other records in file order, inside groups and outside. */
	readonly records: readonly RobotsRecord[];
	/** The file was longer than `maxBytes`; the rest was not read. */
	readonly truncated: boolean;
}

/** May it, and which line says so. */
export interface RobotsVerdict {
	readonly allowed: boolean;
	/** The deciding line; absent when no rule speaks. */
	readonly rule?: RobotsRule;
}

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
