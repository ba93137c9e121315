import { publishProblems } from '@wayleave/gateway';
import { allProblems } from '@wayleave/gateway/lint/problems';
import type { Problem, Severity } from '@wayleave/protocols';
import { liveProblems } from './live-problems.ts';

/** Severity and sentence of every code that publishing may meet. */
const tables: Readonly<Record<string, { severity: Severity; sentence: string }>> = {
	...allProblems,
	...publishProblems,
	...liveProblems,
};

/** `file:line:col severity code sentence`; without a place where the problem has none. */
export function problemLine(file: string, { line, column, severity, code, args }: Problem): string {
	const place = line > 0 ? `${file}:${line}:${column}` : file;
	const sentence = (tables[code]?.sentence ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''));
	return `${place} ${severity} ${code} ${sentence.replace(/\p{Cc}/gu, ' ')}\n`;
}
