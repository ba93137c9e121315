// The whole way of a stranger, on the oldest and the newest Node that are promised: a clone, `npm ci`, the command and the
// README's blocks; packed files in an empty project; without a compiler, with install scripts blocked. Prints a table and
// ends with 1 where a row failed. It needs a registry, and takes some minutes: npm's cache is empty at the start.
//   npm run test:install [-- --warm]     with npm's usual cache
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from '../examples/site/build.ts';
import { serveFolder } from '../packages/wayleave/src/demo/static-server.ts';
import { checks, expect, installed } from './install/packed.ts';
import { lastLines, type Place, run, succeed } from './install/run.ts';
import { otherNode } from './other-node.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'wayleave-install-'));
const isWarm = process.argv.includes('--warm');
const versions = ['20', '22', '24'];

const rows: { where: string; what: string; seconds: number; failure?: string }[] = [];

/** Runs one row of the table. What follows a failed row is tried all the same. */
async function row(where: string, what: string, work: () => Promise<unknown>): Promise<void> {
	const start = performance.now();
	const done = { where, what };
	try {
		await work();
		rows.push({ ...done, seconds: (performance.now() - start) / 1000 });
	} catch (error) {
		const failure = error instanceof Error ? error.message : String(error);
		rows.push({ ...done, seconds: (performance.now() - start) / 1000, failure });
	}
	const { seconds, failure } = rows.at(-1) ?? { seconds: 0 };
	console.log(`${failure === undefined ? 'ok  ' : 'FAIL'} ${seconds.toFixed(1).padStart(6)} s  ${where}: ${what}`);
	if (failure !== undefined) console.log(`       ${failure}`);
}

/** A stranger's environment: nothing of ours but the path, with another Node in front where one is named. */
function placeIn(cwd: string, node?: string, more: NodeJS.ProcessEnv = {}): Place {
	const kept = Object.entries(process.env).filter(
		([name]) => !/^(?:npm_(?!config_registry)|NODE_|WAYLEAVE_|INIT_CWD)/i.test(name),
	);
	// What npm puts in front for our own scripts would answer for commands that are missing in the stranger's folder.
	const usual = (process.env.PATH ?? '').split(delimiter).filter((part) => !/node_modules|node-gyp-bin/.test(part));
	const path = [...(node === undefined ? [] : [node]), ...usual].join(delimiter);
	const cache = isWarm ? {} : { npm_config_cache: join(base, 'npm-cache') };
	mkdirSync(cwd, { recursive: true });
	return { cwd, env: { ...Object.fromEntries(kept), PATH: path, CI: '1', NO_COLOR: '1', ...cache, ...more } };
}

/** The folder of another version's executable. */
async function folderOf(version: string): Promise<string> {
	const executable = otherNode(version);
	if (executable === undefined) throw new Error(`node@${version} cannot be installed`);
	const { stdout } = await succeed(placeIn(base, dirname(executable)), 'node', '--version');
	expect(stdout.startsWith(`v${version}.`), `node@${version} is ${stdout}`);
	return dirname(executable);
}

/** A PATH without compilers: links to every other program. */
function pathWithoutCompiler(): string {
	const folder = join(base, 'no-compiler');
	mkdirSync(folder);
	for (const part of new Set((process.env.PATH ?? '').split(delimiter))) {
		if (!existsSync(part)) continue;
		for (const name of readdirSync(part)) {
			const isCompiler =
				/^(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|make|gmake|ninja|ld|python[\d.]*)(?:-[\d.]+)?$/.test(name);
			if (!isCompiler && !existsSync(join(folder, name))) symlinkSync(join(part, name), join(folder, name));
		}
	}
	return folder;
}

async function main(): Promise<void> {
	buildSite(join(base, 'site'), 'https://tidemark.example');
	const server = await serveFolder(join(base, 'site'), { origin: 'https://tidemark.example' });
	try {
		const site = `http://127.0.0.1:${server.port}/`;
		const nodes = new Map<string, string>();
		for (const version of ['18', ...versions])
			await row(`Node ${version}`, 'npm install node', async () => nodes.set(version, await folderOf(version)));
		await inClone(site, nodes);
		await fromTarballs(site, nodes);
	} finally {
		await server.close();
	}
}

const clone = join(base, 'clone');
const tarballs = join(base, 'tarballs');

