import { once } from 'node:events';
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyCommand, loadCommand } from '../cli/load-command.ts';
import { commands } from '../command-list.ts';
import { run } from '../program.ts';
import { pathOf } from '../terminal/misuse.ts';
import { recordingTerminal } from '../testing/recorder.ts';

// What people bring from other tools, for all commands alike: the table goes over the commands themselves.

const page =
	'<!doctype html><title>Tides</title><main><h1>Tides</h1><p>The sea rises and falls twice a day.</p></main>';
const robots = 'User-agent: *\nDisallow: /private\n';

/** A folder with a file, a folder, and a link that leads in a circle: no user, root neither, can read that. */
function folder(): string {
	const cwd = mkdtempSync(join(tmpdir(), 'wayleave-habits-'));
	mkdirSync(join(cwd, 'a-folder'));
	writeFileSync(join(cwd, 'a-file'), 'x');
	symlinkSync('a-loop', join(cwd, 'a-loop'));
	return cwd;
}

async function wayleave(cwd: string, argv: readonly string[], input: string | Uint8Array = '', env = {}) {
	const terminal = recordingTerminal(cwd, env, input);
	const code = await run(argv, terminal, commands);
	return { code, out: terminal.stdout(), err: terminal.stderr(), screen: terminal.screen() };
}

/** Every command that does something, by its words. */
async function leaves(): Promise<{ words: string[]; command: Command }[]> {
	const found: { words: string[]; command: Command }[] = [];
	for (const entry of commands) {
		const top = await loadCommand(entry, recordingTerminal('/'), () => {});
		everyCommand(top, (command) => {
			if (command.commands.length === 0) found.push({ words: pathOf(command).split(' '), command });
		});
	}
	return found;
}

const all = await leaves();
const named = all.map(({ words, command }) => [words.join(' '), words, command] as const);

/** What no person should have to read. */
const forProgrammers =
	/\bE[A-Z]{4,}\b|Error:|\bat \S+:\d+:\d+|Invalid input|expected \w+, received|node:|errno|syscall/;

/** For each command that reads a file that a person names: its words with the file. */
const readers: readonly (readonly [name: string, argv: (file: string) => string[]])[] = [
	['crawl --seeds', (file) => ['crawl', '--seeds', file]],
	[
		'crawl --sign-key',
		(file) => ['crawl', 'http://127.0.0.1:9/', '--sign-key', file, '--key-directory', 'https://a.test'],
	],
	[
		'fetch --sign-key',
		(file) => ['fetch', 'http://127.0.0.1:9/', '--sign-key', file, '--key-directory', 'https://a.test'],
	],
	['convert', (file) => ['convert', file]],
	['convert .html', (file) => ['convert', file, '--url', 'https://a.test/']],
	['convert --manifest', (file) => ['convert', '--manifest', file]],
	['convert --files-from', (file) => ['convert', '--files-from', file]],
	['som', (file) => ['som', `./${file}`]],
	['check --robots', (file) => ['check', 'https://a.test/', '--robots', file]],
	['check --robots2', (file) => ['check', 'https://a.test/', '--robots2', file]],
	['lint', (file) => ['lint', file]],
	['lint --robots', (file) => ['lint', 'robots2.txt', '--robots', file]],
	['lint --previous', (file) => ['lint', 'pagedigest.json', '--previous', file]],
	['check-live --config', (file) => ['check-live', 'http://127.0.0.1:9/', '--config', file]],
	['publish --config', (file) => ['publish', 'a-folder', '--config', file]],
	['publish --published', (file) => ['publish', 'a-folder', '--origin', 'https://a.test', '--published', file]],
	['gateway --config', (file) => ['gateway', '--upstream', 'http://127.0.0.1:9', '--config', file]],
	[
		'gateway --tls-cert',
		(file) => [
			'gateway',
			'--upstream',
			'http://127.0.0.1:9',
			'--origin',
			'https://a.test',
			'--tls-cert',
			file,
			'--tls-key',
			file,
		],
	],
	['report --config', (file) => ['report', '--config', file]],
	['ranges build', (file) => ['ranges', 'build', file]],
	['ranges lookup', (file) => ['ranges', 'lookup', file, '--ip', '192.0.2.1']],
	['ranges merge', (file) => ['ranges', 'merge', file]],
	['ranges check', (file) => ['ranges', 'check', file]],
	['ranges check --previous', (file) => ['ranges', 'check', 'lines.txt', '--previous', file]],
	[
		'digest build --published',
		(file) => ['digest', 'build', 'a-folder', '--origin', 'https://a.test', '--state', 's.json', '--published', file],
	],
	['digest diff', (file) => ['digest', 'diff', file, file]],
	['digest audit', (file) => ['digest', 'audit', file, 'a-folder']],
	['conformance --from', (file) => ['conformance', '--from', file]],
];

