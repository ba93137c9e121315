import type { SeveritiesOf } from '../internal/problem-maker.ts';
import type { Problem, Severity } from '../problem.ts';
import type { RobotsCode, robotsProblems } from './problems.ts';

export type Arguments = Problem['args'];

/** What is not a warning. The sentences are in `problems.ts`, which no reader of files needs to load. */
const severities: { readonly [Code in RobotsCode]?: Severity } = {
	'agent-repeated': 'info',
	'byte-order-mark': 'info',
	'dollar-inside-pattern': 'info',
	'hash-in-value': 'info',
	'html-instead-of-robots': 'error',
	'invalid-percent': 'info',
	'rule-repeated': 'info',
	'unknown-key': 'info',
	'utf-16': 'error',
} satisfies SeveritiesOf<typeof robotsProblems>;

/** Collects problems, each with the severity of its code. */
export interface Report {
	readonly problems: Problem<RobotsCode>[];
	add(code: RobotsCode, line: number, column: number, args?: Arguments): void;
}

export function createReport(problems: Problem<RobotsCode>[] = []): Report {
	return {
		problems,
		add(code, line, column, args = {}) {
			problems.push({ code, severity: severities[code] ?? 'warning', line, column, args });
		},
	};
}
