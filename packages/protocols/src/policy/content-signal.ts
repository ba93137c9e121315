import type { Place } from '../internal/problem-maker.ts';
import type { Parsed } from '../problem.ts';
import type { PolicyProblem, PolicyProblemCode } from './problems.ts';
import { policyProblem } from './report.ts';

/** What the signals are about (draft-romm-aipref-contentsignals). */
export const signalNames = ['search', 'ai-input', 'ai-train'] as const;
export type SignalName = (typeof signalNames)[number];

/** What is said about each; absent neither grants nor restricts. */
export type ContentSignals = Readonly<Partial<Record<SignalName, 'allow' | 'deny'>>>;

/**
 * Reads the value of `Content-Signal`: `search=yes, ai-train=no`, in any case. Where a signal is given twice, no wins.
 *
 * `use=…` (2026) is a ceiling and no permission; it is known and changes nothing here.
 */
export function parseContentSignal(
	text: string,
	at: Place = { line: 1, column: 1 },
): Parsed<ContentSignals, PolicyProblemCode> {
	const value: Partial<Record<SignalName, 'allow' | 'deny'>> = {};
	const problems: PolicyProblem[] = [];
	let column = at.column;
	for (const part of text.split(',')) {
		const place = { line: at.line, column: column + part.length - part.trimStart().length };
		column += part.length + 1;
		const member = part.trim().toLowerCase();
		if (member === '') continue;
		const [key = '', said] = member.split('=', 2).map((side) => side.trim());
		const name = signalNames.find((known) => known === key);
		if (said === undefined) problems.push(policyProblem('content-signal-malformed', place, { text: part.trim() }));
		else if (key === 'use') continue;
		else if (!name) problems.push(policyProblem('content-signal-unknown-key', place, { key }));
		else if (said === 'no') value[name] = 'deny';
		else if (said === 'yes') value[name] ??= 'allow';
		else problems.push(policyProblem('content-signal-unknown-value', place, { key, value: said }));
	}
	return { value, problems };
}
