import { decodeUtf16 } from '../internal/utf16.ts';
import type { Parsed } from '../problem.ts';
import type { PolicyProblem, PolicyProblemCode } from './problems.ts';
import { policyProblem } from './report.ts';

/** Whether the rights of text and data mining are reserved: `1` yes, `0` no, undefined not said. */
export type Reservation = 0 | 1 | undefined;

export interface TdmrepRule {
	/** A path pattern with `*` and `$`. */
	readonly location: string;
	readonly reservation: Reservation;
	/** Where the terms can be had; only with a reservation. */
	readonly policy?: string;
	/** Counts from 1. */
	readonly line: number;
	readonly text: string;
}

/** `/.well-known/tdmrep.json`, read: the first rule that matches counts. */
export type TdmrepFile = readonly TdmrepRule[];

/** Reads `/.well-known/tdmrep.json` (TDMRep, "TDM file on the origin server"). Never throws. */
export function parseTdmrep(input: string | Uint8Array): Parsed<TdmrepFile, PolicyProblemCode> {
	const whole = { line: 1, column: 1 };
	const utf16 = typeof input === 'string' ? undefined : decodeUtf16(input);
	const text = utf16 ?? (typeof input === 'string' ? input : new TextDecoder().decode(input));
	// Reservations only restrict: reading them in spite of the wrong encoding honours what the site meant.
	const problems: PolicyProblem[] = utf16 === undefined ? [] : [policyProblem('tdmrep-utf-16', whole)];
	const json = parseJson(text);
	if (typeof json !== 'object' || json === null)
		return { value: [], problems: [...problems, policyProblem('tdmrep-not-json', whole)] };
	if (!Array.isArray(json)) problems.push(policyProblem('tdmrep-not-array', whole));
	const entries: readonly unknown[] = Array.isArray(json) ? json : [json];
	const lines = linesOf(text, entries.length);
	const value = entries.flatMap((entry, index) => {
		const at = { line: lines[index] ?? 0, column: lines[index] ? 1 : 0 };
		const rule = readRule(entry);
		if (!rule) problems.push(policyProblem('tdmrep-invalid-entry', at, { index: index + 1 }));
		else if (rule.reservation === undefined)
			problems.push(policyProblem('tdmrep-invalid-reservation', at, { value: rule.written }));
		if (!rule) return [];
		const { location, reservation, policy } = rule;
		return [{ location, reservation, ...(policy && { policy }), line: at.line, text: JSON.stringify(entry) }];
	});
	return { value, problems };
}

/** The value of a `tdm-reservation` header or meta tag. */
export function readReservation(written: string | number): Reservation {
	const value = String(written).trim();
	return value === '1' ? 1 : value === '0' ? 0 : undefined;
}

function readRule(
	entry: unknown,
): { location: string; reservation: Reservation; written: string; policy?: string } | undefined {
	if (typeof entry !== 'object' || entry === null) return undefined;
	const { location, 'tdm-reservation': written, 'tdm-policy': policy } = entry as Record<string, unknown>;
	if (typeof location !== 'string' || written === undefined) return undefined;
	const reservation = typeof written === 'number' || typeof written === 'string' ? readReservation(written) : undefined;
	const terms = reservation === 1 && typeof policy === 'string' ? { policy } : {};
	return { location, reservation, written: JSON.stringify(written), ...terms };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
	} catch {
		return undefined;
	}
}

/** The lines on which `location` stands; none when there are not as many as rules, since then they cannot be told apart. */
function linesOf(text: string, count: number): number[] {
	const lines = text.split(/\r\n|\n|\r/).flatMap((line, index) => {
		const found = line.match(/"location"\s*:/g)?.length ?? 0;
		return Array<number>(found).fill(index + 1);
	});
	return lines.length === count ? lines : [];
}
