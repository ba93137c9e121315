import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);

/** The subpaths of `@wayleave/protocols` with the source file of each: not `.`, and not the sentences for people. */
export function subpaths(): Entry[] {
	const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
		exports: Record<string, Record<string, string>>;
	};
	return Object.entries(exports)
		.filter(([path]) => path !== '.' && !path.endsWith('/problems'))
		.map(([path, targets]) => ({
			name: path.slice(2),
			source: fileURLToPath(new URL(targets['wayleave-source']!, root)),
		}));
}

/** A source file and its wanted exports; all exports if the list is empty. */
export interface Entry {
	readonly name: string;
	readonly source: string;
	readonly names?: readonly string[];
}

export interface BundleOptions {
	/** Modules left out, as esbuild patterns of their paths: the bundle imports them. */
	readonly without?: readonly string[];
	/** Puts the exports on `globalThis` under this name, those of each entry under its own, instead of exporting them. */
	readonly globalName?: string;
}

/**
 * One minified bundle of source files with all their exports. `platform: neutral` knows no Node module: an import of
 * one fails the build, so a bundle that is made runs in browsers and at the edge.
 */
export async function bundle(
	entries: readonly Entry[],
	{ without = [], globalName }: BundleOptions = {},
): Promise<string> {
	const contents = globalName === undefined ? await exportsOf(entries) : entries.map(underItsName).join('\n');
	const result = await build({
		stdin: { contents, resolveDir: fileURLToPath(root) },
		bundle: true,
		minify: true,
		write: false,
		platform: 'neutral',
		target: 'es2023',
		logLevel: 'silent',
		external: [...without],
		...(globalName === undefined ? { format: 'esm' } : { format: 'iife', globalName }),
	});
	return result.outputFiles[0]!.text;
}

const underItsName = ({ name, source }: { name: string; source: string }): string =>
	`export * as ${name.replace(/\W/g, '_')} from ${JSON.stringify(source)};`;

/** Every export by name, as a page that uses all of them would import it; of two with one name the second is renamed. */
async function exportsOf(entries: readonly Entry[]): Promise<string> {
	const [first] = entries;
	if (first !== undefined && entries.length === 1) {
		const wanted = first.names === undefined ? '*' : `{ ${first.names.join(', ')} }`;
		return `export ${wanted} from ${JSON.stringify(first.source)};`;
	}
	const taken = new Set<string>();
	const lines: string[] = [];
	for (const { name, source } of entries) {
		for (const key of Object.keys((await import(source)) as object)) {
			const as = taken.has(key) ? `${name}_${key}`.replace(/\W/g, '_') : key;
			taken.add(as);
			lines.push(`export { ${key} as ${as} } from ${JSON.stringify(source)};`);
		}
	}
	return lines.join('\n');
}

export const gzipSize = (text: string): number => gzipSync(text, { level: 9 }).length;
