import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
	type Manifest,
	type PagedigestProblem,
	parseManifest,
	parseRevisions,
	type RevisionState,
} from '@wayleave/protocols/pagedigest';
import type { Terminal } from '../command.ts';
import { explain } from '../lint/problems.ts';

/** A manifest that was printed as wrong, or undefined. */
export function readManifest(name: string, path: string, terminal: Terminal): Manifest | undefined {
	const { value, problems } = parseManifest(readFileSync(path));
	terminal.err(problemLines(name, problems));
	return value;
}

/** The revision state in a file; `fresh` where there is no file yet, undefined where it cannot be read. */
export function readRevisions(name: string, path: string, terminal: Terminal): RevisionState | 'fresh' | undefined {
	if (!existsSync(path)) return 'fresh';
	const { value, problems } = parseRevisions(readFileSync(path, 'utf8'));
	terminal.err(problemLines(name, problems));
	return value;
}

/** Writes a file so that a reader sees the old text or the new one, and a crash leaves one of the two. */
export function replaceFile(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	const temporary = `${path}.${process.pid}.tmp`;
	writeFileSync(temporary, text, { flush: true });
	renameSync(temporary, path);
}

/** `file:line:col severity code message` for each problem. */
export function problemLines(name: string, problems: readonly PagedigestProblem[]): string {
	const lines = problems.map((problem) => {
		const { line, column, severity, code } = problem;
		return `${name}:${line}:${column} ${severity} ${code} ${explain(problem)}\n`;
	});
	return lines.join('');
}