function readable(): string {
	const cwd = folder();
	writeFileSync(join(cwd, 'robots2.txt'), 'crawl: yes\n');
	writeFileSync(join(cwd, 'pagedigest.json'), '{}');
	writeFileSync(join(cwd, 'lines.txt'), '192.0.2.0/24\n');
	return cwd;
}

describe('a file that was named', () => {
	it.each(readers)('U2-17, U2-19: %s: one that is not there is said in one way, with one code', async (_, argv) => {
		const { code, err } = await wayleave(readable(), argv('missing.xyz'));
		expect(err).toContain('missing.xyz: the file does not exist\n');
		expect(err).not.toMatch(forProgrammers);
		expect(code).toBe(3);
	});

	// A folder is what these take.
	const takesFolders = new Set(['convert', 'convert .html', 'lint', 'lint --robots', 'lint --previous']);
	it.each(readers.filter(([name]) => !takesFolders.has(name)))(
		'U2-17: %s: a folder is not taken for a file',
		async (_, argv) => {
			const { code, err } = await wayleave(readable(), argv('a-folder'));
			expect(err).toContain('a-folder: this is a folder, not a file\n');
			expect(err).not.toMatch(forProgrammers);
			expect(code).toBe(3);
		},
	);

	it.each(readers)('U2-17: %s: what cannot be read is said in words', async (_, argv) => {
		const { code, err } = await wayleave(readable(), argv('a-loop'));
		expect(err).toContain('a-loop: its symbolic links form a loop');
		expect(err).not.toMatch(forProgrammers);
		expect(code).toBe(3);
		const below = await wayleave(readable(), argv('a-file/below'));
		expect(below.err).toContain('a-file/below: part of the path is a file, not a folder');
		expect(below.code).toBe(3);
	});

	it.each(readers)('U2-22: %s --json: the error is one object on stdout', async (_, argv) => {
		const { code, out, err } = await wayleave(readable(), [...argv('missing.xyz'), '--json']);
		const lines = out.trimEnd().split('\n');
		expect(lines).toHaveLength(argv('x').filter((word) => word === 'x').length === 2 && lines.length === 2 ? 2 : 1);
		expect(JSON.parse(lines[0] ?? '')).toEqual({
			error: expect.objectContaining({
				code: 'file-not-found',
				message: expect.stringContaining('missing.xyz: the file does not exist'),
			}),
		});
		expect(err).toContain('the file does not exist');
		expect(code).toBe(3);
	});

	it.each([
		['publish', ['publish', 'nowhere', '--origin', 'https://a.test']],
		['digest build', ['digest', 'build', 'nowhere', '--origin', 'https://a.test', '--state', 's.json']],
		['digest audit', ['digest', 'audit', 'pagedigest.json', 'nowhere']],
		['demo', ['demo', '--site', 'nowhere']],
	])('a folder that is not there: %s', async (_, argv) => {
		const { code, err } = await wayleave(readable(), argv);
		expect(err).toContain('nowhere: the folder does not exist');
		expect(code).toBe(3);
		const file = await wayleave(
			readable(),
			argv.map((word) => (word === 'nowhere' ? 'a-file' : word)),
		);
		expect(file.err).toContain('a-file: this is a file, not a folder');
		expect(file.code).toBe(3);
	});
});

/** For each command that writes a file: its words, all but the file. */
const writers: readonly { name: string; argv: readonly string[]; input?: string }[] = [
	{ name: 'init', argv: ['init', '--yes', '--origin', 'https://a.test', '--force'] },
	{ name: 'ranges build', argv: ['ranges', 'build'], input: '192.0.2.0/24\n' },
	{ name: 'ranges merge', argv: ['ranges', 'merge', '-'], input: '192.0.2.0/24\n' },
	{ name: 'lint', argv: ['lint', '-'], input: 'Disalow: /\nUser-agent: *\n' },
	{ name: 'check', argv: ['check', 'https://a.test/', '--robots', '-'], input: robots },
	{ name: 'som', argv: ['som', '-', '--url', 'https://a.test/'], input: page },
	{ name: 'keys create', argv: ['keys', 'create', '--name', 'x'] },
];

