import { lintProblems } from '@wayleave/protocols/lint/problems';
import { ConfigError, parseConfig } from '../config/load.ts';
import { termsOf } from '../terms/terms.ts';
import type { LintProblem } from './problems.ts';

/** Mistakes in a policy file, and settings without the effect that they probably intend. */
export function checkPolicyFile({ text }: { readonly text: string }): LintProblem[] {
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

/** The place of a problem in the file: the first line with its name, directive or path. */
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
