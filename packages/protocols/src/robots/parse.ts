import type { Parsed, Severity } from '../problem.ts';
import { agentProblem } from './agent-problem.ts';
import { isTokenWithin } from './agents.ts';
import { escapeBeyondAscii } from './escapes.ts';
import { codeOf, findInvisible, withoutInvisible } from './invisible.ts';
import { findSpelling, isFileRecord, isGroupRecord, type Key, keyInitial, type Spelling, suggestKey } from './keys.ts';
import { LineReader } from './lines.ts';
import { googleLineLimit, type Reading, type RobotsMode, readings } from './modes.ts';
import { type Content, decodeUtf8, isFaithful, readContent } from './octets.ts';
import type { RobotsCode } from './problems.ts';
import { type Arguments, createReport, type Report } from './report.ts';
import type { RobotsAgent, RobotsFile, RobotsGroup, RobotsRecord, RobotsRule } from './types.ts';

export interface ParseRobotsOptions {
	/** `default` unless given. */
	readonly mode?: RobotsMode;
	/** How much is read; RFC 9309 §2.5 asks for at least 500 KiB, which is the default. */
	readonly maxBytes?: number;
}

/**
 * Reads a robots.txt file (RFC 9309 §2.2). Every line that can be understood counts, whatever stands around it;
 * what is odd becomes a problem. Linear in the length, never throws.
 *
 * @example
 * const { value: file } = parseRobots('User-agent: *\nDisallow: /private');
 * matchRobots(file, 'ExampleBot', 'https://example.com/private/x').allowed; // false
 */
export function parseRobots(
	input: string | Uint8Array,
	{ mode = 'default', maxBytes = 512_000 }: ParseRobotsOptions = {},
): Parsed<RobotsFile, RobotsCode> {
	const content = readContent(input, maxBytes, readings[mode]);
	const report = createReport();
	if (content.truncated) report.add('truncated', 0, 0, { limit: maxBytes });
	const reader = new Reader(content, readings[mode], report);
	reader.readAll();
	const { groups, sitemaps, records } = reader;
	return { value: { mode, groups, sitemaps, records, truncated: content.truncated }, problems: report.close() };
}

interface OpenGroup extends RobotsGroup {
	readonly agents: RobotsAgent[];
	readonly rules: RobotsRule[];
	readonly records: RobotsRecord[];
}

class Reader {
	readonly groups: OpenGroup[] = [];
	readonly sitemaps: RobotsRecord[] = [];
	readonly records: RobotsRecord[] = [];
	readonly #text: string;
	readonly #octets: boolean;
	/** From this count on, a single problem covers all. */
	readonly #utf16: boolean;
	readonly #reading: Reading;
	readonly #report: Report;
	readonly #line: LineReader;
	#number = 0;
	/** Whether the first line that says something is markup: then one problem says it all, and rules alone are kept. */
	#isHtml: boolean | undefined;
	#group: OpenGroup | undefined;
	/** The agents that the next record speaks to. */
	#listed: RobotsAgent[] = [];
	/** The record that ended the list of agents, so that the next agent starts another list. */
	#endOfList: RobotsRecord | undefined;