const manifest = (rev: number) =>
	JSON.stringify({
		pagedigest: 1,
		site_rev: rev,
		generated_at: '2026-01-01T00:00:00Z',
		coverage: { mode: 'complete' },
		pages: { '/': { rev } },
	});

describe('-o and --out', () => {
	it.each(writers)(
		'U2-18, U2-20, U2-21: $name writes the file, makes its folder, and says why it cannot',
		async ({ argv, input = '' }) => {
			const cwd = folder();
			writeFileSync(join(cwd, 'old.json'), manifest(1));
			writeFileSync(join(cwd, 'new.json'), manifest(2));
			const made = await wayleave(cwd, [...argv, '-o', 'new-folder/below/result'], input);
			expect(made.err).not.toMatch(forProgrammers);
			expect([0, 1]).toContain(made.code);
			expect(readdirSync(join(cwd, 'new-folder/below'))).toEqual(['result']);
			for (const place of ['a-folder', 'a-file/below', '/dev/full']) {
				const { code, err } = await wayleave(cwd, [...argv, '--out', place], input);
				expect(err).toMatch(new RegExp(`^error: ${place}: (?:this is a f|part of the path|the disk is full)`, 'm'));
				expect(err).not.toMatch(forProgrammers);
				expect(code).toBe(3);
			}
			expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
		},
	);

	it.each([
		...writers.map(({ name, argv, input = '' }) => [name, argv, input] as const),
		['digest build', ['digest', 'build', 'site', '--origin', 'https://a.test', '--state', 's.json'], ''] as const,
		['convert', ['convert', 'site/index.html', '--url', 'https://a.test/'], ''] as const,
	])('U2-14, U2-20: %s: --out - is stdout, no file of that name', async (_, argv, input) => {
		const cwd = folder();
		mkdirSync(join(cwd, 'site'));
		writeFileSync(join(cwd, 'site/index.html'), page);
		writeFileSync(join(cwd, 'old.json'), manifest(1));
		writeFileSync(join(cwd, 'new.json'), manifest(2));
		const { code, out, err } = await wayleave(cwd, [...argv, '--out', '-'], input);
		expect([0, 1], err).toContain(code);
		expect(out).not.toBe('');
		expect(out).not.toMatch(/^wrote |^site_rev /m);
		expect(readdirSync(cwd)).not.toContain('-');
	});

	it.each([
		['publish', ['publish', 'site', '--origin', 'https://a.test']],
		['demo', ['demo']],
	])('U2-14: %s writes a folder, and rejects --out -', async (_, argv) => {
		const cwd = folder();
		mkdirSync(join(cwd, 'site'));
		const { code, err } = await wayleave(cwd, [...argv, '--out', '-']);
		expect(err).toMatch(/^error: --out -: it writes a folder of files, which stdout cannot hold: name a folder\n/);
		expect(code).toBe(2);
		expect(readdirSync(cwd)).not.toContain('-');
	});

	it.each([
		['publish', ['publish', 'site', '--origin', 'https://a.test', '--out', 'PLACE']],
		['publish in place', ['publish', 'a-file', '--origin', 'https://a.test']],
		['digest build', ['digest', 'build', 'site', '--origin', 'https://a.test', '--state', 's.json', '--out', 'PLACE']],
		['digest build --state', ['digest', 'build', 'site', '--origin', 'https://a.test', '--state', 'PLACE']],
		['convert', ['convert', 'site/index.html', '--url', 'https://a.test/', '--out', 'PLACE.jsonl']],
		['convert to a folder', ['convert', 'site/index.html', '--url', 'https://a.test/', '--out', 'PLACE/']],
		['crawl', ['crawl', 'http://127.0.0.1:9/', '--out', 'PLACE.jsonl']],
		['crawl --store', ['crawl', 'http://127.0.0.1:9/', '--store', 'sqlite:PLACE']],
		['crawl --warc', ['crawl', 'http://127.0.0.1:9/', '--warc', 'PLACE.warc.gz']],
		['keys create', ['keys', 'create', '--name', 'x', '--store', 'sqlite:PLACE']],
		['lint --sarif', ['lint', 'site/robots.txt', '--sarif', 'PLACE']],
	])('U2-17: %s: a place where nothing can be written is said in words', async (_, argv) => {
		const cwd = folder();
		mkdirSync(join(cwd, 'site'));
		writeFileSync(join(cwd, 'site/index.html'), page);
		writeFileSync(join(cwd, 'site/robots.txt'), robots);
		const { code, err } = await wayleave(
			cwd,
			argv.map((word) => word.replace('PLACE', 'a-file/below')),
		);
		expect(err).toMatch(/is a file|this is a f|cannot be opened/);
		expect(err).not.toMatch(forProgrammers);
		expect(code).toBe(3);
	});

	it.each(named)('U2-20: wayleave %s has -q, -v and --json', (_, __, command) => {
		const longs = command.options.map(({ long }) => long);
		expect(longs).toEqual(expect.arrayContaining(['--quiet', '--verbose', '--json']));
		const out = command.options.find(({ long }) => long === '--out');
		if (out !== undefined) expect(out.short).toBe('-o');
		expect(command.options.map(({ short }) => short).filter((short) => short === '-v')).toHaveLength(1);
	});
});

