import type { Place } from '../internal/problem-maker.ts';
import type { Parsed } from '../problem.ts';
import type { PolicyProblem, PolicyProblemCode } from './problems.ts';
import { policyProblem } from './report.ts';
import type { Use } from './uses.ts';

/** What the signals are about (draft-romm-aipref-contentsignals). */
export const signalNames = ['search', 'ai-input', 'ai-train'] as const;
export type SignalName = (typeof signalNames)[number];

/**
 * The levels of `use=`, lowest first. `immediate`: nothing is kept after the answer. `reference`: index, quote and
 * link. `full`: summarise and reproduce. A level is a ceiling: it forbids everything above it and permits nothing.
 */
export const useLevels = ['immediate', 'reference', 'full'] as const;
export type UseLevel = (typeof useLevels)[number];

/** Uses that each level forbids. */
export const aboveLevel: Readonly<Record<UseLevel, readonly Use[]>> = {
	immediate: ['store', 'summarise', 'derivative', 'train'],
	reference: ['summarise', 'derivative', 'train'],
	full: [],
};

/** The value of each signal; absent neither grants nor restricts. */
export type ContentSignals = Readonly<Partial<Record<SignalName, 'allow' | 'deny'>>> & { readonly use?: UseLevel };

type Draft = { -readonly [Name in keyof ContentSignals]: ContentSignals[Name] };

/**
 * Reads the value of `Content-Signal`: `search=yes, ai-train=no, use=reference`, in any case. If a signal
 * occurs twice, no wins; of two levels the lower one.
 */
export function parseContentSignal(
	text: string,
	at: Place = { line: 1, column: 1 },
): Parsed<ContentSignals, PolicyProblemCode> {
	const value: Draft = {};
	const problems: PolicyProblem[] = [];
	let column = at.column;
	for (const part of text.split(',')) {
		const place = { line: at.line, column: column + part.length - part.trimStart().length };
		column += part.length + 1;
		const member = part.trim().toLowerCase();
		if (member === '') continue;
		const [key = '', said] = member.split('=', 2).map((side) => side.trim());
		if (said === undefined) problems.push(policyProblem('content-signal-malformed', place, { text: part.trim() }));
		else if (key === 'use') takeLevel(value, said, place, problems);
		else takeSignal(value, key, said, place, problems);
	}
	return { value, problems };
}

function takeSignal(value: Draft, key: string, said: string, place: Place, problems: PolicyProblem[]): void {
	const name = signalNames.find((known) => known === key);
	if (!name) problems.push(policyProblem('content-signal-unknown-key', place, { key }));
	else if (said === 'no') value[name] = 'deny';
	else if (said === 'yes') value[name] ??= 'allow';
	else problems.push(policyProblem('content-signal-unknown-value', place, { key, value: said, values: 'yes or no' }));
}

function takeLevel(value: Draft, said: string, place: Place, problems: PolicyProblem[]): void {
	const level = useLevels.find((known) => known === said);
	const before = value.use;
	if (!level) {
		const values = useLevels.join(', ');
		problems.push(policyProblem('content-signal-unknown-value', place, { key: 'use', value: said, values }));
	} else if (before === undefined || useLevels.indexOf(level) < useLevels.indexOf(before)) value.use = level;
}
