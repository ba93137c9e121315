// Bundles the command for `bin/start.js`: npm run build. docs/decisions/0016-bundled-command.md
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { notices } from './notices.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const command = join(root, 'packages/wayleave');

/** Packages that have native code, files of their own, or many megabytes. `wayleave` depends on them itself. */
export const unbundled = ['better-sqlite3', 'node-sqlite3-wasm', 'pg', 'playwright-core'];
/** Peers that may be missing. */
const peers = ['@wayleave/service', '@wayleave/mcp', '@wayleave/files', '@aws-sdk/client-s3'];

/** The modules of threads, which `threadEntry` names. */
function threadModules(): string[] {
	const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' }).filter((file) =>
		/^\w+[\\/]src[\\/].*(?<!\.test)\.ts$/.test(file),
	);
	return files.flatMap((file) => {
		const path = join(root, 'packages', file);
		const calls = readFileSync(path, 'utf8').matchAll(/= threadEntry\('(\.\/[\w-]+)'/g);
		return [...calls].map(([, name = '']) => `${join(dirname(path), name)}.ts`);
	});
}

/** Large tables that packages load late, by `require`. As files of their own they cost nothing before. */
const tables = /^tinyld$|\/multi-byte\.encodings\.json$/;

/** @param copied the tables that were copied */
function tablesApart(outdir: string, copied: Set<string>): Plugin {
	const apart = 'apart';
	return {
		name: 'tables-apart',
		setup(pass) {
			pass.onResolve({ filter: tables }, async ({ path, kind, importer, resolveDir, pluginData }) => {
				if (kind !== 'require-call' || pluginData === apart) return undefined;
				const found = await pass.resolve(path, { kind, importer, resolveDir, pluginData: apart });
				const name = basename(found.path).replace(/\.js$/, '.cjs');
				copyFileSync(found.path, join(outdir, name));
				copied.add(relative(root, found.path).replaceAll('\\', '/'));
				return { path: `./${name}`, external: true };
			});
		},
	};
}

/** The 100,000 tokens of the tokenizer as a text for `JSON.parse`, which reads them faster than V8 compiles an array. */
const tokensAsText: Plugin = {
	name: 'tokens-as-text',
	setup(pass) {
		pass.onLoad({ filter: /[\\/]bpeRanks[\\/]\w+\.js$/ }, async ({ path }) => {
			const { default: tokens } = (await import(pathToFileURL(path).href)) as { default: unknown };
			return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(tokens))});` };
		});
	},
};

/** Writes the command to a folder, and the licences of the packages that it contains. */
export async function bundle(outdir: string): Promise<void> {
	rmSync(outdir, { recursive: true, force: true });
	mkdirSync(outdir, { recursive: true });
	const copied = new Set<string>();
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: [join(command, 'src/bin.ts'), ...threadModules()],
		outdir,
		// Flat: the parts look for threads and for files of the package from where they lie.
		entryNames: '[name]',
		bundle: true,
		splitting: true,
		platform: 'node',
		format: 'esm',
		target: 'node20.19',
		// Else each of these becomes a call of `RegExp`, which compiles it again each time it is reached.
		supported: { 'regexp-unicode-property-escapes': true },
		conditions: ['wayleave-source'],
		external: [...unbundled, ...peers, 'pg-native'],
		// Of packages that are CommonJS.
		banner: {
			js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
		},
		plugins: [tablesApart(outdir, copied), tokensAsText],
		metafile: true,
		logLevel: 'warning',
	});
	writeFileSync(join(outdir, 'NOTICES.txt'), notices([...Object.keys(metafile.inputs), ...copied], root));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(join(command, 'dist/bundle'));
