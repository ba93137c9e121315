import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLedger } from '@wayleave/gateway';
import { manifestPath } from '@wayleave/protocols/pagedigest';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { otherNode } from '../../../../scripts/other-node.ts';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { recordingTerminal } from '../testing/recorder.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 300_000 });
afterAll(() => vi.resetConfig());

const bin = sourceProgram('packages/wayleave/src/bin.ts');

/** Larger than a pipe holds. */
const paragraphs = Array.from(
	{ length: 2000 },
	(_, at) => `<p>Paragraph ${at} has ${at * 7} words of its own, or some.</p>`,
);
const html = `<!doctype html><title>Long</title><main><h1>A long page</h1>${paragraphs.join('')}</main>`;

let server: Server;
let site: string;
let folder: string;
let cwd: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-without-'));
	for (const [name, thrown] of Object.entries(failures)) writeFileSync(join(folder, `${name}.cjs`), hook(thrown));
	server = createServer(({ url }, response) => {
		if (url !== '/') response.writeHead(404).end();
		else response.setHeader('Content-Type', 'text/html').end(html);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
	server.close();
	rmSync(folder, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());
beforeEach(() => {
	cwd = mkdtempSync(join(folder, 'cwd-'));
});

/** What goes wrong when better-sqlite3 is loaded. */
const failures = {
	uncompiled: `new Error('Could not locate the bindings file. Tried:\\n → /a/better_sqlite3.node\\n → /b')`,
	missing: `Object.assign(new Error("Cannot find module 'better-sqlite3'\\nRequire stack:\\n- /a"), { code: 'MODULE_NOT_FOUND' })`,
	foreign: `Object.assign(new Error("The module '/a'\\nwas compiled against a different Node.js version using\\nNODE_MODULE_VERSION 108."), { code: 'ERR_DLOPEN_FAILED' })`,
	glibc: `Object.assign(new Error("/lib/libc.so.6: version \`GLIBC_2.38' not found (required by /a)"), { code: 'ERR_DLOPEN_FAILED' })`,
} as const;

const hook = (thrown: string): string => `const Module = require('node:module');
const load = Module._load;
Module._load = function (request, ...rest) {
	if (request === 'better-sqlite3') throw ${thrown};
	return load.call(this, request, ...rest);
};`;

interface Ending {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs the command where no SQLite can be loaded, of Node's own neither. */
function without(failure: keyof typeof failures, ...argv: string[]): Promise<Ending> {
	const own = process.allowedNodeEnvironmentFlags.has('--no-experimental-sqlite') ? ' --no-experimental-sqlite' : '';
	return wayleave(argv, { NODE_OPTIONS: `--require ${join(folder, `${failure}.cjs`)}${own}` });
}

async function wayleave(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ending> {
	const child = spawn(process.execPath, [bin, ...argv], {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const said = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const)
		child[name].setEncoding('utf8').on('data', (text: string) => {
			said[name] += text;
		});
	const [code] = await once(child, 'close');
	return { code, ...said };
}

const quick = () => ['--delay', '0', '--i-own-this-site', '127.0.0.1'];
const advice =
	/^error: SQLite cannot be loaded: run `npm rebuild better-sqlite3`.*, or use --store postgres:\/\/… \(better-sqlite3 is .*\)\n$/;

describe('without any SQLite', () => {
	it('U2-06: fetch and som work, and store nothing', async () => {
		const page = await without('uncompiled', 'fetch', site, '--format', 'markdown', ...quick());
		expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining('# A long page') });
		const som = await without('foreign', 'som', site);
		expect(som).toMatchObject({ code: 0, stdout: expect.stringContaining('A long page') });
		expect(page.stderr + som.stderr).not.toMatch(/sqlite/i);
		expect(readdirSync(cwd)).toEqual([]);
	});

	it('U2-07: crawl works in memory, and says in one line that it cannot be resumed', async () => {
		const stream = await without('missing', 'crawl', site, '--out', '-', ...quick());
		expect(stream).toMatchObject({ code: 0, stdout: expect.stringContaining('A long page') });
		expect(stream.stderr).toMatch(/^this crawl keeps its state in memory and cannot be resumed: SQLite .*\n/);
		expect(readdirSync(cwd)).toEqual([]);
		const file = await without('glibc', 'crawl', site, ...quick());
		expect(file).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('cannot be resumed: SQLite cannot be loaded'),
		});
		expect(readdirSync(cwd)).toEqual([expect.stringMatching(/\.jsonl$/)]);
	});

	it('U2-07: a crawl that was begun with a store, or names one, does not begin again without', async () => {
		const name = `127.0.0.1_${new URL(site).port}.db`;
		writeFileSync(join(cwd, name), '');
		expect(await without('uncompiled', 'crawl', site)).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				`^error: ./${name} holds the state of an earlier crawl .*: SQLite cannot be loaded: run `,
			),
		});
		const named = await without('uncompiled', 'crawl', site, '--store', 'sqlite:x.db');
		expect(named).toMatchObject({ code: 3, stderr: expect.stringContaining('error: SQLite cannot be loaded: run ') });
		expect(readdirSync(cwd)).toEqual([name]);
	});

	it.each([
		[['serve', '--open', '--listen', '127.0.0.1:0']],
		[['keys', 'list']],
		[['mcp', '--contact', 'bot@crawler.dev']],
	])('U2-08: %j ends with 3 and one sentence that says what to do', async (argv) => {
		expect(await without('uncompiled', ...argv)).toEqual({
			code: 3,
			stdout: '',
			stderr: expect.stringMatching(advice),
		});
		expect(readdirSync(cwd)).toEqual([]);
	});

	it('U2-08: a driver named by WAYLEAVE_SQLITE that cannot be loaded gets one sentence too', async () => {
		const env = {
			WAYLEAVE_SQLITE: 'better-sqlite3',
			NODE_OPTIONS: `--require ${join(folder, 'foreign.cjs')}`,
		};
		expect(await wayleave(['fetch', site, '--store', 'sqlite:x.db', ...quick()], env)).toEqual({
			code: 3,
			stdout: '',
			stderr: expect.stringMatching(
				/^error: SQLite cannot be loaded: run `npm rebuild better-sqlite3`.* another version of Node\); WAYLEAVE_SQLITE=better-sqlite3 lets no other driver be tried\n$/,
			),
		});
		expect(readdirSync(cwd)).toEqual([]);
	});

	it('U2-08: a gateway does not start without its ledger', async () => {
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://example.com\n');
		const argv = ['gateway', '--upstream', site, '--listen', '127.0.0.1:0'];
		expect(await without('glibc', ...argv)).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				/error: SQLite cannot be loaded: run `npm rebuild better-sqlite3 --build-from-source`/,
			),
		});
	});

	it('U2-09: check, lint, convert, publish, report and --help work', async () => {
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://example.com\n');
		writeFileSync(join(cwd, 'robots.txt'), 'User-agent: *\nDisallow: /x\n');
		mkdirSync(join(cwd, 'site'));
		const page = join(cwd, 'site/index.html');
		const siteRev = () => JSON.parse(readFileSync(join(cwd, `site${manifestPath}`), 'utf8')).site_rev as number;
		writeFileSync(page, html);
		await (await openLedger(`sqlite:${join(cwd, '.wayleave/ledger.db')}`)).close();
		const works = async (...argv: string[]) => {
			const terminal = recordingTerminal(cwd);
			expect(await run(argv, terminal, commands), terminal.screen()).toBe(0);
		};
		// The same as no native driver, in this process.
		vi.stubEnv('WAYLEAVE_SQLITE', 'wasm');
		await works('--help');
		await works('lint', 'robots.txt');
		await works('check', 'https://example.com/a', '--use', 'read', '--robots', 'robots.txt');
		await works('convert', 'site/index.html', '--url', 'https://example.com/');
		await works('report', '--json');
		await works('publish', 'site');
		const first = siteRev();
		// What another driver goes on with, and what it has gone on with, is the same state.
		vi.unstubAllEnvs();
		writeFileSync(page, html.replace('A long page', 'Another page'));
		await works('publish', 'site');
		const second = siteRev();
		vi.stubEnv('WAYLEAVE_SQLITE', 'wasm');
		writeFileSync(page, html);
		await works('publish', 'site');
		expect([second > first, siteRev() > second]).toEqual([true, true]);
		vi.unstubAllEnvs();
	});
});