async function inClone(site: string, nodes: ReadonlyMap<string, string>): Promise<void> {
	const place = placeIn(clone);
	rmSync(clone, { recursive: true });
	await row('a clone', 'git clone', () =>
		succeed({ ...place, cwd: base }, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone),
	);
	await row('a clone', 'npm ci', () => succeed(place, 'npm', 'ci'));
	for (const [version, node] of nodes) {
		const there = placeIn(clone, node);
		const commands = readdirSync(join(clone, 'packages/wayleave/src/commands'))
			.filter((name) => /^[a-z-]+\.ts$/.test(name) && name !== 'index.ts')
			.map((name) => name.slice(0, -3));
		if (version === '18') {
			await row('a clone, Node 18', 'one sentence from every command', async () => {
				for (const name of ['--version', '--help', ...commands]) {
					const ran = await run(there, 'node', 'node_modules/wayleave/bin/wayleave.js', name);
					const isRight =
						ran.status === 3 && /^error: Wayleave needs Node 20\.19 or newer; this is 18\.\S+\n$/.test(ran.stderr);
					expect(isRight && ran.stdout === '', `${name}: ${ran.status}: ${lastLines(ran)}`);
				}
			});
			continue;
		}
		const where = `a clone, Node ${version}`;
		await row(where, 'COMMAND --help, of each', async () => {
			expect(!existsSync(join(clone, 'packages/wayleave/dist')), 'something was built');
			expect(existsSync(join(clone, 'node_modules/.bin/wayleave')), 'npm linked no command');
			for (const name of commands) {
				const { stdout } = await succeed(there, 'node', 'node_modules/.bin/wayleave', name, '--help');
				expect(stdout.includes(`Usage: wayleave ${name}`), stdout);
			}
		});
		for (const name of ['crawl', 'fetch, check, lint, som']) {
			const check = checks[name];
			if (check !== undefined) await row(where, `npx wayleave ${name}`, () => check(there, site));
		}
		await row(where, 'npx wayleave demo', () => succeed(there, 'npx', 'wayleave', 'demo', '--out', `demo-${version}`));
	}
	const blocks = 'scripts/docs/commands.test.ts';
	if (existsSync(join(clone, blocks)))
		await row('a clone', "the README's blocks", () =>
			succeed(place, 'npx', 'vitest', 'run', blocks, '-t', 'blocks of the documentation README.md'),
		);
	await row('a clone', 'npm pack --workspaces, without a build', async () => {
		mkdirSync(tarballs);
		await succeed(place, 'npm', 'pack', '--workspaces', '--pack-destination', tarballs);
		const packed = readdirSync(tarballs);
		expect(packed.length === readdirSync(join(clone, 'packages')).length, packed.join(', '));
		for (const name of packed) expect(statSync(join(tarballs, name)).size > 20_000, `${name} is nearly empty`);
	});
}

async function fromTarballs(site: string, nodes: ReadonlyMap<string, string>): Promise<void> {
	const files = readdirSync(tarballs).map((name) => join(tarballs, name));
	const tools = ['typescript', '@types/node@20'];
	const install = async (place: Place, ...argv: string[]) => {
		writeFileSync(join(place.cwd, 'package.json'), '{ "type": "module" }');
		await succeed(place, 'npm', 'install', '--no-audit', '--no-fund', ...argv);
	};
	for (const [version, node] of nodes) {
		if (version === '18') continue;
		const place = placeIn(join(base, `project-${version}`), node);
		const where = `tarballs, Node ${version}`;
		await row(where, 'npm install', () => install(place, ...files, ...tools));
		for (const [name, check] of Object.entries(checks)) await row(where, name, () => check(place, site));
	}

	for (const [what, version, argv, env] of [
		['--ignore-scripts', '20', ['--ignore-scripts'], {}],
		['--ignore-scripts', '24', ['--ignore-scripts'], {}],
		['no compiler', '20', [], { PATH: pathWithoutCompiler(), npm_config_build_from_source: 'true' }],
	] as const) {
		const place = placeIn(join(base, `${what.replaceAll(/\W/g, '')}-${version}`), nodes.get(version), env);
		if (what === 'no compiler') place.env.PATH = `${nodes.get(version)}${delimiter}${env.PATH}`;
		const where = `tarballs, Node ${version}, ${what}`;
		await row(where, 'npm install', () => install(place, ...argv, ...files));
		await row(where, 'no machine code of SQLite', async () => {
			const native = installed(place).native.filter((name) => name.includes('sqlite'));
			expect(native.length === 0, native.join(', '));
		});
		for (const name of ['npx wayleave --version, --help', 'fetch, check, lint, som', 'crawl', 'serve', 'mcp']) {
			const check = checks[name];
			if (check !== undefined) await row(where, name, () => check(place, site));
		}
	}

	for (const name of ['protocols', 'extract']) {
		const place = placeIn(join(base, `only-${name}`));
		await row(`only @wayleave/${name}`, 'at most 15 packages, no machine code', async () => {
			const own = files.filter((file) => new RegExp(`wayleave-(?:protocols|${name})-`).test(file));
			await install(place, ...own);
			const { packages, native } = installed(place);
			expect(packages <= 15 && native.length === 0, `${packages} packages, ${native.join(', ')}`);
		});
	}
}

try {
	await main();
} finally {
	rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
const widest = Math.max(...rows.map(({ where }) => where.length));
console.log(`\n${'where'.padEnd(widest)}  result      s  what`);
for (const { where, what, seconds, failure } of rows)
	console.log(
		`${where.padEnd(widest)}  ${failure === undefined ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)}  ${what}`,
	);
const failed = rows.filter(({ failure }) => failure !== undefined).length;
console.log(`\n${rows.length - failed} rows passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