describe('every command', () => {
	it.each(named)('U2-33: wayleave %s --help has one line of exit codes', async (_, words) => {
		const { code, out } = await wayleave('/', [...words, '--help']);
		expect(out).toMatch(
			/^Exit codes: 0 [^;\n]+; 1 [^;\n]+; 2 wrong usage; 3 could not run[^;\n]*; 130 interrupted\.$/m,
		);
		expect(out.match(/Exit codes:/g)).toHaveLength(1);
		expect(code).toBe(0);
	});

	it.each(named)(
		'U2-23: wayleave %s: an unknown option gets the nearest, or where to look',
		async (_, words, command) => {
			const path = words;
			for (const [typed, meant] of [
				['--quite', '--quiet'],
				['--jsno', '--json'],
				['--verbos', '--verbose'],
			]) {
				const { code, err } = await wayleave('/', [...path, typed ?? '']);
				expect(err).toBe(`error: unknown option '${typed}'\n(Did you mean ${meant}?)\n`);
				expect(code).toBe(2);
			}
			const { err } = await wayleave('/', [...path, '--zzzzzzzzzzz']);
			expect(err).toBe(`error: unknown option '--zzzzzzzzzzz'\n(See wayleave ${path.join(' ')} --help)\n`);
			const json = await wayleave('/', [...path, '--zzzzzzzzzzz', '--json']);
			expect(JSON.parse(json.out)).toEqual({
				error: { code: 'wrong-usage', message: expect.stringContaining('unknown option') },
			});
			// The own options of a command, each with one letter doubled.
			for (const { long = '' } of command.options.filter(({ hidden }) => !hidden)) {
				const typed = long.replace(/^--(no-)?(\w)/, '--$1$2$2');
				const { err: said } = await wayleave('/', [...path, typed]);
				if (!said.includes('unknown option')) continue;
				expect(said).toContain('(Did you mean --');
			}
		},
	);

	it.each([
		[['crawl', '--depth', '2'], '--max-depth'],
		[['crawl', '--output', 'x'], '--out'],
		[['crawl', '--user-agent', 'x'], '--bot-name'],
		[['crawl', '--wait', '1'], '--delay'],
		[['fetch', '--zzzzzzz', '1'], undefined],
		[['crawl', '--max-pgaes', '1'], '--max-pages'],
		[['crawl', '-O', 'x'], '-o'],
		[['convert', '--outptu', 'x'], '--out'],
		[['gateway', '--port', '80'], '--listen'],
		[['lint', '--output-file', 'x'], '--out'],
	])('U2-23: wayleave %j', async (argv, meant) => {
		const { code, err } = await wayleave('/', argv);
		expect(err).toMatch(meant === undefined ? /\(See wayleave / : new RegExp(`\\(Did you mean ${meant}\\?\\)`));
		expect(code).toBe(2);
	});

	it.each(['store', 'keys', 'ranges', 'digest'])('an unknown subcommand of %s', async (group) => {
		const { code, err, out } = await wayleave('/', [group, 'zzzzzzz', '--json']);
		expect(err).toBe(`error: unknown command 'zzzzzzz'\n(See wayleave ${group} --help)\n`);
		expect(JSON.parse(out)).toMatchObject({ error: { code: 'wrong-usage' } });
		expect(code).toBe(2);
	});

	it('a value of a list of choices gets the nearest', async () => {
		const { code, err } = await wayleave('/', ['crawl', 'http://a.test', '--scope', 'hots']);
		expect(err).toContain(
			"argument 'hots' is invalid. Allowed choices are host, domain, prefix.\n(Did you mean host?)",
		);
		expect(code).toBe(2);
	});
});

describe('stdin', () => {
	it('U2-14: lint - reads stdin; its name tells the format', async () => {
		const cwd = folder();
		const plain = await wayleave(cwd, ['lint', '-', '--format', 'robots'], 'Disalow /x\n');
		expect(plain.out).toMatch(/^-:1:1 /);
		expect((await wayleave(cwd, ['lint', '-'], robots)).code).toBe(0);
		const called = await wayleave(cwd, ['lint', '-', '--stdin-name', 'site/robots.txt'], 'Disalow /x\n');
		expect(called.out).toMatch(/^site\/robots\.txt:1:1 /);
		expect(called.code).toBe(plain.code);
	});

	it('U2-15: convert - reads a page, a packed page, and an archive', async () => {
		const cwd = folder();
		for (const bytes of [page, gzipSync(page)]) {
			const { code, out } = await wayleave(cwd, ['convert', '-', '--url', 'https://example.com/a'], bytes);
			expect(JSON.parse(out)).toMatchObject({ source: { url: 'https://example.com/a' } });
			expect(code).toBe(0);
		}
		const nameless = await wayleave(cwd, ['convert', '-', '--stdin-name', 'page.html', '--json'], page);
		expect(JSON.parse(nameless.out)).toEqual({
			error: {
				code: 'no-address',
				file: 'page.html',
				message: expect.stringMatching(/^page\.html: the page does not state its URL/),
			},
		});
		expect(nameless.code).toBe(1);
		const body = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${page}`;
		const record = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://example.com/b\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n\r\n`;
		for (const bytes of [record, gzipSync(record)]) {
			const { out, code } = await wayleave(cwd, ['convert', '-'], bytes);
			expect(JSON.parse(out)).toMatchObject({ source: { url: 'https://example.com/b' } });
			expect(code).toBe(0);
		}
	});

	it.each([
		['som', ['som', '-', '--url', 'https://a.test/'], page, 'Tides'],
		['check', ['check', 'https://a.test/private/x', '--robots', '-', '--use', 'crawl'], robots, 'Disallow: /private'],
		['ranges check', ['ranges', 'check', '-'], '192.0.2.0/24\n', ''],
		['ranges lookup', ['ranges', 'lookup', '-', '--ip', '192.0.2.1'], '192.0.2.0/24\n', '192.0.2.0/24'],
		['digest diff', ['digest', 'diff', '-', '-'], manifest(1), ''],
		['convert --manifest', ['convert', '--manifest', '-'], 'page.html https://a.test/1\n', 'https://a.test/1'],
	])('- is stdin for %s', async (_, argv, input, shown) => {
		const cwd = folder();
		writeFileSync(join(cwd, 'page.html'), page);
		const { code, screen } = await wayleave(cwd, argv, input);
		expect(screen).toContain(shown);
		expect(screen).not.toContain('the file does not exist');
		expect([0, 1]).toContain(code);
	});
});

describe('lint of a folder', () => {
	it('U2-16: checks the files that it knows, by name, and passes others over', async () => {
		const cwd = folder();
		mkdirSync(join(cwd, 'site/.well-known'), { recursive: true });
		mkdirSync(join(cwd, 'site/node_modules/x'), { recursive: true });
		const put = (name: string, text: string) => writeFileSync(join(cwd, 'site', name), text);
		put('robots.txt', 'Disalow /x\nUser-agent: *\nDisallow: /\n');
		put('robots2.txt', 'trian: no\n');
		put('.well-known/pagedigest.json', '{"pagedigest":1}');
		put('node_modules/x/robots.txt', 'Disalow /x\n');
		put('readme.txt', 'Disallow: this is prose\ntrain: a vehicle\n');
		put('package.json', '{"name":"x"}');
		put('ranges.json', '{"prefixes":[{"ipv4Prefix":"192.0.2.1/24"}]}');
		put('data.jsonl', '{"a":1}\n');
		put('page.html', page);
		const { code, out, err } = await wayleave(cwd, ['lint', 'site']);
		const files = [
			...new Set(
				out
					.split('\n')
					.filter(Boolean)
					.map((line) => line.split(':')[0]),
			),
		];
		expect(files).toEqual([
			join('site', '.well-known', 'pagedigest.json'),
			join('site', 'ranges.json'),
			join('site', 'robots.txt'),
			join('site', 'robots2.txt'),
		]);
		expect(err).toMatch(/in 4 files\n$/);
		expect(code).toBe(1);
		const quiet = await wayleave(cwd, ['lint', 'site', '--quiet']);
		expect(quiet.err).toBe('');
		expect(
			quiet.out
				.split('\n')
				.filter(Boolean)
				.every((line) => line.includes(' error ')),
		).toBe(true);
	});

	it('U2-16: one with nothing that it knows is an error', async () => {
		const { code, err } = await wayleave(folder(), ['lint', 'a-folder']);
		expect(err).toContain('a-folder: this folder contains no policy file, list, manifest or document');
		expect(code).toBe(3);
	});
});

describe('ranges build', () => {
	it('U2-34: of nothing writes nothing, unless it is said', async () => {
		const cwd = folder();
		writeFileSync(join(cwd, 'kept.json'), 'before');
		for (const input of ['', '\n\n', '# nobody\n']) {
			const { code, out, err } = await wayleave(cwd, ['ranges', 'build', '-', '--out', 'kept.json'], input);
			expect(err).toContain('contains no range; nothing was written. To publish an empty list, use --allow-empty');
			expect(out).toBe('');
			expect(code).toBe(1);
			const merged = await wayleave(cwd, ['ranges', 'merge', '-', '--out', 'kept.json'], input);
			expect(merged).toMatchObject({ code: 1, out: '', err: expect.stringContaining('nothing was written') });
			expect(readFileSync(join(cwd, 'kept.json'), 'utf8')).toBe('before');
		}
		const joined = await wayleave(cwd, ['ranges', 'merge', '-', '--allow-empty']);
		expect([joined.code, JSON.parse(joined.out).prefixes]).toEqual([0, []]);
		const json = await wayleave(cwd, ['ranges', 'build', '--json']);
		expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'no-ranges' } });
		const allowed = await wayleave(cwd, ['ranges', 'build', '-', '--allow-empty', '-o', 'empty.json']);
		expect(allowed.code).toBe(0);
		expect(JSON.parse(readFileSync(join(cwd, 'empty.json'), 'utf8'))).toMatchObject({ prefixes: [] });
		expect((await wayleave(cwd, ['ranges', 'build', '-'], 'not a range\n')).code).toBe(1);
	});
});