it('U2-10: an installation does not fail where better-sqlite3 cannot be compiled', () => {
	const root = new URL('../../../../', import.meta.url);
	const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
	expect(packages['packages/io'].optionalDependencies).toHaveProperty('better-sqlite3');
	const needed = Object.entries<{
		hasInstallScript?: boolean;
		optional?: boolean;
		dev?: boolean;
		devOptional?: boolean;
	}>(packages)
		.filter(
			([, { hasInstallScript, optional, dev, devOptional }]) => hasInstallScript && !(optional || dev || devOptional),
		)
		.map(([path]) => path);
	expect(needed).toEqual([]);
});

const ours = Number.parseInt(process.versions.node, 10);
const nodes = [
	{ version: process.versions.node, node: process.execPath },
	...['20.19.0', '24']
		.filter((version) => Number.parseInt(version, 10) !== ours)
		.map((version) => ({ version, node: otherNode(version) })),
];

for (const { version, node } of nodes) {
	const title = `U2-12, U2-13: on Node ${version}, a reader that ends early is no error`;
	it.skipIf(node === undefined)(node === undefined ? `${title} (needs node@${version} from npm)` : title, async () => {
		for (const argv of [
			['fetch', site, '--format', 'markdown'],
			['fetch', site],
			['crawl', site, '--out', '-', '--store', 'sqlite:x.db'],
		]) {
			const script = `{ "$@"; echo "code $?" >&2; } | head -c 1 >/dev/null`;
			const command = [node ?? '', bin, ...argv, ...quick()];
			const shell = spawn('bash', ['-c', script, 'bash', ...command], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
			let stderr = '';
			shell.stderr.setEncoding('utf8').on('data', (text: string) => {
				stderr += text;
			});
			await once(shell, 'close');
			expect(
				stderr.split('\n').filter((line) => !/^(?:waiting |$)/.test(line)),
				argv.join(' '),
			).toEqual(['code 0']);
			expect(readdirSync(cwd).filter((name) => name.endsWith('-lock'))).toEqual([]);
		}
	});
}
