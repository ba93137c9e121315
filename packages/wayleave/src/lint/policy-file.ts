import { ConfigError, parseConfig, termsOf } from '@wayleave/gateway/policy';
import type { LintFile } from './check.ts';
import { type LintProblem, lintProblems } from './problems.ts';

/** What is wrong in a policy file, or will not come about as it is probably meant. */
export function checkPolicyFile({ text }: Pick<LintFile, 'text'>): LintProblem[] {
	try {
		const { problems } = termsOf(parseConfig(text));
		return problems.map((problem) => ({ ...problem, ...placeOf(text, problem.args) }));
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		return error.problems.map(({ line, column, path, message }) => ({
			code: 'lint-policy-invalid',
			severity: lintProblems['lint-policy-invalid'].severity,
			line,
			column,
			args: { message: path === '' ? message : `${path}${message.startsWith('is missing') ? ' ' : ': '}${message}` },
		}));
	}
}

/** Where the file has what a problem is about: the name, the directive or the path, by the first line that holds it. */
function placeOf(text: string, args: LintProblem['args']): { line: number; column: number } {
	const about = ['agent', 'name', 'directive', 'pattern'].flatMap((key) =>
		args[key] === undefined ? [] : [String(args[key])],
	);
	const lines = text.split('\n');
	for (const word of about) {
		const line = lines.findIndex((each) => !/^\s*#/.test(each) && each.includes(word));
		if (line >= 0) return { line: line + 1, column: (lines[line]?.indexOf(word) ?? 0) + 1 };
	}
	return { line: 0, column: 0 };
}