it('U2-34: publish does not announce that all pages are gone after a build left an empty folder', async () => {
	const cwd = folder();
	mkdirSync(join(cwd, 'site'));
	writeFileSync(join(cwd, 'site/index.html'), page);
	const publish = ['publish', 'site', '--origin', 'https://a.test', '--out', 'public'];
	writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://a.test\n');
	expect((await wayleave(cwd, publish)).code).toBe(0);
	const manifest = readFileSync(join(cwd, 'public/.well-known/pagedigest.json'), 'utf8');
	rmSync(join(cwd, 'site/index.html'));
	const { code, err } = await wayleave(cwd, publish);
	expect(err).toMatch(
		/site: the folder contains no page, and had 1 at the last run; nothing was written, .*: build the/,
	);
	expect(code).toBe(3);
	expect(readFileSync(join(cwd, 'public/.well-known/pagedigest.json'), 'utf8')).toBe(manifest);
	writeFileSync(join(cwd, 'site/other.html'), page);
	expect((await wayleave(cwd, publish)).code).toBe(0);
});

describe('sentences about the policy file', () => {
	const gateway = ['gateway', '--upstream', 'http://127.0.0.1:9', '--config', 'f.yaml'];
	it.each([
		[
			'U2-26',
			'polcy: { tarin: no }',
			['f.yaml:1:1: polcy: unknown key; did you mean policy?', 'tarin: unknown key; did you mean train?'],
		],
		[
			'U2-27',
			'paths: { disallow: "/admin" }',
			['origin is missing: the origin of the site, https://example.com', 'paths.disallow: expected a list: ["/admin"]'],
		],
		[
			'U2-28',
			'origin: https://a.test\nrate: { default: "30" }',
			['f.yaml:2:9: rate.default: expected a number without quotes: 30'],
		],
		[
			'U2-29',
			'origin: site.example.com',
			['f.yaml:1:1: origin: expected a URL with its scheme: https://site.example.com'],
		],
		[
			'U2-30',
			'origin: https://a.test\npolicy: { store: maybe }',
			['policy.store: expected one of no, session-only, yes\n'],
		],
	])('%s: wayleave gateway --config, exit 2', async (_, text, sentences) => {
		const cwd = folder();
		writeFileSync(join(cwd, 'f.yaml'), text);
		const { code, err } = await wayleave(cwd, gateway);
		for (const sentence of sentences) expect(err).toContain(sentence);
		expect(err).not.toMatch(forProgrammers);
		expect(err).not.toContain(cwd);
		expect(code).toBe(2);
		const json = await wayleave(cwd, [...gateway, '--json']);
		expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'invalid-config' } });
	});
});

