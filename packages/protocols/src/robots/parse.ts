import type { Parsed, Problem } from '../problem.ts';
import { escapeBeyondAscii } from './escapes.ts';
import { type Key, readKey } from './keys.ts';
import { createLine, type Line, readLine } from './lines.ts';
import { type Reading, type RobotsMode, readings } from './modes.ts';
import { decodeUtf8, isUtf8, readOctets } from './octets.ts';
import { type RobotsCode, robotsProblems } from './problems.ts';
import type {
	RobotsAgent,
	RobotsDelay,
	RobotsFile,
	RobotsGroup,
	RobotsLine,
	RobotsRecord,
	RobotsRule,
} from './types.ts';

export interface ParseRobotsOptions {
	readonly mode?: RobotsMode;
	/** How much is read; RFC 9309 §2.5 asks for at least 500 KiB, which is the default. */
	readonly maxBytes?: number;
}

interface OpenGroup extends RobotsGroup {
	readonly agents: RobotsAgent[];
	readonly rules: RobotsRule[];
	readonly delays: RobotsDelay[];
	readonly records: RobotsRecord[];
}

/**
 * Reads a robots.txt file (RFC 9309 §2.2). Every line that can be understood counts, whatever stands around it;
 * what is odd becomes a problem. Linear in the length, never throws.
 */
export function parseRobots(
	input: string | Uint8Array,
	{ mode = 'default', maxBytes = 512_000 }: ParseRobotsOptions = {},
): Parsed<RobotsFile, RobotsCode> {
	const { text, ascii, truncated } = readOctets(input, maxBytes);
	const reader = new Reader(text, ascii, mode);
	reader.readAll();
	if (truncated) reader.problem('truncated', 0, 0, { limit: maxBytes });
	return {
		value: { mode, groups: reader.groups, sitemaps: reader.sitemaps, records: reader.records, truncated },
		problems: reader.problems,
	};
}

const noAgents: RobotsAgent[] = [];
/** Records that belong to the agents above them: an agent line after one starts a new list for such records. */
const groupRecords = /^(?:crawl-delay|request-rate|visit-time|content-signal|content-usage|noindex)$/i;

class Reader {
	readonly groups: OpenGroup[] = [];
	readonly sitemaps: RobotsRecord[] = [];
	readonly records: RobotsRecord[] = [];
	readonly problems: Problem<RobotsCode>[] = [];
	readonly #text: string;
	readonly #ascii: boolean;
	readonly #reading: Reading;
	readonly #line: Line = createLine();
	#number = 0;
	#group: OpenGroup | undefined;
	/** The agents that the next record speaks to. */
	#listed: RobotsAgent[] = noAgents;
	#listClosed = false;

	constructor(text: string, ascii: boolean, mode: RobotsMode) {
		this.#text = text;
		this.#ascii = ascii;
		this.#reading = readings[mode];
	}

	readAll(): void {
		const text = this.#text;
		const line = this.#line;
		let at = bomLength(text, this.#reading.partialBom);
		while (at <= text.length) {
			readLine(text, at, this.#reading.lineLimit, line);
			this.#number++;
			this.#take();
			at = line.next;
		}
	}

	problem(code: RobotsCode, line: number, column: number, args: Problem['args']): void {
		this.problems.push({ code, severity: robotsProblems[code].severity, line, column, args });
	}

	#take(): void {
		const { keyStart, keyEnd, missingColon } = this.#line;
		if (keyStart === keyEnd) return;
		const key = readKey(this.#text, keyStart, keyEnd, this.#reading);
		if (missingColon && !this.#acceptsGap(key)) return;
		if (key === 'allow' || key === 'disallow') this.#takeRule(key === 'allow');
		else if (key === 'user-agent') this.#takeAgent();
		else this.#takeRecord(key);
	}

	#acceptsGap(key: Key): boolean {
		const { missingColon } = this.#reading;
		return missingColon === 'always' || (missingColon === 'not-allow' && (key === 'disallow' || key === 'user-agent'));
	}

	#takeRule(allow: boolean): void {
		const { valueStart, valueEnd } = this.#line;
		if (this.#group === undefined) return;
		let pattern = this.#text.slice(valueStart, valueEnd);
		if (!this.#ascii) pattern = isUtf8(pattern) ? decodeUtf8(pattern) : escapeBeyondAscii(pattern);
		this.#group.rules.push({ allow, pattern, ...this.#position() });
	}

	#takeAgent(): void {
		if (this.#group === undefined || this.#group.rules.length > 0) {
			this.#group = { agents: [], rules: [], delays: [], records: [] };
			this.groups.push(this.#group);
			this.#listClosed = true;
		}
		if (this.#listClosed) {
			this.#listed = [];
			this.#listClosed = false;
		}
		const agent: RobotsAgent = { name: this.#value(), ...this.#position() };
		this.#listed.push(agent);
		this.#group.agents.push(agent);
	}

	#takeRecord(kind: Key): void {
		const { keyStart, keyEnd } = this.#line;
		const key = this.#decode(keyStart, keyEnd);
		const value = this.#value();
		const record: RobotsRecord = {
			key,
			value,
			...this.#position(),
			...(this.#group && { group: this.groups.length - 1 }),
			agents: this.#listed,
		};
		if (kind === 'sitemap') {
			this.sitemaps.push(record);
			return;
		}
		this.records.push(record);
		this.#group?.records.push(record);
		if (groupRecords.test(key)) this.#listClosed = true;
		const seconds = kind === 'crawl-delay' ? readDelay(value) : undefined;
		if (seconds !== undefined) this.#group?.delays.push({ ...record, seconds });
	}

	#position(): RobotsLine {
		const { start, end, valueStart } = this.#line;
		const before = valueStart - start;
		return {
			line: this.#number,
			column: 1 + (this.#ascii ? before : this.#decode(start, valueStart).length),
			text: this.#decode(start, end),
		};
	}

	#value(): string {
		return this.#decode(this.#line.valueStart, this.#line.valueEnd);
	}

	#decode(from: number, to: number): string {
		const octets = this.#text.slice(from, to);
		return this.#ascii ? octets : decodeUtf8(octets);
	}
}

/** The bytes EF BB BF at the start say "UTF-8" and belong to no line. */
function bomLength(text: string, partial: boolean): number {
	if (text.charCodeAt(0) !== 0xef) return 0;
	if (text.charCodeAt(1) !== 0xbb) return partial ? 1 : 0;
	if (text.charCodeAt(2) !== 0xbf) return partial ? 2 : 0;
	return 3;
}

function readDelay(value: string): number | undefined {
	const number = /^\d*[.,]?\d+/.exec(value);
	return number ? Number(number[0].replace(',', '.')) : undefined;
}
