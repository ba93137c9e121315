import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../shared/', import.meta.url);

/**
 * Stands in the title of every test over pages and files of other people, which are not part of the project. Only such
 * tests may be skipped in CI, and only where the folder is missing: `closing-line.ts`.
 */
export const needsShared = '(needs ../shared)';

/** Not any folder of that name: a stranger may have one. */
export const hasShared = existsSync(new URL('vectors/README.md', root));

/**
 * The path of a file in the folder of vectors and pages of other people that may lie beside the checkout, or undefined
 * where it does not: tests over it then skip, with `needsShared` in their titles.
 */
export function sharedPath(relative: string): string | undefined {
	const path = fileURLToPath(new URL(relative, root));
	return hasShared && existsSync(path) ? path : undefined;
}
