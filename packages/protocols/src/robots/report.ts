import { maxProblems } from '../internal/max-problems.ts';
import type { SeveritiesOf } from '../internal/problem-maker.ts';
import type { Problem, Severity } from '../problem.ts';
import type { RobotsCode, robotsProblems } from './problems.ts';

export type Arguments = Problem['args'];

/** What is not a warning. The sentences are in `problems.ts`, which no reader of files needs to load. */
const severities: { readonly [Code in RobotsCode]?: Severity } = {
	'agent-repeated': 'info',
	'agent-begins-with-digit': 'info',
	'agent-version': 'info',
	'byte-order-mark': 'info',
	'dollar-inside-pattern': 'info',
	'hash-in-value': 'info',
	'index-page-opens-folder': 'info',
	'html-instead-of-robots': 'error',
	'invalid-percent': 'info',
	'lint-names-beside-star': 'info',
	'robots-omitted': 'info',
	'rule-repeated': 'info',
	'site-closed': 'info',
	'star-in-agent': 'info',
	'unknown-key': 'info',
	'utf-16': 'error',
} satisfies SeveritiesOf<typeof robotsProblems>;

/** Collects problems, each with the severity of its code: the first thousand, and how many more there are. */
export interface Report {
	/** @param severity replaces the usual one of the code */
	add(code: RobotsCode, line: number, column: number, args?: Arguments, severity?: Severity): void;
	close(): Problem<RobotsCode>[];
}

/** @param before problems of an earlier, closed report */
export function createReport(before: readonly Problem<RobotsCode>[] = []): Report {
	const problems = before.filter(({ code }) => code !== 'robots-omitted');
	const beforeOmitted = before.find(({ code }) => code === 'robots-omitted');
	let omitted = Number(beforeOmitted?.args.count ?? 0);
	return {
		add(code, line, column, args = {}, severity = severities[code] ?? 'warning') {
			if (problems.length < maxProblems) problems.push({ code, severity, line, column, args });
			else omitted++;
		},
		close() {
			if (omitted === 0) return problems;
			const more = { code: 'robots-omitted', severity: 'info', line: 0, column: 0, args: { count: omitted } } as const;
			return [...problems, more];
		},
	};
}
