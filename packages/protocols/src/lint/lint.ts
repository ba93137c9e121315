import { parseUrl } from '../url/index.ts';
import { checkFile, type LintContext, type LintFile, type OutsideChecks } from './check.ts';
import type { FormatName } from './format-names.ts';
import type { LintCode, LintProblem } from './problems.ts';
import { recognise } from './recognise.ts';

/** A file before its format is known. */
export type RawFile = Pick<LintFile, 'name' | 'bytes' | 'text'>;

export interface FileProblems<Code extends string = LintCode> {
	readonly file: string;
	readonly problems: readonly LintProblem<Code>[];
}

export interface LintOptions {
	/** The folder of a file that is not a URL; files in the same folder belong together. Default: its name up to the last `/`. */
	readonly folderOf?: (name: string) => string;
	/** The robots.txt for every robots2.txt. Default: one of the files, from the same folder or origin. */
	readonly robots?: RawFile | undefined;
	/** The manifest that was published before the one among the files. */
	readonly previous?: RawFile | undefined;
}

/** Recognises the format of each file, unless it is given, and lists the files that have none. */
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

/** Why the files cannot be checked with these options. Undefined: they can. */
export function lintFault(
	files: readonly Pick<LintFile, 'format'>[],
	{ robots, previous }: LintOptions,
): 'robots-without-robots2' | 'previous-without-manifest' | undefined {
	const count = (format: FormatName) => files.filter((file) => file.format === format).length;
	if (robots !== undefined && count('robots2') === 0) return 'robots-without-robots2';
	return previous !== undefined && count('pagedigest') !== 1 ? 'previous-without-manifest' : undefined;
}

/** Checks files of any known format, each together with its companions. */
export function lintFiles<Code extends string>(
	files: readonly LintFile[],
	{ folderOf = folderByName, robots, previous }: LintOptions,
	outside: OutsideChecks<Code>,
): FileProblems<LintCode | Code>[] {
	const candidates = files.filter(({ format }) => format === 'robots');
	const home = ({ name }: LintFile) => (isAddress(name) ? new URL(name).origin : folderOf(name));
	return files.map((file) => {
		const companion = robots ?? candidates.find((other) => home(file) === home(other));
		const context: LintContext = {
			...(companion !== undefined && { robots: companion }),
			...(previous !== undefined && { previous }),
		};
		return { file: file.name, problems: checkFile(file, context, outside) };
	});
}

/** Whether a file was named by an `http` or `https` URL. */
export function isAddress(name: string): boolean {
	return /^https?:\/\//i.test(name) && parseUrl(name) !== undefined;
}

const folderByName = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);
