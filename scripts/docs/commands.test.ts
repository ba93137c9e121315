import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkConfig } from '@wayleave/gateway';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { buildSite } from '../../examples/site/build.ts';
import { newDatabase } from '../../packages/io/src/testing/databases.ts';
import { sourceProgram } from '../source-program.ts';
import { type Block, type Command, commandsOf, type Note, readBlocks, wordsOf } from './blocks.ts';
import type { Reply, Request } from './runner.ts';
import { freePorts, type SmallWeb, startSmallWeb } from './small-web.ts';

// Every block of commands in README.md, docs/ and the READMEs of packages and examples is run as a reader would run it:
// line by line, in one folder a page, with the sites it names on the loopback. Programs are compiled and run. A block
// that cannot run says why in a comment beside it: <!-- not run: REASON -->.

const repository = fileURLToPath(new URL('../../', import.meta.url));
const hook = fileURLToPath(new URL('web-hook.mjs', import.meta.url));
const runnerFile = fileURLToPath(new URL('runner.ts', import.meta.url));

const markdownIn = (folder: string): string[] =>
	readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => `${folder}/${name}`)
		.sort();
// The `wayleave` package has a copy of the README, which `npm pack` leaves behind.
const packageReadmes = readdirSync(join(repository, 'packages'))
	.filter((name) => name !== 'wayleave')
	.map((name) => `packages/${name}/README.md`)
	.filter((file) => existsSync(join(repository, file)));

const pages = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs'), ...packageReadmes, ...markdownIn('examples')].map(
	(file) => ({ file, blocks: readBlocks(join(repository, file)) }),
);

/** Blocks in these languages are read, not run. A block that looks like commands must not hide among them. */
const dataLanguages = new Set(['text', 'http', 'html', 'json', 'yaml']);
const looksLikeCommand = /^\s*(?:\$ |(?:npx|npm|node|wayleave|curl|sh|cd|openssl|export) +[\w./-])/m;