describe('product tokens, uses and categories', () => {
	it('U2-26: one that is near a known one gets it, as a remark: agents that no catalogue knows may exist', async () => {
		const cwd = folder();
		const text =
			'origin: https://a.test\npolicy: { train: ask }\npaths: { agents: { GTPBot: { disallow: [/] }, OurOwnBot: { disallow: [/] } } }\nask: { train: { decision: allow, agents: [CluadeBot] } }\n';
		writeFileSync(join(cwd, 'wayleave.config.yaml'), text);
		mkdirSync(join(cwd, 'site'));
		writeFileSync(join(cwd, 'site/index.html'), page);
		const { err } = await wayleave(cwd, ['publish', 'site']);
		expect(err).toContain('paths.agents: GTPBot is not in the catalogue of agents; did you mean GPTBot?\n');
		expect(err).toContain('ask.train.agents: CluadeBot is not in the catalogue of agents; did you mean ClaudeBot?\n');
		expect(err).not.toContain('OurOwnBot is not');
		const check = await wayleave(cwd, ['check', 'https://a.test/', '--agent', 'gptbto', '--robots', '-'], robots);
		expect(check.err).toContain('--agent gptbto is not in the catalogue of agents: did you mean GPTBot?');
	});

	it('U2-23: --use gets the nearest', async () => {
		for (const argv of [
			['crawl', 'http://127.0.0.1:9/', '--use', 'tarin'],
			['check', 'https://a.test/', '--robots', 'a-file', '--use', 'tarin'],
		]) {
			const { code, err } = await wayleave(folder(), argv);
			expect(err).toMatch(/--use tarin: expected one of crawl, read, .*; did you mean train\?\n/);
			expect(code).toBe(2);
		}
	});
});

