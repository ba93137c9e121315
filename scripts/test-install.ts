// Follows a new user's steps on three versions of Node: a clone, `npm ci`, the command and the README's blocks; packed
// files in an empty project; without a compiler, with install scripts blocked. Prints a table and exits with 1 if a row
// failed. It needs a registry, and takes some minutes: npm's cache is empty at the start.
//   npm run test:install -- [--warm] [--in FOLDER] [--only PATTERN]
//     --warm           with npm's usual cache
//     --in FOLDER      keeps clone, packed files and projects there; another run installs only what is missing
//     --only PATTERN   only rows whose line `WHERE: WHAT` matches this regular expression, and what they need
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from '../examples/site/build.ts';
import { serveFolder } from '../packages/wayleave/src/commands/demo/static-server.ts';
import { checks, expect, installed, refusals } from './install/packed.ts';
import { lastLines, type Place, run, succeed } from './install/run.ts';
import { type Step, Table } from './install/table.ts';
import { otherNode } from './other-node.ts';

const { values: options } = parseArgs({
	options: { warm: { type: 'boolean' }, in: { type: 'string' }, only: { type: 'string', default: '' } },
});
const root = fileURLToPath(new URL('../', import.meta.url));
const base = options.in === undefined ? mkdtempSync(join(tmpdir(), 'wayleave-install-')) : resolve(options.in);
// The tests in the clone start PostgreSQL as another user.
if (options.in === undefined) chmodSync(base, 0o755);
const clone = join(base, 'clone');
const tarballs = join(base, 'tarballs');
const versions = ['20', '22', '24'];
const table = new Table(join(base, 'done'), new RegExp(options.only));

/** A stranger's environment: nothing of ours but the path, with another Node in front where one is named. */
function placeIn(cwd: string, node?: string, path = process.env.PATH ?? ''): Place {
	const kept = Object.entries(process.env).filter(
		([name]) => !/^(?:npm_(?!config_registry)|NODE_(?!EXTRA_CA_CERTS)|WAYLEAVE_|INIT_CWD)/i.test(name),
	);
	// What npm puts in front for our own scripts would answer for commands that are missing in the stranger's folder.
	const usual = path.split(delimiter).filter((part) => !/node_modules|node-gyp-bin/.test(part));
	const ownPath = [...(node === undefined ? [] : [folderOf(node)]), ...usual].join(delimiter);
	const cache = options.warm === true ? {} : { npm_config_cache: join(base, 'npm-cache') };
	// The user's own contact setting must not be read; this file replaces it.
	const home = { XDG_CONFIG_HOME: join(base, 'config') };
	mkdirSync(cwd, { recursive: true });
	return { cwd, env: { ...Object.fromEntries(kept), PATH: ownPath, CI: '1', NO_COLOR: '1', ...cache, ...home } };
}

/** The folder of another version's executable. */
function folderOf(version: string): string {
	const executable = otherNode(version);
	if (executable === undefined) throw new Error(`node@${version} cannot be installed`);
	return dirname(executable);
}

/** Headers for native code if the machine has a compiler: those of that Node version, without a download. */
function withHeaders({ cwd, env }: Place, version: string): Place {
	const home = dirname(folderOf(version));
	const nodedir = readdirSync(join(home, 'node_modules'))
		.map((name) => join(home, 'node_modules', name))
		.find((folder) => existsSync(join(folder, 'include/node/node_version.h')));
	return nodedir === undefined ? { cwd, env } : { cwd, env: { ...env, npm_config_nodedir: nodedir } };
}