	constructor({ text, octets, utf16 }: Content, reading: Reading, report: Report) {
		this.#text = text;
		this.#octets = octets;
		this.#reading = reading;
		this.#report = report;
		this.#utf16 = utf16 === true || (octets && /^(?:\xff\xfe|\xfe\xff)/.test(text));
		if (this.#utf16) report.add('utf-16', 1, 1);
		this.#line = new LineReader(text, this.#byteOrderMark(), reading.lineLimit);
	}

	readAll(): void {
		const line = this.#line;
		while (line.read()) {
			this.#number++;
			if (
				this.#isHtml
					? keyInitial.test(this.#text.charAt(line.keyStart))
					: line.keyStart < line.valueEnd || line.nul >= 0
			) {
				line.split();
				this.#takeLine();
			}
		}
	}

	/** How long it is: the bytes EF BB BF at the start say "UTF-8" and belong to no line. */
	#byteOrderMark(): number {
		const text = this.#text;
		if (text.charCodeAt(0) < 128) return 0;
		const mark = (this.#octets ? /^\xef(?:\xbb\xbf?)?/ : /^\ufeff/).exec(text)?.[0] ?? '';
		const whole = mark.length === (this.#octets ? 3 : 1);
		if (mark !== '') this.#report.add(whole ? 'byte-order-mark' : 'partial-byte-order-mark', 1, 1);
		return whole || this.#reading.partialBom ? mark.length : 0;
	}

	#takeLine(): void {
		const { start, end, keyStart, keyEnd, valueEnd, missingColon, nul } = this.#line;
		if (end - start > googleLineLimit) this.#problem('line-too-long', start, { limit: googleLineLimit });
		if (nul >= 0) this.#problem('nul-byte', nul);
		if (this.#octets && !isFaithful(this.#decode(keyStart, valueEnd))) this.#problem('invalid-utf8', keyStart);
		if (this.#isHtml === undefined) {
			const isHtml = this.#text[keyStart] === '<';
			if (isHtml) this.#problem('html-instead-of-robots', keyStart);
			this.#isHtml = isHtml;
		}
		if (keyStart === keyEnd) {
			if (keyStart < valueEnd) this.#problem('not-a-record', keyStart);
			return;
		}
		const spelling = this.#findSpelling();
		const exact = keyEnd - keyStart === spelling?.word.length;
		const key = this.#accepts(spelling, exact) ? spelling?.key : undefined;
		if (missingColon) {
			// Two words of which the first is no key are probably prose.
			if (spelling === undefined) this.#problem('not-a-record', keyStart);
			else this.#problem('missing-colon', keyStart, { key: this.#key() });
			if (!this.#acceptsGap(key)) return;
		}
		if (spelling !== undefined && (spelling.typo || !exact)) {
			this.#problem(exact ? 'misspelt-key' : 'key-prefix', keyStart, { key: this.#key(), meant: spelling.key });
		}
		if (key === 'disallow' || key === 'allow') this.#takeRule(key === 'allow');
		else if (key === 'user-agent') this.#takeAgent();
		else if (key || !this.#isHtml) this.#takeRecord(key, spelling !== undefined || missingColon);
	}

	/** The spelling of the key; if only invisible blanks make it unknown, it is read without them. */
	#findSpelling(): Spelling | undefined {
		const { keyStart, keyEnd } = this.#line;
		const spelling = findSpelling(this.#text, keyStart, keyEnd);
		if (keyEnd - keyStart === spelling?.word.length) return spelling;
		const key = this.#key();
		const visible = withoutInvisible(key);
		const intended = visible === key ? undefined : findSpelling(visible, 0, visible.length);
		if (intended === undefined || intended.word.length !== visible.length) return spelling;
		this.#problem('invisible-character', keyStart, { code: codeOf(key) });
		// Only a Disallow or a delay restricts; a User-agent line would take rules away from the group before it.
		const restricts = intended.key === 'disallow' || intended.key === 'crawl-delay';
		return this.#reading.invisible && restricts ? { ...intended, word: key } : spelling;
	}

	#accepts(spelling: Spelling | undefined, exact: boolean): boolean {
		if (spelling === undefined || (spelling.typo && !this.#reading.typos)) return false;
		return exact || this.#reading.prefixKeys;
	}

	#acceptsGap(key: Key | undefined): boolean {
		const { missingColon } = this.#reading;
		return missingColon === 'always' || (missingColon === 'not-allow' && key !== undefined && key !== 'allow');
	}

	#takeRule(allow: boolean): void {
		const { start, end, keyStart, valueStart, valueEnd } = this.#line;
		if (this.#group === undefined) {
			this.#problem('rule-outside-group', keyStart);
			return;
		}
		let pattern = this.#decode(valueStart, valueEnd);
		if (this.#octets && !isFaithful(pattern)) pattern = escapeBeyondAscii(this.#text.slice(valueStart, valueEnd));
		if (pattern !== '') this.#checkPattern(pattern);
		const text = this.#decode(start, end);
		this.#group.rules.push({ allow, pattern, line: this.#number, column: this.#column(valueStart), text });
	}

	#checkPattern(pattern: string): void {
		if (usualPattern.test(pattern)) return;
		const invisible = findInvisible(pattern);
		if (invisible >= 0) this.#problem('invisible-character', this.#line.valueStart, { code: codeOf(pattern) });
		if (pattern[0] === '/' || pattern[0] === '*' || invisible === 0) return;
		const code = /^[a-z][\w+.-]*:\/\//i.test(pattern) ? 'absolute-url-in-rule' : 'pattern-without-slash';
		this.#problem(code, this.#line.valueStart, { pattern });
	}

	#takeAgent(): void {
		if (this.#group === undefined || this.#group.rules.length > 0) {
			this.#group = { agents: [], rules: [], records: [] };
			this.groups.push(this.#group);
			this.#listed = [];
		} else if (this.#endOfList !== undefined) {
			const { key, line } = this.#endOfList;
			const code = /^crawl/i.test(key) ? 'agent-list-split-by-crawl-delay' : 'agent-list-split-by-record';
			if (!this.#isHtml) this.#report.add(code, line, 1, { key, agent: this.#number });
			this.#listed = [];
		}
		this.#endOfList = undefined;
		const { start, end, valueStart, valueEnd } = this.#line;
		const name = this.#decode(valueStart, valueEnd);
		if (name !== '*' && !isTokenWithin(this.#text, valueStart, valueEnd)) {
			const [code, args, severity] = agentProblem(name);
			this.#problem(code, valueStart, args, severity);
		}
		const agent = { name, line: this.#number, column: this.#column(valueStart), text: this.#decode(start, end) };
		this.#listed.push(agent);
		this.#group.agents.push(agent);
	}

	#takeRecord(kind: Key | undefined, reported: boolean): void {
		const { start, end, keyStart, valueStart, valueEnd } = this.#line;
		const key = this.#key();
		const value = this.#decode(valueStart, valueEnd);
		const record: RobotsRecord = {
			key,
			value,
			seconds: kind === 'crawl-delay' ? this.#readDelay(value) : undefined,
			line: this.#number,
			column: this.#column(valueStart),
			text: this.#decode(start, end),
			group: this.#group && this.groups.length - 1,
			agents: this.#listed,
		};
		if (kind === 'sitemap') {
			this.sitemaps.push(record);
			return;
		}
		this.records.push(record);
		this.#group?.records.push(record);
		const isOfGroup = isGroupRecord(key);
		if (!isOfGroup && !reported && !isFileRecord(key)) this.#reportRecord(key, value);
		if (!isOfGroup) return;
		if (this.#group === undefined) this.#problem('record-outside-group', keyStart, { key });
		else this.#endOfList = record;
	}

	#reportRecord(key: string, value: string): void {
		const at = this.#line.keyStart;
		if (value.startsWith('//') && /^https?$/i.test(key)) this.#problem('bare-address', at, { url: `${key}:${value}` });
		else if (robots2Directive.test(key)) this.#problem('robots2-directive', at, { key });
		else {
			const meant = suggestKey(key);
			if (meant) this.#problem('misspelt-key', at, { key, meant });
			else this.#problem('unknown-key', at, { key });
		}
	}

	/** Digits and one point; a comma is read as a point, and what follows the number is overlooked. */
	#readDelay(value: string): number | undefined {
		const number = /^(?:\d+(?:[.,]\d+)?|[.,]\d+)/.exec(value)?.[0];
		if (number !== value || number.includes(',')) this.#problem('bad-crawl-delay', this.#line.valueStart, { value });
		return number === undefined ? undefined : Number(number.replace(',', '.'));
	}

	#problem(code: RobotsCode, at: number, args?: Arguments, severity?: Severity): void {
		if (!this.#isHtml && (!this.#utf16 || !this.#octets))
			this.#report.add(code, this.#number, this.#column(at), args, severity);
	}

	#key(): string {
		return this.#decode(this.#line.keyStart, this.#line.keyEnd);
	}

	/** From 1, in UTF-16 units of the line. */
	#column(at: number): number {
		const { start } = this.#line;
		return 1 + (this.#octets ? this.#decode(start, at).length : at - start);
	}

	#decode(from: number, to: number): string {
		const part = this.#text.slice(from, to);
		return this.#octets ? decodeUtf8(part) : part;
	}
}

/** Nothing is wrong with it: it begins as a path does, and every character can be seen. */
const usualPattern = /^[*/][!-~]*$/;

/** Directives that only robots2.txt has; its spellings are in `../robots2/directives.ts`. */
const robots2Directive =
	/^(?:crawl|read|summari[sz]e|quote|derivative|train|store|compete|personali[sz]e|moneti[sz]e|attribution|link-back|announce|report-to)$/i;
