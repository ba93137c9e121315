import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unbundled } from './bundle.ts';
import { copyCheckout, isCheckout } from './checkout-copy.ts';
import { lacking } from './lacking.ts';

// What each package promises to those who install it, as far as it can be seen without a registry; `npm run
// test:install` installs them.

const root = fileURLToPath(new URL('../', import.meta.url));
const names = readdirSync(join(root, 'packages'));

interface Manifest {
	readonly [field: string]: unknown;
	readonly name: string;
	readonly version: string;
	readonly keywords: readonly string[];
	readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
	readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly peerDependencies?: Readonly<Record<string, string>>;
	readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

const manifest = (name: string): Manifest =>
	JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;

describe.each(names)('%s', (name) => {
	it('U2-03: says where it comes from and where to ask', () => {
		const { repository, homepage, bugs, keywords, license, engines, description } = manifest(name);
		const { url } = repository;
		expect(repository).toEqual({ type: 'git', url, directory: `packages/${name}` });
		expect(url).toBe(manifest('wayleave').repository.url);
		expect(homepage).toMatch(/^https:\/\/.*#readme$/);
		expect(bugs).toMatch(/^https:\/\/.*\/issues$/);
		expect(keywords.length).toBeGreaterThan(4);
		expect([license, engines]).toEqual(['Apache-2.0', { node: '>=20.19' }]);
		expect(description).toMatch(/^.{20,140}\.$/);
	});

	it('U2-03: has a README that shows how to install it, and says that it is ESM only', () => {
		// The README of the command is the one of the repository; `prepack` copies it.
		const text = readFileSync(join(root, name === 'wayleave' ? '.' : `packages/${name}`, 'README.md'), 'utf8');
		if (name === 'wayleave') return expect(text).toContain('npx wayleave');
		expect(text).toContain(`npm install ${manifest(name).name}\n`);
		expect(text).toMatch(/^## ESM only$/m);
	});

	it('imports what it depends on, and depends on what it imports', () => {
		const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, name: own } = manifest(name);
		const imported = importsOf(join(root, 'packages', name, 'src'));
		imported.delete(own);
		// Only from source, where the whole checkout is installed.
		imported.delete('tsx');
		if (name === 'wayleave')
			for (const each of [...unbundled, '@aws-sdk/client-s3', '@wayleave/files']) imported.add(each);
		expect([...imported].sort()).toEqual(
			Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).sort(),
		);
	});
});

it.each(['protocols', 'extract'])('@wayleave/%s installs at most 15 packages, none of them native', (name) => {
	const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Locked };
	const found = closure(manifest(name), lock.packages);
	expect(found.size).toBeLessThanOrEqual(15);
	for (const each of found) {
		const { hasInstallScript, os, cpu } = lock.packages[`node_modules/${each}`] ?? {};
		expect({ each, hasInstallScript, os, cpu }).toEqual({ each });
	}
});

it.each([
	['crawler', 80],
	['wayleave', 105],
])('%s installs at most %d packages, itself included', (name, limit) => {
	const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Locked };
	expect(closure(manifest(name), lock.packages).size + 1).toBeLessThanOrEqual(limit);
});

it('wayleave asks for the same versions of unbundled packages as the packages whose code it bundles', () => {
	const all = (name: string) => ({ ...manifest(name).dependencies, ...manifest(name).optionalDependencies });
	const [own, bundled] = [all('wayleave'), { ...all('io'), ...all('crawler') }];
	for (const name of unbundled) expect([name, own[name]]).toEqual([name, bundled[name]]);
});

