/** Where the parts of one line lie in the octets. `keyStart === keyEnd`: the line holds no record. */
export interface Line {
	start: number;
	/** Exclusive, without the line end. */
	end: number;
	/** Start of the next line; beyond the text after the last one. */
	next: number;
	/** Where a comment begins, or -1. */
	comment: number;
	keyStart: number;
	keyEnd: number;
	valueStart: number;
	valueEnd: number;
	missingColon: boolean;
	/** Longer than the limit; the rest was not read. */
	tooLong: boolean;
	/** Where a NUL stopped the reading, or -1. */
	nul: number;
}

export const createLine = (): Line => ({
	start: 0,
	end: 0,
	next: 0,
	comment: -1,
	keyStart: 0,
	keyEnd: 0,
	valueStart: 0,
	valueEnd: 0,
	missingColon: false,
	tooLong: false,
	nul: -1,
});

const NUL = 0;
const LF = 10;
const CR = 13;
const HASH = 35;
const COLON = 58;

const isBlank = (code: number): boolean => code === 32 || code === 9;
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

function skipSpace(text: string, from: number, to: number): number {
	let at = from;
	while (at < to && isSpace(text.charCodeAt(at))) at++;
	return at;
}

function trimEnd(text: string, from: number, to: number): number {
	let at = to;
	while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
	return at;
}

/**
 * Reads the line at `start` into `line`, one look at each octet (RFC 9309 §2.2, `key : value # comment`).
 * A record without a colon is found when exactly two words stand on the line; whether it counts is the caller's choice.
 */
export function readLine(text: string, start: number, limit: number, line: Line): void {
	const cut = start + limit;
	let stop = -1;
	let colon = -1;
	let at = start;
	line.comment = -1;
	line.nul = -1;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code > COLON) continue;
		if (code === LF || code === CR) break;
		if (stop >= 0 || at >= cut) continue;
		if (code === COLON) {
			if (colon < 0) colon = at;
		} else if (code === HASH) {
			stop = at;
			line.comment = at;
		} else if (code === NUL) {
			stop = at;
			line.nul = at;
		}
	}
	line.start = start;
	line.end = at;
	line.next = text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
	line.tooLong = at > cut;
	splitRecord(text, colon, stop >= 0 ? stop : Math.min(at, cut), line);
}

function splitRecord(text: string, colon: number, stop: number, line: Line): void {
	const from = skipSpace(text, line.start, stop);
	const to = trimEnd(text, from, stop);
	const separator = colon >= 0 ? colon : onlyGap(text, from, to);
	line.missingColon = colon < 0 && separator >= 0;
	line.keyStart = from;
	line.keyEnd = separator < 0 ? from : trimEnd(text, from, separator);
	line.valueStart = separator < 0 ? to : skipSpace(text, separator + 1, to);
	line.valueEnd = Math.max(to, line.valueStart);
}

/** The gap between two words when there are exactly two, else -1. */
function onlyGap(text: string, from: number, to: number): number {
	let gap = -1;
	for (let at = from; at < to; at++) {
		if (!isBlank(text.charCodeAt(at))) continue;
		if (gap >= 0) return -1;
		gap = at;
		while (isBlank(text.charCodeAt(at + 1))) at++;
	}
	return gap;
}
