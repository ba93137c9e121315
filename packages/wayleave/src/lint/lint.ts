import { dirname, resolve } from 'node:path';
import { UsageError } from '../command.ts';
import { checkFile, type LintContext, type LintFile } from './check.ts';
import { isAddress, type RawFile } from './inputs.ts';
import type { LintProblem } from './problems.ts';
import { type FormatName, recognise } from './recognise.ts';

export interface FileProblems {
	readonly file: string;
	readonly problems: readonly LintProblem[];
}

export interface LintOptions {
	readonly cwd: string;
	/** The robots.txt beside every robots2.txt; otherwise one of the files, from the same folder or origin. */
	readonly robots?: RawFile;
	/** The manifest that was published before the one among the files. */
	readonly previous?: RawFile;
}

/** Tells the format of each file, unless it is given, and which have none that we know. */
export function identify(
	raw: readonly RawFile[],
	given?: FormatName,
): { readonly known: readonly LintFile[]; readonly unknown: readonly RawFile[] } {
	const known: LintFile[] = [];
	const unknown: RawFile[] = [];
	for (const file of raw) {
		const format = given ?? recognise(file.name, file.text);
		if (format === undefined) unknown.push(file);
		else known.push({ ...file, format });
	}
	return { known, unknown };
}

/** Checks files of any known format, each together with what belongs to it. Throws UsageError. */
export function lintFiles(files: readonly LintFile[], { cwd, robots, previous }: LintOptions): FileProblems[] {
	const withFormat = (format: FormatName) => files.filter((file) => file.format === format);
	if (robots !== undefined && withFormat('robots2').length === 0) {
		throw new UsageError('--robots needs a robots2.txt to compare with: pass one');
	}
	if (previous !== undefined && withFormat('pagedigest').length !== 1) {
		throw new UsageError('--previous needs exactly one pagedigest manifest: pass one');
	}
	const candidates = withFormat('robots');
	return files.map((file) => {
		const beside = robots ?? candidates.find((other) => areNeighbours(file, other, cwd));
		const context: LintContext = {
			...(beside !== undefined && { robots: beside }),
			...(previous !== undefined && { previous }),
		};
		return { file: file.name, problems: checkFile(file, context) };
	});
}

/** In the same folder, or at the same origin. */
function areNeighbours(a: LintFile, b: LintFile, cwd: string): boolean {
	const home = ({ name }: LintFile) => (isAddress(name) ? new URL(name).origin : dirname(resolve(cwd, name)));
	return home(a) === home(b);
}