describe.skipIf(process.platform === 'win32')('blocks of the documentation', { timeout: 400_000 }, () => {
	let site: Playground;

	beforeAll(async () => {
		site = await openPlayground();
	}, 120_000);
	afterAll(() => site?.close());

	it('each block says what it is, and each reason is a sentence', () => {
		const wrong = pages.flatMap(({ file, blocks }) =>
			blocks.flatMap((block) => {
				const place = `${file}:${block.line}`;
				const reasons = block.notes.filter(({ kind }) => kind === 'not run');
				const known = ['sh', 'console', 'ts', 'js', ...dataLanguages].includes(block.language);
				return [
					...(known
						? []
						: [`${place}: write sh, console, ts, js or ${[...dataLanguages].join(', ')} behind the fence`]),
					...(dataLanguages.has(block.language) && looksLikeCommand.test(block.text)
						? [`${place}: commands in a ${block.language} block are not run: make it sh or console`]
						: []),
					...reasons.filter(({ text }) => text.length < 20).map(() => `${place}: say why the block is not run`),
					...reasons
						.filter(({ only }) => only !== undefined && !block.text.includes(only))
						.map(({ only }) => `${place}: no line contains "${only}"`),
				];
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('blocks of JSON and YAML can be read, and policy files are valid', () => {
		const wrong = pages.flatMap(({ file, blocks }) =>
			blocks.flatMap(({ language, text, line, notes }) => {
				if (notes.some(({ kind }) => kind === 'not run')) return [];
				try {
					if (language === 'json') JSON.parse(text);
					if (language === 'yaml') {
						const value = parseYaml(text) as Record<string, unknown>;
						if ('origin' in value) checkConfig(value);
					}
					return [];
				} catch (error) {
					return [`${file}:${line}: ${error}`];
				}
			}),
		);
		expect(wrong).toEqual([]);
	});

	it('programs compile', async () => {
		const folder = site.newFolder();
		const places = new Map<string, string>();
		for (const { file, blocks } of pages) {
			for (const block of blocks.filter(({ language }) => language === 'ts')) {
				const name = `${file.replaceAll('/', '-')}-${block.line}.ts`;
				places.set(name, `${file}:${block.line}`);
				writeFileSync(join(folder, name), programOf(block));
			}
		}
		furnishPrograms(folder);
		const settings = {
			extends: join(repository, 'tsconfig.test.json'),
			compilerOptions: { typeRoots: [join(repository, 'node_modules/@types')] },
			include: ['*.ts'],
			exclude: [],
		};
		writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
		const compiler = join(repository, 'node_modules/typescript/bin/tsc');
		const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
			(error: { stdout: string }) => error,
		);
		const errors = stdout.replace(/^\S*?([^/\s]+\.ts)(?=\()/gm, (whole, name: string) => places.get(name) ?? whole);
		expect(errors).toBe('');
		expect(places.size).toBeGreaterThan(5);
	});

	it.each(pages.filter(({ blocks }) => blocks.some(isRun)))('$file', async ({ file, blocks }) => {
		site.web.root = site.newFolder(); // nothing is published yet
		// The README begins anew with each block.
		const parts = file === 'README.md' ? partsOf(blocks.filter(isRun)) : [blocks.filter(isRun)];
		expect((await Promise.all(parts.map((part) => runPart(site, file, part)))).flat()).toEqual([]);
	});
});

const reasonNotToRun = ({ notes }: Block): Note | undefined =>
	notes.find(({ kind, only }) => kind === 'not run' && only === undefined);
const isProgram = ({ language }: Block): boolean => language === 'ts' || language === 'js';
const isRun = (block: Block): boolean =>
	['sh', 'console', 'ts', 'js'].includes(block.language) && reasonNotToRun(block) === undefined;

/** The block as a module, behind the declarations that it relies on. */
function programOf({ text, notes }: Block): string {
	const before = notes.filter(({ kind }) => kind === 'with').map((note) => note.text);
	return [...before, text, 'export {};'].join('\n');
}

/** Blocks that continue each other. */
function partsOf(blocks: readonly Block[]): Block[][] {
	const parts: Block[][] = [];
	for (const block of blocks) {
		if (block.notes.some(({ kind }) => kind === 'continues')) parts.at(-1)?.push(block);
		else parts.push([block]);
	}
	return parts;
}

/** Runs blocks in one folder, one after the other. Returns what went wrong. */
async function runPart(site: Playground, file: string, blocks: readonly Block[]): Promise<string[]> {
	const cwd = site.newFolder();
	furnish(cwd);
	for (const [name, text] of Object.entries(filesOf[file] ?? {})) write(cwd, name, text);
	if (blocks.some(({ text }) => text.includes('wayleave publish'))) site.web.root = cwd;
	const wrong: string[] = [];
	const running: LongRun[] = [];
	const end = async () => {
		for (const each of running.splice(0).reverse()) wrong.push(...(await each.stop()));
	};
	for (const block of blocks) {
		if (!block.notes.some(({ kind }) => kind === 'continues')) await end();
		if (isProgram(block)) wrong.push(...(await runProgram(site, cwd, file, block)));
		else {
			for (const command of commandsOf(block)) {
				if (notRun(block, command)) continue;
				if (command.text.startsWith('cat ')) {
					writeFileSync(join(cwd, command.text.slice(4).trim()), `${command.output.join('\n')}\n`);
					continue;
				}
				running.push(...(await runLine(site, cwd, command, block.notes, file, wrong)));
			}
		}
	}
	await end();
	return wrong;
}

const notRun = ({ notes }: Block, { text }: Command): boolean =>
	notes.some(({ kind, only }) => kind === 'not run' && only !== undefined && text.includes(only));

async function runProgram(site: Playground, cwd: string, file: string, block: Block): Promise<string[]> {
	// Declarations without a value are for the compiler only: such a block is no program of its own.
	if (block.notes.some(({ kind, text }) => kind === 'with' && text.includes('declare '))) return [];
	const path = join(cwd, `block-${block.line}.${block.language}`);
	writeFileSync(path, programOf(block));
	const { exitCode, text } = await site.runModule(cwd, path);
	return exitCode === 0 ? [] : [`${file}:${block.line} failed:\n${text}`];
}

/** Runs one line to its end, or to where it waits for requests. */
async function runLine(
	site: Playground,
	cwd: string,
	command: Command,
	notes: readonly Note[],
	file: string,
	wrong: string[],
): Promise<LongRun[]> {
	const place = `${file}:${command.line}: ${command.text}`;
	const wanted = notes.find(
		({ kind, only }) => kind === 'exits' && (only === undefined || command.text.includes(only)),
	);
	const words = wordsOf(command.text);
	const argv = words?.[0] === 'npx' ? words.slice(1) : words;
	if (argv?.[0] === 'wayleave' && argv[1] === 'mcp') {
		wrong.push(...(await speakMcp(site, cwd, argv.slice(1))).map((each) => `${place}\n${each}`));
		return [];
	}
	const started = argv?.[0] === 'wayleave' ? site.start(cwd, argv.slice(1)) : site.shell(cwd, command.text);
	const ready = argv === undefined ? undefined : readyPattern(argv);
	if (ready !== undefined) {
		const isReady = await started.waitFor(ready);
		if (!isReady) wrong.push(`${place}\nended before it was ready:\n${started.text()}`);
		return [
			{
				async stop() {
					started.interrupt();
					const exitCode = await started.ended;
					return [0, 130].includes(exitCode) ? [] : [`${place}\nexit code ${exitCode} at Ctrl-C:\n${started.text()}`];
				},
			},
		];
	}
	const exitCode = await inTime(started);
	// What a reader copies from the screen.
	const token = /^wl_[\w-]+$/m.exec(started.text())?.[0];
	if (token !== undefined) site.variables.KEY = token;
	if (exitCode !== Number(wanted?.text.match(/^\d+/)?.[0] ?? 0))
		wrong.push(`${place}\nexit code ${exitCode}:\n${started.text()}`);
	const shown = missingOutput(command.output, started.text());
	if (shown !== undefined) wrong.push(`${place}\nthe page shows\n${shown}\nbut the command printed\n${started.text()}`);
	return [];
}

/** The exit code; 124, as of `timeout`, for a command that does not end. */
async function inTime(started: Started): Promise<number> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<number>((resolve) => {
		timer = setTimeout(() => {
			started.interrupt();
			resolve(124);
		}, 150_000);
	});
	return Promise.race([started.ended, late]).finally(() => clearTimeout(timer));
}

/** The first line of the page that the command did not print in this order; a line with … stands for any. */
function missingOutput(shown: readonly string[], printed: string): string | undefined {
	const lines = printed.split('\n');
	let at = 0;
	for (const line of shown) {
		if (line.trim() === '' || line.includes('…')) continue;
		const found = lines.indexOf(line, at);
		if (found === -1) return line;
		at = found + 1;
	}
	return undefined;
}

interface LongRun {
	/** Presses Ctrl-C. Returns what is wrong about how it ends. */
	stop(): Promise<string[]>;
}

/** What a command prints when it has begun to serve or to wait; undefined for commands that end by themselves. */
function readyPattern([, name, ...flags]: readonly string[]): RegExp | undefined {
	if (name === 'serve') return /serving at /;
	if (name === 'gateway') return /is served at /;
	if (name === 'crawl' && flags.includes('--every')) return /the next cycle begins at/;
	return undefined;
}

/** An assistant's first words to an MCP server, and its goodbye. */
async function speakMcp(site: Playground, cwd: string, argv: readonly string[]): Promise<string[]> {
	const child = site.spawnBin(cwd, argv);
	let text = '';
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (chunk: Buffer) => {
			text += chunk;
		});
	const say = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	const clientInfo = { name: 'test', version: '1' };
	say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
	say({ method: 'notifications/initialized' });
	say({ id: 2, method: 'tools/list' });
	while (child.exitCode === null && !/"id":2/.test(text)) await new Promise((resolve) => setTimeout(resolve, 50));
	child.stdin?.end();
	if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
	return text.includes('fetch_document') && child.exitCode === 0 ? [] : [`exit code ${child.exitCode}:\n${text}`];
}

const manifest = (siteRev: number, rev: number): string =>
	JSON.stringify({
		version: 1,
		site_rev: siteRev,
		generated: '2026-10-01T00:00:00Z',
		entries: { '/': { rev, digest: `sha256:${String(rev).repeat(64)}` } },
	});

/** Files that only one page speaks of. */
const filesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'docs/how-to/own-sites-and-proxies.md': {
		'login.txt': 'Authorization: Bearer 123\n',
		'cookies.txt': '# Netscape HTTP Cookie File\napp.your-company.com\tFALSE\t/\tTRUE\t0\tsession\t123\n',
	},
	'docs/how-to/lint.md': {
		'dist/.well-known/pagedigest.json': manifest(2, 2),
		'live/pagedigest.json': manifest(1, 1),
	},
};

/** What a reader may have on disk. */
function furnish(cwd: string): void {
	furnishPrograms(cwd);
	cpSync(join(repository, 'examples'), join(cwd, 'examples'), { recursive: true });
	buildSite(join(cwd, 'dist'), 'https://tidemark.example');
	rmSync(join(cwd, 'dist/robots.txt'));
	write(cwd, 'robots2.txt', 'read: yes\ntrain: no\n');
	write(cwd, 'robots.txt', 'User-agent: *\nDisallow: /private\n');
	write(cwd, 'sites.txt', 'https://docs.example.com\nhttps://example.org\n');
	write(cwd, 'page.html', readFileSync(join(cwd, 'dist/docs/wiring/index.html'), 'utf8'));
	write(
		cwd,
		'gptbot.json',
		JSON.stringify({ creationTime: '2026-10-01T00:00:00.000000', prefixes: [{ ipv4Prefix: '203.0.113.0/24' }] }),
	);
	write(
		cwd,
		'CC-MAIN.warc.gz',
		gzipSync(warcRecord('https://docs.example.com/', readFileSync(join(cwd, 'page.html')))),
	);
}

/** What a program finds beside it: ES modules, and the packages. */
function furnishPrograms(cwd: string): void {
	write(cwd, 'package.json', JSON.stringify({ type: 'module' }));
	symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'));
	for (const name of ['langchain/wayleave-loader.ts', 'llamaindex/wayleave-reader.ts'])
		cpSync(join(repository, 'examples', name), join(cwd, name.replace(/.*\//, '')));
}

function write(cwd: string, name: string, content: string | Uint8Array): void {
	mkdirSync(join(cwd, name, '..'), { recursive: true });
	writeFileSync(join(cwd, name), content);
}

/** ISO 28500 §6.3: one response record. */
function warcRecord(url: string, body: Buffer): Buffer {
	const http = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'), body]);
	const head = [
		'WARC/1.1',
		'WARC-Type: response',
		'WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>',
		'WARC-Date: 2026-10-01T00:00:00Z',
		`WARC-Target-URI: ${url}`,
		'Content-Type: application/http;msgtype=response',
		`Content-Length: ${http.length}`,
	];
	return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), http, Buffer.from('\r\n\r\n')]);
}

interface Started {
	readonly ended: Promise<number>;
	text(): string;
	interrupt(): void;
	/** Resolves when the pattern was printed (true) or the command ended (false). */
	waitFor(pattern: RegExp): Promise<boolean>;
}

interface Playground {
	readonly web: SmallWeb;
	/** Variables of the shell. */
	readonly variables: NodeJS.ProcessEnv;
	newFolder(): string;
	/** Starts `wayleave ARGV`. */
	start(cwd: string, argv: readonly string[]): Started;
	/** Starts a line of shell. */
	shell(cwd: string, line: string): Started;
	runModule(cwd: string, path: string): Promise<{ exitCode: number; text: string }>;
	/** Starts `wayleave ARGV` in a process of its own. */
	spawnBin(cwd: string, argv: readonly string[]): ChildProcess;
	close(): Promise<void>;
}

async function openPlayground(): Promise<Playground> {
	const home = mkdtempSync(join(tmpdir(), 'wayleave-docs-'));
	const [service = 0, gateway = 0, dashboard = 0] = await freePorts(3);
	const text = pages.map(({ file }) => readFileSync(join(repository, file), 'utf8')).join('\n');
	const names = [...new Set([...text.matchAll(/https?:\/\/([a-z0-9.-]+\.[a-z]+)/g)].map(([, name]) => name ?? ''))];
	const web = await startSmallWeb({ names, services: { 'index.example': service } });
	const database = await makeDatabases();
	const ca = join(home, 'ca.pem');
	writeFileSync(ca, web.ca);
	const listen = { 8700: service, 8080: gateway, 8081: dashboard };
	const ports = { 443: web.httpsPort, 80: web.httpPort, 3000: web.httpPort, 5432: Number(database.port), ...listen };
	// What the shims and curl need to reach the same servers as the runner.
	const connectTo = Object.entries(listen).map(([from, to]) => `connect-to = "127.0.0.1:${from}:127.0.0.1:${to}"`);
	writeFileSync(
		join(home, '.curlrc'),
		[
			...connectTo,
			`connect-to = "::127.0.0.1:${web.httpsPort}"`,
			`cacert = "${ca}"`,
			'silent',
			'fail-with-body',
			'',
		].join('\n'),
	);
	const env: NodeJS.ProcessEnv = {
		PATH: `${join(home, 'bin')}:${process.env.PATH}`,
		HOME: home,
		XDG_CONFIG_HOME: join(home, '.config'),
		TMPDIR: process.env.TMPDIR,
		LANG: 'C.UTF-8',
		NO_COLOR: '1',
		CI: '1',
		NODE_EXTRA_CA_CERTS: ca,
		WAYLEAVE_THREADS: '0',
		WAYLEAVE_DOCS_WEB: JSON.stringify({ ports, listen }),
		PGPASSWORD: 'SECRET',
		// What a reader has set up once; the sites are our own, and need no pause of two seconds.
		WAYLEAVE_CONTACT: 'you@your-company.com',
		WAYLEAVE_DELAY: '0.05',
		WAYLEAVE_I_OWN_THIS_SITE: names.join(','),
	};
	const source = [
		'--conditions=wayleave-source',
		'--import',
		join(repository, 'node_modules/tsx/dist/loader.mjs'),
		'--import',
		hook,
	];
	const command = ['--import', hook, sourceProgram('packages/wayleave/src/bin.ts')];
	makeShims(home, command, source);
	mkdirSync(join(home, '.config/fish/completions'), { recursive: true });

	const runner = fork(runnerFile, { execArgv: source, env, cwd: home, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
	const crash = new Promise<never>((_, reject) => {
		let errors = '';
		runner.stderr?.on('data', (chunk: Buffer) => {
			errors += chunk;
		});
		runner.once('exit', (code) => reject(new Error(`the runner ended with ${code}: ${errors}`)));
	});
	crash.catch(() => {});
	await Promise.race([crash, new Promise<void>((resolve) => runner.once('message', () => resolve()))]);

	const requests = new Map<number, (message: Reply) => void>();
	runner.on('message', (message: Reply) => {
		if (message.kind !== 'ready') requests.get(message.id)?.(message);
	});
	let count = 0;
	const ask = (request: (id: number) => Request): Started => {
		const id = ++count;
		const started = listenTo(
			(heard, done) => {
				requests.set(id, (message) => {
					if (message.kind === 'text') heard(message.text);
					if (message.kind === 'end') done(message.exitCode);
				});
				crash.catch((error) => {
					heard(String(error));
					done(1);
				});
			},
			() => runner.send({ kind: 'interrupt', id } satisfies Request),
		);
		runner.send(request(id));
		return started;
	};
	const spawnBin = (cwd: string, argv: readonly string[]) =>
		spawn(process.execPath, [...command, ...argv], { cwd, env });
	return {
		web,
		variables: env,
		newFolder: () => mkdtempSync(join(home, 'page-')),
		start: (cwd, argv) => ask((id) => ({ kind: 'command', id, cwd, argv })),
		async runModule(cwd, path) {
			const started = ask((id) => ({ kind: 'module', id, cwd, path }));
			return { exitCode: await started.ended, text: started.text() };
		},
		shell(cwd, line) {
			const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
			return listenTo(
				(heard, done) => {
					child.stdout.on('data', (chunk: Buffer) => heard(String(chunk)));
					child.stderr.on('data', (chunk: Buffer) => heard(String(chunk)));
					child.once('close', (code) => done(code ?? 1));
				},
				() => child.kill('SIGINT'),
			);
		},
		spawnBin,
		async close() {
			runner.removeAllListeners('exit');
			// Servers that it ran wait for their clients when they are asked to end.
			runner.kill('SIGKILL');
			await web.close();
		},
	};
}

/** The databases and users of the documentation, on the PostgreSQL server of this run of the tests. */
async function makeDatabases(): Promise<URL> {
	const url = await newDatabase();
	const client = new Client({ connectionString: url });
	await client.connect();
	for (const [user, name] of [
		['crawl', 'pages'],
		['crawler', 'crawl'],
	]) {
		await client.query(`CREATE USER ${user} PASSWORD 'SECRET'`);
		await client.query(`CREATE DATABASE ${name} OWNER ${user} ENCODING 'UTF8' TEMPLATE template0`);
	}
	await client.end();
	return new URL(url);
}

function listenTo(
	attach: (heard: (text: string) => void, done: (exitCode: number) => void) => void,
	interrupt: () => void,
): Started {
	let text = '';
	let over = false;
	const waiting = new Set<() => void>();
	const wake = () => {
		for (const each of waiting) each();
	};
	const ended = new Promise<number>((resolve) => {
		attach(
			(piece) => {
				text += piece;
				wake();
			},
			(exitCode) => {
				over = true;
				resolve(exitCode);
				wake();
			},
		);
	});
	return {
		ended,
		interrupt,
		text: () => text,
		waitFor: (pattern) =>
			new Promise((resolve) => {
				const look = () => {
					if (!over && !pattern.test(text)) return;
					waiting.delete(look);
					resolve(pattern.test(text));
				};
				waiting.add(look);
				look();
			}),
	};
}

/** `npx wayleave`, `wayleave` and `npx tsx` for lines that need a shell. */
function makeShims(home: string, command: readonly string[], source: readonly string[]): void {
	mkdirSync(join(home, 'bin'));
	const start = (words: readonly string[]) => [process.execPath, ...words].map((word) => `'${word}'`).join(' ');
	const scripts = {
		wayleave: `exec ${start(command)} "$@"`,
		npx: `program=$1; shift; case $program in wayleave) exec ${start(command)} "$@";; tsx) exec ${start(source)} "$@";; *) echo "npx $program: not here" >&2; exit 1;; esac`,
	};
	for (const [name, script] of Object.entries(scripts)) {
		writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(home, 'bin', name), 0o755);
	}
}
