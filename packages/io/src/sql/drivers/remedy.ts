interface Remedy {
	readonly why: string;
	readonly command: string;
}

/**
 * One sentence for an operator: what to do where SQLite cannot be loaded, and why it cannot.
 *
 * @param failure the error of loading better-sqlite3
 * @param node the version of Node
 */
export function remedy(failure: unknown, node: string = process.versions.node): string {
	const { why, command } = remedyOf(failure);
	const newer = isOlder(node) ? ', use Node 22.13 or newer' : '';
	return `SQLite cannot be loaded: ${command}${newer}, or use --store postgres://… (${why})`;
}

function remedyOf(failure: unknown): Remedy {
	const { code = '', message = '' } = failure as { code?: string; message?: string };
	const [, why = `better-sqlite3: ${message.split('\n', 1)[0]}`, command = rebuild] =
		reasons.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
	return { why, command };
}

const rebuild = 'run `npm rebuild better-sqlite3` (or `npm approve-scripts`, `pnpm approve-builds`)';
const fromSource = 'run `npm rebuild better-sqlite3 --build-from-source`';
const install = 'run `npm install better-sqlite3@12`';

/** By the code and message of the error. The first that fits counts. */
const reasons: readonly (readonly [RegExp, why: string, command: string])[] = [
	[/MODULE_NOT_FOUND Cannot find (?:module|package) 'better-sqlite3'/, 'better-sqlite3 is not installed', install],
	[/Could not locate the bindings file/, 'better-sqlite3 is installed but not compiled', rebuild],
	[/NODE_MODULE_VERSION|did not self-register/, 'better-sqlite3 was compiled for another version of Node', rebuild],
	[/GLIBC|libstdc\+\+|libc\.musl|ld-linux|ld-musl/, 'better-sqlite3 was compiled for another C library', fromSource],
	[/ERR_DLOPEN_FAILED/, 'better-sqlite3 was compiled for another system', fromSource],
];

/** Whether it is older than the first Node whose `node:sqlite` needs no flag. */
function isOlder(node: string): boolean {
	const [major = 0, minor = 0] = node.split('.').map(Number);
	return major < 22 || (major === 22 && minor < 13) || (major === 23 && minor < 4);
}