/** A PATH without compilers: links to every other program. */
function pathWithoutCompiler(): string {
	const folder = join(base, 'no-compiler');
	mkdirSync(folder, { recursive: true });
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

const cloned = table.step('a clone', 'git clone', async () => {
	rmSync(clone, { recursive: true, force: true });
	await succeed(placeIn(base), 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
});
const ready = table.step('a clone', 'npm ci', () => succeed(placeIn(clone), 'npm', 'ci'), cloned);
const packed = table.step('a clone', 'npm pack --workspaces, without a build', packAll, ready);

async function packAll(): Promise<void> {
	rmSync(tarballs, { recursive: true, force: true });
	mkdirSync(tarballs);
	await succeed(placeIn(clone), 'npm', 'pack', '--workspaces', '--pack-destination', tarballs);
	const names = readdirSync(tarballs);
	expect(names.length === readdirSync(join(clone, 'packages')).length, names.join(', '));
	for (const name of names) expect(statSync(join(tarballs, name)).size > 20_000, `${name} is nearly empty`);
}

const commandNames = () =>
	readdirSync(join(clone, 'packages/wayleave/src/commands'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);

async function inClone(site: string): Promise<void> {
	await table.row('a clone, Node 18', 'one sentence from every command', sayThatNodeIsTooOld, ready);
	for (const version of versions) {
		const where = `a clone, Node ${version}`;
		const there = () => placeIn(clone, version);
		await table.row(where, 'COMMAND --help, of each', () => helpOfEach(there()), ready);
		for (const name of ['crawl', 'fetch, check, lint, som']) {
			const check = checks[name];
			if (check !== undefined) await table.row(where, `npx wayleave ${name}`, () => check(there(), site), ready);
		}
		const demo = () => succeed(there(), 'npx', 'wayleave', 'demo', '--out', `demo-${version}`);
		await table.row(where, 'npx wayleave demo', demo, ready);
		await table.row(where, "the README's blocks, against local sites", () => readmeBlocks(there()), ready);
	}
}

/** better-sqlite3 12 can abort on Node 24, as docs/how-to/store.md says: node:sqlite is the driver there. */
const isKnownToAbort = (name: string, version: string): boolean =>
	version === '24' && name.startsWith('better-sqlite3 by name');

async function sayThatNodeIsTooOld(): Promise<void> {
	const place = placeIn(clone, '18');
	for (const name of ['--version', '--help', ...commandNames()]) {
		const ran = await run(place, 'node', 'node_modules/wayleave/bin/wayleave.js', name);
		const isRight =
			ran.status === 3 && /^error: Wayleave needs Node 20\.19 or newer; this is 18\.\S+\n$/.test(ran.stderr);
		expect(isRight && ran.stdout === '', `${name}: ${ran.status}: ${lastLines(ran)}`);
	}
}

async function readmeBlocks(place: Place): Promise<void> {
	const pattern = "documentation 'README";
	const ran = await succeed(place, 'npx', 'vitest', 'run', 'scripts/docs/commands.test.ts', '-t', pattern);
	const passed = Number(/^(\d+) passed, 0 failed/m.exec(ran.stdout)?.[1]);
	expect(passed >= 1, `no block was run: ${lastLines(ran)}`);
}

async function helpOfEach(place: Place): Promise<void> {
	expect(existsSync(join(clone, 'node_modules/.bin/wayleave')), 'npm linked no command');
	for (const name of commandNames()) {
		const { stdout } = await succeed(place, 'node', 'node_modules/.bin/wayleave', name, '--help');
		expect(stdout.includes(`Usage: wayleave ${name}`), stdout);
	}
}

const files = () => readdirSync(tarballs).map((name) => join(tarballs, name));

async function install(place: Place, ...argv: readonly string[]): Promise<void> {
	rmSync(place.cwd, { recursive: true, force: true });
	mkdirSync(place.cwd);
	writeFileSync(join(place.cwd, 'package.json'), '{ "type": "module" }');
	await succeed(place, 'npm', 'install', '--no-audit', '--no-fund', ...argv);
}

async function fromTarballs(site: string): Promise<void> {
	const tools = ['typescript', '@types/node@20'];
	for (const version of versions) {
		const place = () => placeIn(join(base, `project-${version}`), version);
		const where = `tarballs, Node ${version}`;
		const installing = () => install(withHeaders(place(), version), ...files(), ...tools);
		const project = table.step(where, 'npm install', installing, packed);
		for (const [name, check] of Object.entries(checks))
			if (!isKnownToAbort(name, version)) await table.row(where, name, () => check(place(), site), project);
	}
	for (const version of versions) await withoutNativeCode(site, '--ignore-scripts', version, ['--ignore-scripts']);
	for (const version of versions) await withoutNativeCode(site, 'no compiler', version, []);
	for (const name of ['protocols', 'extract'])
		await table.row(`only @wayleave/${name}`, 'at most 15 packages, no native code', () => pure(name), packed);
	const crawler = ['protocols', 'extract', 'io', 'crawler'];
	await table.row('only @wayleave/crawler', 'at most 80 packages', () => atMost(80, 'crawler', crawler), packed);
	const command = async () => {
		await atMost(105, 'wayleave', [...crawler, 'gateway', 'wayleave']);
		for (const check of [withoutService, helpWithoutService]) await check(placeIn(join(base, 'only-wayleave')));
	};
	await table.row('only wayleave', 'at most 105 packages; what serve, keys, verify and mcp say', command, packed);
}

/** Features that work if SQLite's native driver cannot be built. */
async function withoutNativeCode(site: string, what: string, version: string, argv: readonly string[]): Promise<void> {
	const where = `tarballs, Node ${version}, ${what}`;
	const place = () => {
		const folder = join(base, `${what.replaceAll(/\W/g, '')}-${version}`);
		return placeIn(folder, version, what === 'no compiler' ? pathWithoutCompiler() : undefined);
	};
	const installing = () => {
		const { cwd, env } = place();
		return what === 'no compiler' ? { cwd, env: { ...env, npm_config_build_from_source: 'true' } } : { cwd, env };
	};
	const project: Step = table.step(where, 'npm install', () => install(installing(), ...argv, ...files()), packed);
	const noNative = async () => {
		const native = installed(place()).native.filter((name) => name.includes('sqlite'));
		expect(native.length === 0, native.join(', '));
	};
	await table.row(where, 'no native code of SQLite', noNative, project);
	// Persistent stores need a driver: from Node 22.13 on, Node itself has one.
	const durable = version === '20' ? ['serve, mcp: one sentence that says what to do'] : ['serve', 'mcp'];
	for (const name of ['npx wayleave --version, --help', 'fetch, check, lint, som', 'crawl', ...durable]) {
		const check = checks[name] ?? refusals[name];
		if (check !== undefined) await table.row(where, name, () => check(place(), site), project);
	}
}

async function pure(name: string): Promise<void> {
	const native = await atMost(15, name, ['protocols', name]);
	expect(native.length === 0, native.join(', '));
}

/** Installs a package with those of ours that it needs. Returns the files of machine code. */
async function atMost(limit: number, name: string, names: readonly string[]): Promise<readonly string[]> {
	const place = placeIn(join(base, `only-${name}`));
	const own = names.map((each) =>
		each === 'wayleave' ? /[\\/]wayleave-\d/ : new RegExp(`[\\\\/]wayleave-${each}-\\d`),
	);
	await install(place, ...files().filter((file) => own.some((pattern) => pattern.test(file))));
	const { packages, native } = installed(place);
	expect(packages <= limit, `${packages} packages`);
	console.log(`            ${packages} packages`);
	return native;
}

/** What commands say whose packages are not installed. */
async function withoutService(place: Place): Promise<void> {
	for (const [name, needed, ...argv] of [
		['serve', 'service', '--open'],
		['keys', 'service', 'list'],
		['verify', 'service', 'example.com'],
		['mcp', 'mcp'],
	]) {
		const { status, stdout, stderr } = await run(place, 'npx', 'wayleave', String(name), ...argv);
		const sentence = new RegExp(
			`^error: wayleave ${name} needs the package @wayleave/${needed}: run npm install @wayleave/${needed}@\\d+\\.\\d+\\.\\d+\n$`,
		);
		expect(status === 3 && stdout === '' && sentence.test(stderr), `${name}: ${status}: ${stderr}`);
	}
}

async function helpWithoutService(place: Place): Promise<void> {
	for (const name of commandNames()) {
		const { stdout } = await succeed(place, 'npx', 'wayleave', name, '--help');
		expect(stdout.includes(`Usage: wayleave ${name}`), stdout);
	}
}

buildSite(join(base, 'site'), 'https://tidemark.example');
const server = await serveFolder(join(base, 'site'), {
	origin: 'https://tidemark.example',
	// The gateway under test passes on the name of the site it protects.
	allowHosts: ['example.com'],
});
try {
	const site = `http://127.0.0.1:${server.port}/`;
	await inClone(site);
	await fromTarballs(site);
} finally {
	await server.close();
	if (options.in === undefined) rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = table.print() > 0 ? 1 : 0;
