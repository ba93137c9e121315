import { existsSync } from 'node:fs';
import { textOf } from '@wayleave/protocols';
import { type Manifest, parseManifest, parseRevisions, type RevisionState } from '@wayleave/protocols/pagedigest';
import { readFrom, readNamed } from '../../shared/options/read-named.ts';
import { problemLines } from '../../shared/problem-lines.ts';
import type { Terminal } from '../../terminal/command.ts';

/** A manifest; undefined where it cannot be used. What is wrong with it is printed. @throws FileError */
export function readManifest(name: string, terminal: Terminal): Manifest | undefined {
	const { value, problems } = parseManifest(readNamed(name, terminal));
	terminal.err(problemLines(name, problems));
	return value;
}

/** The revision state in a file; `fresh` where there is no file yet, undefined where it cannot be read. */
export function readRevisions(name: string, path: string, terminal: Terminal): RevisionState | 'fresh' | undefined {
	if (!existsSync(path)) return 'fresh';
	const { value, problems } = parseRevisions(textOf(readFrom(path, name)));
	terminal.err(problemLines(name, problems));
	return value;
}
