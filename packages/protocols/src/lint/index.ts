export type { LintFile, OutsideChecks } from './check.ts';
export { type FormatName, formatNames } from './format-names.ts';
export * from './lint.ts';
export { explainWith, type LintCode, type LintProblem, lintProblems, problemTables } from './problems.ts';
export { formatTitles, isKnownName, recognise } from './recognise.ts';
