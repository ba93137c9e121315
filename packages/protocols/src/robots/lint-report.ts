import type { SeveritiesOf } from '../internal/problem-maker.ts';
import type { Problem } from '../problem.ts';
import type { RobotsCode, robotsProblems } from './problems.ts';
import { createReport, parserSeverities, type Report } from './report.ts';

const severities = {
	...parserSeverities,
	'agent-repeated': 'info',
	'dollar-inside-pattern': 'info',
	'hash-in-value': 'info',
	'index-page-opens-folder': 'info',
	'invalid-percent': 'info',
	'lint-names-beside-star': 'info',
	'robots-omitted': 'info',
	'rule-repeated': 'info',
	'site-closed': 'info',
} as const satisfies SeveritiesOf<typeof robotsProblems>;

/** A report that continues with the problems of a closed one. */
export function createLintReport(before: readonly Problem<RobotsCode>[] = []): Report {
	const omitted = before.find(({ code }) => code === 'robots-omitted');
	const report = createReport(severities, Number(omitted?.args.count ?? 0));
	for (const problem of before) {
		const { code, line, column, args, severity } = problem;
		if (problem !== omitted) report.add(code, line, column, args, severity);
	}
	return report;
}