describe('no host answers', () => {
	/** A port of this machine on which nothing listens. */
	let silent: string;
	beforeAll(async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		server.close();
		await once(server, 'close');
	});

	it.each([
		['check', (url: string) => ['check', url, '--use', 'read']],
		['fetch', (url: string) => ['fetch', url]],
		['som', (url: string) => ['som', url]],
		['crawl', (url: string) => ['crawl', url, '--retries', '0']],
		['lint', (url: string) => ['lint', url, '--delay', '0']],
		['check-live', (url: string) => ['check-live', url]],
	] as const)('U2-31: %s ends with 3: no answer is not a no', async (_, argv) => {
		const cwd = folder();
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://a.test\n');
		const { code, screen } = await wayleave(cwd, argv(silent));
		expect(screen).toContain('connection was refused');
		expect(screen).not.toMatch(forProgrammers);
		expect(code).toBe(3);
	});

	it('U2-31: the text of check stays', async () => {
		const { out } = await wayleave(folder(), ['check', silent, '--use', 'read']);
		expect(out).toContain('read  no  robots.txt  unreachable');
	});

	it('U2-32: check-live lists what could not be reached, and no differences', async () => {
		const cwd = folder();
		writeFileSync(join(cwd, 'wayleave.config.yaml'), 'origin: https://a.test\nverification: abc\n');
		const { code, out, err } = await wayleave(cwd, ['check-live', silent]);
		expect(out).toBe('');
		for (const path of ['robots.txt', 'robots2.txt', '.well-known/tdmrep.json', '.well-known/aiwebindex-verify.txt'])
			expect(err).toContain(`${silent}${path}: `);
		expect(err).not.toMatch(/difference|is meant/);
		expect(code).toBe(3);
		const json = await wayleave(cwd, ['check-live', silent, '--json']);
		expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'no-answer' } });
	});

	it('an answer that is a no stays a 1', async () => {
		const server = createServer((request, response) => {
			response.writeHead(request.url === '/robots.txt' ? 503 : 200).end();
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		expect((await wayleave(folder(), ['check', url, '--use', 'read'])).code).toBe(1);
		expect((await wayleave(folder(), ['fetch', url])).code).toBe(1);
		server.closeAllConnections();
		server.close();
	});
});