it('the packages that wayleave loads on demand are optional peers of the same version', () => {
	const { version, peerDependencies, peerDependenciesMeta } = manifest('wayleave');
	// Theirs has versions of its own: both ask for the same range.
	const { '@aws-sdk/client-s3': s3 = '' } = manifest('io').peerDependencies ?? {};
	expect(peerDependencies).toEqual({
		'@aws-sdk/client-s3': s3,
		'@wayleave/files': version,
		'@wayleave/mcp': version,
		'@wayleave/service': version,
	});
	expect(peerDependenciesMeta).toEqual({
		'@aws-sdk/client-s3': { optional: true },
		'@wayleave/files': { optional: true },
		'@wayleave/mcp': { optional: true },
		'@wayleave/service': { optional: true },
	});
});

it.each([
	['wayleave', 'terminal'],
	['service', 'config'],
	['mcp', 'call'],
])('packages/%s says its version', (name, folder) => {
	const text = readFileSync(join(root, 'packages', name, 'src', folder, 'version.ts'), 'utf8');
	expect(/version = '(.*)'/.exec(text)?.[1]).toBe(manifest(name).version);
});

type Locked = Readonly<
	Record<string, Pick<Manifest, 'dependencies' | 'optionalDependencies'> & Record<string, unknown>>
>;

/** Everything that comes with a package, itself left out. */
function closure(of: Pick<Manifest, 'dependencies' | 'optionalDependencies'>, packages: Locked): Set<string> {
	const found = new Set<string>();
	const visit = ({ dependencies = {}, optionalDependencies = {} }: typeof of) => {
		for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
			if (found.has(name)) continue;
			found.add(name);
			const own = name.startsWith('@wayleave/') ? `packages/${name.slice(10)}` : `node_modules/${name}`;
			visit(packages[own] ?? {});
		}
	};
	visit(of);
	return found;
}

