import { explain } from '@wayleave/gateway/lint/problems';

/** `file:line:col severity code message` for each problem. */
export const problemLines = (name: string, problems: readonly Parameters<typeof explain>[0][]): string =>
	problems
		.map(
			(problem) =>
				`${name}:${problem.line}:${problem.column} ${problem.severity} ${problem.code} ${explain(problem)}\n`,
		)
		.join('');
