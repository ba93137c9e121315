import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);

/** The subpaths of `@wayleave/protocols` with the source file of each: not `.`, and not the sentences for people. */
export function subpaths(): { name: string; source: string }[] {
	const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
		exports: Record<string, Record<string, string>>;
	};
	return Object.entries(exports)
		.filter(([path]) => path !== '.' && !path.includes('*'))
		.map(([path, targets]) => ({
			name: path.slice(2),
			source: fileURLToPath(new URL(targets['wayleave-source']!, root)),
		}));
}

export interface BundleOptions {
	/** Modules left out, matched against the import as written. */
	readonly without?: RegExp;
	/** Puts the exports on `globalThis` under this name instead of exporting them. */
	readonly globalName?: string;
}

/**
 * One minified bundle: of a source file with its exports, or of several, each under its own name. `platform: neutral` knows no Node module:
 * an import of one fails the build, so a bundle that is made runs in browsers and at the edge.
 */
export async function bundle(
	entries: readonly { name: string; source: string }[],
	{ without, globalName }: BundleOptions = {},
): Promise<string> {
	const from = (source: string): string => ` from ${JSON.stringify(source)};`;
	const contents =
		entries.length === 1
			? `export *${from(entries[0]!.source)}`
			: entries.map(({ name, source }) => `export * as ${name.replace(/\W/g, '_')}${from(source)}`).join('\n');
	const result = await build({
		stdin: { contents, resolveDir: fileURLToPath(root) },
		bundle: true,
		minify: true,
		write: false,
		platform: 'neutral',
		target: 'es2023',
		logLevel: 'silent',
		...(globalName === undefined ? { format: 'esm' } : { format: 'iife', globalName }),
		...(without && {
			plugins: [
				{
					name: 'without',
					setup(setup) {
						setup.onResolve({ filter: without }, ({ path }) => ({ path, namespace: 'without' }));
						// Whatever is imported from it is undefined, and none of its text is counted.
						setup.onLoad({ filter: /.*/, namespace: 'without' }, () => ({
							contents: 'module.exports = {};',
							loader: 'js',
						}));
					},
				},
			],
		}),
	});
	return result.outputFiles[0]!.text;
}

export const gzipSize = (text: string): number => gzipSync(text, { level: 9 }).length;