/** Declarations at the beginning of a line (`import … from '…'`, `export … from '…'`, `import '…'`), and calls. */
const importing =
	/^(?:import|export)\b(?:[^'"`;]*\bfrom)?\s*'([^'.][^']*)'|\b(?:import|import\.meta\.resolve|require)\('([^'.][^']*)'\)/gm;

/** The packages that the code of a folder imports, its tests left out; types count, since declarations name them. */
function importsOf(folder: string): Set<string> {
	const found = new Set<string>();
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		if (!entry.isFile() || !/\.ts$/.test(path) || /\.test\.ts$|[\\/]testing[\\/]/.test(path)) continue;
		const code = readFileSync(path, 'utf8').replaceAll(/^\s*(?:\*|\/\/|\/\*).*$/gm, '');
		for (const [, declared, called] of code.matchAll(importing)) {
			const specifier = declared ?? called ?? '';
			const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
			if (/^(?:@[\w-]+\/)?[\w.-]+$/.test(name) && !builtinModules.includes(name)) found.add(name);
		}
	}
	return found;
}

describe.skipIf(!isCheckout)('packing in a clone without a build (needs git)', () => {
	let clone: string;
	beforeAll(() => {
		clone = mkdtempSync(join(tmpdir(), 'wayleave-clone-'));
		copyCheckout(clone);
	});
	afterAll(() => rmSync(clone, { recursive: true }));

	const pack = () => {
		const cwd = join(clone, 'packages/protocols');
		return spawnSync('npm', ['pack', '--json'], { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
	};

	it('U2-02: builds the package first, and leaves out what no longer has a source', () => {
		expect(existsSync(join(clone, 'packages/protocols/dist'))).toBe(false);
		const { status, stdout } = pack();
		expect(status).toBe(0);
		const files = packed(stdout);
		for (const { types, default: code } of Object.values(manifest('protocols').exports))
			expect(files).toEqual(expect.arrayContaining([types?.slice(2), code?.slice(2)]));
		expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
		expect(files.filter((file) => /\.map$|tsbuildinfo|\.test\.|\/testing\//.test(file))).toEqual([]);

		writeFileSync(join(clone, 'packages/protocols/dist/old.js'), '');
		expect(packed(pack().stdout)).not.toContain('dist/old.js');
	});

	it('U2-02: makes no package where the build fails', () => {
		const index = join(clone, 'packages/protocols/src/index.ts');
		const text = readFileSync(index, 'utf8');
		writeFileSync(index, `${text}export const wrong: number = 'text';\n`);
		expect(pack()).toMatchObject({ status: 1, stderr: expect.stringContaining('not packed: the build failed\n') });
		writeFileSync(index, text);
		expect(readdirSync(join(clone, 'packages/protocols')).filter((file) => file.endsWith('.tgz'))).toHaveLength(1);
	});
});

describe('a package that is about to be packed', () => {
	let folder: string;
	const write = (name: string, text = '') => {
		mkdirSync(join(folder, dirname(name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	};
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'wayleave-package-'));
		const entry = { 'wayleave-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };
		const fields = { name: 'wayleave', exports: { '.': entry }, bin: { wayleave: './bin/wayleave.js' } };
		write('package.json', JSON.stringify(fields));
		write('dist/index.js', "import { a } from './a.js';\nexport * from './b/index.js';\nawait import('./c.js');\n");
		write('dist/index.d.ts', "export type * from './a.ts';\n");
		for (const name of ['a.js', 'a.d.ts', 'b/index.js', 'c.js', 'bin.js', 'bundle/bin.js', 'bundle/NOTICES.txt'])
			write(`dist/${name}`);
		for (const name of ['bin/wayleave.js', 'README.md', 'LICENSE', 'site/index.html', 'man/wayleave.1']) write(name);
		for (const name of ['index.html', 'index.js']) write(`dashboard/${name}`);
		write('conformance.json', JSON.stringify({ rows: [{ tests: [] }, { tests: [{}] }] }));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	it('U2-02: lacks nothing', () => {
		expect(lacking(folder)).toEqual([]);
	});

	it.each([
		['dist/index.js', ['./dist/index.js']],
		['dist/index.d.ts', ['./dist/index.d.ts']],
		['dist/a.js', ['./a.js (imported by dist/index.js)']],
		['dist/a.d.ts', ['./a.ts (imported by dist/index.d.ts)']],
		['dist/b/index.js', ['./b/index.js (imported by dist/index.js)']],
		['dist/c.js', ['./c.js (imported by dist/index.js)']],
		['bin/wayleave.js', ['./bin/wayleave.js']],
		['dist/bin.js', ['dist/bin.js']],
		['dist/bundle/bin.js', ['dist/bundle/bin.js']],
		['dist/bundle/NOTICES.txt', ['dist/bundle/NOTICES.txt']],
		['README.md', ['README.md']],
		['LICENSE', ['LICENSE']],
		['dashboard/index.js', ['dashboard/index.js']],
		['site/index.html', ['site/index.html']],
		['man/wayleave.1', ['man/wayleave.1']],
		['conformance.json', ['a conformance table']],
	])('U2-02: lacks %s', (name, wanted) => {
		rmSync(join(folder, name));
		expect(lacking(folder)).toEqual(wanted);
	});

	it.each([{ rows: [] }, { rows: [{ tests: [] }] }])(
		'U2-02: lacks a conformance table that is not empty: %j',
		(table) => {
			write('conformance.json', JSON.stringify(table));
			expect(lacking(folder)).toEqual(['a conformance table']);
		},
	);

	it('U2-02: lacks everything that a build makes', () => {
		rmSync(join(folder, 'dist'), { recursive: true });
		expect(lacking(folder)).toEqual([
			...['./dist/index.d.ts', './dist/index.js', 'dist/bin.js'],
			...['dist/bundle/bin.js', 'dist/bundle/NOTICES.txt'],
		]);
	});
});

/** The files that `npm pack --json` put into the package. */
function packed(stdout: string): string[] {
	const listed = JSON.parse(stdout) as Record<string, { files: { path: string }[] }> | { files: { path: string }[] }[];
	return Object.values(listed).flatMap(({ files }) => files.map(({ path }) => path));
}
