// Scripts are timed as they are shipped: plain JavaScript, without what a loader of TypeScript adds to each function.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** Makes one file of a script of this folder and of the packages that it uses; returns its path. */
export async function bundle(script: string): Promise<string> {
	const outfile = join(here, '.built', script.replace(/\.ts$/, '.mjs'));
	await build({
		entryPoints: [join(here, script)],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node20',
		supported: { 'regexp-unicode-property-escapes': true },
		conditions: ['wayleave-source'],
		external: ['better-sqlite3', 'pg', 'http-proxy', 'hono', '@hono/node-server'],
		banner: {
			js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	return outfile;
}
