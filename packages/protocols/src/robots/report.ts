import { maxProblems } from '../internal/max-problems.ts';
import type { Problem, Severity } from '../problem.ts';
import type { RobotsCode } from './problems.ts';

export type Arguments = Problem['args'];

/** By code; what is not listed is a warning. */
export type Severities = { readonly [Code in RobotsCode]?: Severity };

/** Severities of the problems that the parser reports. The sentences are in `problems.ts`, which it need not load. */
export const parserSeverities = {
	'agent-begins-with-digit': 'info',
	'agent-version': 'info',
	'byte-order-mark': 'info',
	'html-instead-of-robots': 'error',
	'star-in-agent': 'info',
	'unknown-key': 'info',
	'utf-16': 'error',
} as const satisfies Severities;

/** Collects problems, each with the severity of its code: the first thousand, and how many more there are. */
export interface Report {
	/** @param severity replaces the usual one of the code */
	add(code: RobotsCode, line: number, column: number, args?: Arguments, severity?: Severity): void;
	close(): Problem<RobotsCode>[];
}

/** @param before how many problems were omitted before */
export function createReport(severities: Severities = parserSeverities, before = 0): Report {
	const problems: Problem<RobotsCode>[] = [];
	let omitted = before;
	return {
		add(code, line, column, args = {}, severity = severities[code] ?? 'warning') {
			if (problems.length < maxProblems) problems.push({ code, severity, line, column, args });
			else omitted++;
		},
		close() {
			if (omitted > 0)
				problems.push({ code: 'robots-omitted', severity: 'info', line: 0, column: 0, args: { count: omitted } });
			return problems;
		},
	};
}
