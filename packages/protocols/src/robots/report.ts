import type { Problem } from '../problem.ts';
import { type RobotsCode, robotsProblems } from './problems.ts';

export type Arguments = Problem['args'];

/** Collects problems, each with the severity of its code. */
export interface Report {
	readonly problems: Problem<RobotsCode>[];
	add(code: RobotsCode, line: number, column: number, args?: Arguments): void;
}

export function createReport(): Report {
	const problems: Problem<RobotsCode>[] = [];
	return {
		problems,
		add(code, line, column, args = {}) {
			problems.push({ code, severity: robotsProblems[code].severity, line, column, args });
		},
	};
}
