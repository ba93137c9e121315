import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../shared/', import.meta.url);

/**
 * The path of a file in the folder of shared vectors and pages that may lie beside the checkout,
 * or undefined where it does not: tests over it then skip by name.
 */
export function sharedPath(relative: string): string | undefined {
	const path = fileURLToPath(new URL(relative, root));
	return existsSync(path) ? path : undefined;
}
