import { isAbsolute, relative, sep } from 'node:path';
import type { FileProblems } from '@wayleave/gateway/lint';
import { allProblems, explain, type LintCode } from '@wayleave/gateway/lint/problems';
import type { Severity } from '@wayleave/protocols';
import { isAddress } from '@wayleave/protocols/lint';
import { version } from '../../terminal/version.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

/** The findings as SARIF 2.1.0, for code scanning in CI. */
export function toSarif(results: readonly FileProblems[], cwd: string): object {
	const codes = [...new Set(results.flatMap(({ problems }) => problems.map(({ code }) => code)))].sort();
	return {
		$schema: 'https://json.schemastore.org/sarif-2.1.0.json',
		version: '2.1.0',
		runs: [
			{
				tool: { driver: { name: 'wayleave lint', semanticVersion: version, rules: codes.map(toRule) } },
				columnKind: 'utf16CodeUnits',
				results: results.flatMap(({ file, problems }) =>
					problems.map((problem) => ({
						ruleId: problem.code,
						ruleIndex: codes.indexOf(problem.code),
						level: levels[problem.severity],
						message: { text: explain(problem) },
						locations: [{ physicalLocation: toLocation(file, problem, cwd) }],
					})),
				),
			},
		],
	};
}

function toRule(code: LintCode): object {
	const { severity, sentence } = allProblems[code];
	return {
		id: code,
		shortDescription: { text: sentence },
		help: { text: `See docs/problems/${code}.md in the documentation of Wayleave.` },
		defaultConfiguration: { level: levels[severity] },
	};
}

/** A problem of the whole file has no region. */
function toLocation(
	file: string,
	{ line, column }: { readonly line: number; readonly column: number },
	cwd: string,
): object {
	const region = line > 0 ? { region: { startLine: line, ...(column > 0 && { startColumn: column }) } } : {};
	return { artifactLocation: { uri: toUri(file, cwd) }, ...region };
}

/** Relative to the folder where lint ran, so that a CI can show it in the repository. */
function toUri(file: string, cwd: string): string {
	if (isAddress(file)) return file;
	const path = isAbsolute(file) ? relative(cwd, file) : file;
	return encodeURI(path.split(sep).join('/')).replace(/[?#]/g, encodeURIComponent);
}