describe('--json, --out, --quiet and --verbose of what fetches', () => {
	let url: string;
	const server = createServer((request, response) => {
		const text = request.url === '/robots.txt' ? robots : request.url === '/' ? page : undefined;
		const type = request.url === '/robots.txt' ? 'text/plain' : 'text/html';
		response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
	});
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	const quick = ['--delay', '0'];

	it.each([
		['fetch', ['fetch'], { schema: { name: 'AIDocument' } }],
		['som', ['som'], { som_version: expect.any(String) }],
		['fetch --format som', ['fetch', '--format', 'som'], { som_version: expect.any(String) }],
	])('U2-21, U2-22: %s', async (_, words, shape) => {
		const cwd = folder();
		const json = await wayleave(cwd, [...words, url, ...quick, '--json']);
		expect(JSON.parse(json.out)).toMatchObject(shape);
		const file = await wayleave(cwd, [...words, url, ...quick, '--out', 'page.json']);
		expect(file.out).toBe('');
		expect(JSON.parse(readFileSync(join(cwd, 'page.json'), 'utf8'))).toMatchObject(shape);
		const refused = await wayleave(cwd, [...words, `${url}private/x`, ...quick, '--json', '-o', 'refused.json']);
		expect(JSON.parse(refused.out)).toMatchObject({
			error: { code: 'robots-disallow', outcome: 'refused', url: `${url}private/x` },
		});
		expect(refused.code).toBe(1);
		expect(readdirSync(cwd)).not.toContain('refused.json');
		const both = await wayleave(cwd, [...words.slice(0, 1), url, '--json', '--format', 'markdown']);
		expect(both.err).toBe('error: --json and --format markdown cannot be combined: choose one\n');
	});

	it('U2-20: --verbose shows each request and decision on stderr, and stdout stays as it is', async () => {
		const cwd = folder();
		const plain = await wayleave(cwd, ['fetch', url, ...quick, '--format', 'markdown']);
		const { out, err } = await wayleave(cwd, ['fetch', url, ...quick, '--format', 'markdown', '-v']);
		expect(out).toBe(plain.out);
		expect(err).toMatch(/^GET http:\S+robots\.txt → 200, \d+ bytes, \d+ ms$/m);
		expect(err).toMatch(new RegExp(`^GET ${url} → 200, \\d+ bytes, \\d+ ms$`, 'm'));
		expect(err).toMatch(new RegExp(`^permitted ${url}$`, 'm'));
		const refused = await wayleave(cwd, ['crawl', `${url}private/x`, ...quick, '--verbose', '--out', '-']);
		expect(refused.err).toMatch(
			/^not permitted \S+private\/x: robots-disallow, \S+robots\.txt:2 {2}Disallow: \/private$/m,
		);
		for (const argv of [
			['check', url],
			['lint', url],
		])
			expect((await wayleave(cwd, [...argv, '--delay', '0', '-v'])).err).toMatch(/^GET http:\S+robots\.txt → 200/m);
	}, 60_000);

	it('U2-20: --quiet says nothing but errors', async () => {
		const cwd = folder();
		const crawl = await wayleave(cwd, ['crawl', url, ...quick, '--quiet', '--store', 'memory']);
		expect(crawl).toMatchObject({ code: 0, screen: '' });
		expect((await wayleave(cwd, ['fetch', `${url}private/`, ...quick, '-q'])).err).toContain('robots-disallow');
		expect((await wayleave(cwd, ['init', '--yes', '--origin', 'https://a.test', '-q'])).screen).toBe('');
		expect((await wayleave(cwd, ['ranges', 'build', '-q'], '192.0.2.0/24\n')).err).toBe('');
	}, 60_000);
});
