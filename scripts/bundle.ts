// Bundles the command for `bin/start.js`: npm run build. docs/decisions/0016-bundled-command.md
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
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
	return {
		name: 'tables-apart',
		resolveId: {
			filter: { id: tables },
			async handler(id, importer, { kind }) {
				if (kind !== 'require-call') return undefined;
				const found = await this.resolve(id, importer, { kind, skipSelf: true });
				if (found === null) throw new Error(`cannot find ${id}`);
				const name = basename(found.id).replace(/\.js$/, '.cjs');
				copyFileSync(found.id, join(outdir, name));
				copied.add(relative(root, found.id).replaceAll('\\', '/'));
				// An absolute one is written as it is: beside the bundle.
				return { id: `./${name}`, external: 'absolute' };
			},
		},
	};
}

/** The 100,000 tokens of the tokenizer as a text for `JSON.parse`, which reads them faster than V8 compiles an array. */
const tokensAsText: Plugin = {
	name: 'tokens-as-text',
	load: {
		filter: { id: /[\\/]bpeRanks[\\/]\w+\.js$/ },
		async handler(path) {
			const { default: tokens } = (await import(pathToFileURL(path).href)) as { default: unknown };
			return `export default JSON.parse(${JSON.stringify(JSON.stringify(tokens))});`;
		},
	},
};

/** Writes programs and the threads that they start to a folder. Returns the files that the bundle contains. */
async function write(programs: readonly string[], outdir: string, external: readonly string[]): Promise<string[]> {
	rmSync(outdir, { recursive: true, force: true });
	mkdirSync(outdir, { recursive: true });
	const copied = new Set<string>();
	const { output } = await build({
		cwd: root,
		input: Object.fromEntries([...programs, ...threadModules()].map((path) => [basename(path, '.ts'), path])),
		platform: 'node',
		// Its paths lead to declarations.
		tsconfig: false,
		resolve: { conditionNames: ['wayleave-source', 'node', 'import'] },
		external: new RegExp(`^(?:${[...unbundled, ...external, 'pg-native'].join('|')})(?:/|$)`),
		plugins: [tablesApart(outdir, copied), tokensAsText],
		output: {
			dir: outdir,
			format: 'esm',
			// Flat: the parts look for threads and for files of the package from where they lie.
			entryFileNames: '[name].js',
			chunkFileNames: '[name]-[hash].js',
		},
	});
	const files = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
	return [...files.map((file) => relative(root, file).replaceAll('\\', '/')), ...copied];
}

/** Writes the command to a folder, and the licences of the packages that it contains. */
export async function bundle(outdir: string): Promise<void> {
	const contents = await write([join(command, 'src/bin.ts')], outdir, peers);
	writeFileSync(join(outdir, 'NOTICES.txt'), notices(contents, root));
}

/** Writes programs of the tests to a folder, with the code of our own packages that the command takes from npm. */
export async function bundlePrograms(programs: readonly string[], outdir: string): Promise<void> {
	await write(programs, outdir, ['@aws-sdk/client-s3', 'pdfjs-dist']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(join(command, 'dist/bundle'));
