import {
	type FileProblems as Files,
	type LintFile,
	type LintOptions,
	lintFiles as lintWith,
	type OutsideChecks,
} from '@wayleave/protocols/lint';
import { checkRobotsNames } from '../terms/check-names.ts';
import { checkPolicyFile } from './policy-file.ts';
import type { LintCode, LintProblem } from './problems.ts';

export {
	identify,
	isAddress,
	type LintFile,
	type LintOptions,
	lintFault,
	type RawFile,
} from '@wayleave/protocols/lint';
export { type FormatName, formatNames } from '@wayleave/protocols/lint/format-names';
export { formatTitles, isKnownName, recognise } from '@wayleave/protocols/lint/formats';
export { allProblems, explain, type LintCode, type LintProblem } from './problems.ts';

export type FileProblems = Files<LintCode>;

const outside: OutsideChecks<LintCode> = { robotsNames: checkRobotsNames, policyFile: checkPolicyFile };

/** Checks files of any known format, each together with its companions. */
export function lintFiles(files: readonly LintFile[], options: LintOptions = {}): FileProblems[] {
	return lintWith(files, options, outside);
}

/** All problems of one file, in the order of its lines. */
export function checkFile(file: LintFile, options: LintOptions = {}): readonly LintProblem[] {
	return lintFiles([file], options).flatMap(({ problems }) => problems);
}
