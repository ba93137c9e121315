import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'wayleave-crawl-'));

it('the first Ctrl-C finishes what is in flight, the second is left to end the process', async () => {
	const server = createServer(() => {}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const asked = once(server, 'request');
	const terminal = recordingTerminal(emptyFolder());
	const { port } = server.address() as AddressInfo;
	const exitCode = run(['crawl', `http://127.0.0.1:${port}/`], terminal, commands);
	await asked;
	expect(terminal.listening()).toBe(true);
	terminal.interrupt();
	expect(terminal.stderr()).toContain('press Ctrl-C again to stop at once');
	expect(terminal.listening()).toBe(false);
	server.closeAllConnections();
	expect(await exitCode).toBe(130);
	expect(terminal.stderr()).toContain('run the same command again to resume');
	server.close();
}, 60_000);

it('a host that does not exist is said to be that', async () => {
	const terminal = recordingTerminal(emptyFolder());
	expect(await run(['crawl', 'http://nowhere.invalid/', '--contact', 'bot@crawler.dev'], terminal, commands)).toBe(3);
	expect(terminal.stderr()).toContain('http://nowhere.invalid/robots.txt could not be fetched: dns-');
}, 60_000);

describe('U2-35: where no host has answered, nothing new is left', () => {
	const crawling = (cwd: string, ...argv: string[]) => asking(cwd, 'crawl', ...argv, '--retries', '0');
	const asking = async (cwd: string, ...argv: string[]) => {
		const terminal = recordingTerminal(cwd);
		const exitCode = await run([...argv, '--contact', 'bot@crawler.dev'], terminal, commands);
		return {
			exitCode,
			stderr: terminal.stderr(),
			files: readdirSync(cwd, { recursive: true, encoding: 'utf8' }).sort(),
		};
	};

	it.each([
		[['fetch', 'http://nowhere.invalid/', '--store', 'sqlite:a/b/x.db', '--out', 'page.json']],
		[['fetch', 'http://127.0.0.1:65533/', '--store', 'sqlite:x.db', '--format', 'markdown']],
		[['fetch', 'http://nowhere.invalid/', '--format', 'som', '--out', 'page.json']],
		[['som', 'http://nowhere.invalid/', '--out', 'page.som.json']],
		[['check', 'http://nowhere.invalid/', '--use', 'read', '--out', 'check.txt']],
		[['lint', 'http://nowhere.invalid/robots.txt', '--out', 'lint.txt']],
	])('of %j', async (argv) => {
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-vain-'));
		expect(await asking(cwd, ...argv)).toMatchObject({ exitCode: 3, files: [] });
	});

	it('of fetch with an existing store', async () => {
		const cwd = mkdtempSync(join(tmpdir(), 'wayleave-vain-'));
		writeFileSync(join(cwd, 'x.db'), '');
		const { files } = await asking(cwd, 'fetch', 'http://nowhere.invalid/', '--store', 'sqlite:x.db');
		expect(files).toContain('x.db');
	});

	it.each([
		['a mistyped host', ['http://nowhere.invalid/']],
		['two of them', ['http://nowhere.invalid/', 'http://neither.invalid/']],
		['a port without a server', ['http://127.0.0.1:65533/']],
		[
			'files that were named, in new folders',
			['http://nowhere.invalid/', '--store', 'sqlite:a/b/x.db', '--out', 'c/x.parquet'],
		],
		['an archive and a folder', ['http://nowhere.invalid/', '--out', 'pages/', '--warc', 'w.warc.gz']],
		['a document stream', ['http://nowhere.invalid/', '--out', '-']],
	])('%s', async (_, argv) => {
		expect(await crawling(emptyFolder(), ...argv)).toEqual({
			exitCode: 3,
			stderr: expect.stringContaining('no host responded: nothing was saved'),
			files: [],
		});
	});

	it('files that were there stay as they were', async () => {
		const cwd = emptyFolder();
		const server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<p>Some words.</p>'));
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const files = ['--delay', '0', '--store', 'sqlite:x.db', '--out', 'x.jsonl'];
		expect(await crawling(cwd, url, ...files)).toMatchObject({ exitCode: 0, files: ['x.db', 'x.jsonl'] });
		server.closeAllConnections();
		server.close();
		expect(await crawling(cwd, 'http://nowhere.invalid/', '--store', 'sqlite:x.db', '--out', 'y.jsonl')).toMatchObject({
			files: ['x.db', 'x.jsonl'],
		});
	});

	it('an answer of any status is one', async () => {
		const server = createServer((_, answer) => answer.writeHead(503).end());
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		const { files } = await crawling(emptyFolder(), url, '--delay', '0', '--store', 'sqlite:x.db', '--out', 'x.jsonl');
		expect(files).toEqual(['x.db', 'x.jsonl']);
		server.close();
	});

	it('writes failures to the file if requested', async () => {
		const argv = ['http://nowhere.invalid/', '--outcomes', '--store', 'sqlite:x.db', '--out', 'x.jsonl'];
		expect((await crawling(emptyFolder(), ...argv)).files).toEqual(['x.db', 'x.jsonl']);
	});
});

it('a host that nobody serves says what the system said, without its address: hosts are counted by it', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	const terminal = recordingTerminal(emptyFolder());
	expect(await run(['crawl', `http://127.0.0.1:${port}/`, '--retries', '0'], terminal, commands)).toBe(3);
	expect(terminal.stderr()).toContain(
		`/robots.txt could not be fetched: connect-failed (the connection was refused: no server listens there)\n`,
	);
});

it('addresses that only lead to each other are no page that was had', async () => {
	const server = createServer(({ url, headers: { host = '' } }, answer) => {
		const other = host.replace(/^./, (letter) => (letter === 'a' ? 'b' : 'a'));
		answer.writeHead(url === '/' ? 302 : 404, url === '/' ? { Location: `http://${other}/` } : {}).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const seeds = ['a', 'b'].map((name) => `http://${name}.localhost:${port}/`);
	const terminal = recordingTerminal(emptyFolder());
	expect(await run(['crawl', ...seeds, '--delay', '0'], terminal, commands)).toBe(1);
	expect(terminal.stdout()).toContain('redirect-loop');
	server.close();
});

it.each(['crawl', 'fetch', 'som'])('%s asks whether a misspelt category is meant, and goes on', async (command) => {
	const terminal = recordingTerminal(emptyFolder());
	expect(await run([command, 'http://127.0.0.1:9/', '--category', 'monitorin'], terminal, commands)).toBe(1);
	expect(terminal.stderr().match(/did you mean monitoring\?/g)).toHaveLength(1);
});

it.each([
	['--store', 'pages.db', '--store pages.db: write sqlite:FILE, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'],
	['--store', 'mysql://u:p@h/x', '--store mysql:…: write sqlite:FILE, or postgres://'],
	['--store', 'postgres://u:secret@h:99999/x', '--store: the database URL is not valid: write'],
	[
		'--out',
		'',
		"--out : write rolling files ('FOLDER/*.jsonl.gz', 's3://BUCKET/FOLDER/*.parquet'), 'FOLDER/*.warc.gz' for rolling archives, FILE.jsonl, FILE.parquet, FILE.warc.gz, a folder",
	],
	['--sign-key', 'no.pem', '--sign-key no.pem: the file does not exist'],
])('%s %s is an error that nothing is written for', async (option, value, said) => {
	const cwd = emptyFolder();
	const terminal = recordingTerminal(cwd);
	const argv = ['crawl', 'http://127.0.0.1:9/', option, value, '--key-directory', 'https://h.example'];
	const signed = option === '--sign-key' ? argv : argv.slice(0, 4);
	expect(await run(signed, terminal, commands)).toBe(option === '--sign-key' ? 3 : 2);
	expect(terminal.stderr()).toContain(`error: ${said}`);
	expect(readdirSync(cwd)).toEqual([]);
});

it('a port that somebody else has is said to be that', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const terminal = recordingTerminal(emptyFolder());
	const argv = ['crawl', 'http://127.0.0.1:9/', '--metrics', `127.0.0.1:${port}`];
	expect(await run(argv, terminal, commands)).toBe(3);
	expect(terminal.stderr()).toBe(
		`error: cannot listen on 127.0.0.1:${port}: another program listens there: choose another port\n`,
	);
	server.close();
});

it('a store that is no database is an error that is said once', async () => {
	const cwd = emptyFolder();
	writeFileSync(join(cwd, 'notes.db'), 'These are my notes, and nobody may write over them. '.repeat(100));
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(['crawl', 'http://127.0.0.1:9/', '--store', 'sqlite:notes.db'], terminal, commands);
	expect(exitCode).toBe(3);
	expect(terminal.stderr().match(/is not an SQLite database/g)).toHaveLength(1);
});

it('a line of a manifest without a URL is named', async () => {
	const cwd = emptyFolder();
	writeFileSync(join(cwd, 'urls.txt'), 'a page.html https://h.example/\r\nother.html\r\n');
	const terminal = recordingTerminal(cwd);
	expect(await run(['convert', '--manifest', 'urls.txt'], terminal, commands)).toBe(2);
	expect(terminal.stderr()).toContain('urls.txt:2: expected FILE and URL');
});

it('--metrics tells how a crawl gets on, for Prometheus and as JSON', async () => {
	const server = createServer((request, response) => {
		if (request.url !== '/') response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const asked = new Promise<ServerResponse>((resolve) =>
		server.on('request', ({ url }, response) => {
			if (url === '/') resolve(response);
		}),
	);
	const terminal = recordingTerminal(emptyFolder());
	const { port } = server.address() as AddressInfo;
	const argv = ['crawl', `http://127.0.0.1:${port}/`, '--delay', '0', '--metrics', '127.0.0.1:0'];
	const exitCode = run(argv, terminal, commands);
	const response = await asked;
	const [base] = /http:\/\/127\.0\.0\.1:\d+(?=\/metrics)/.exec(terminal.stderr())!;
	expect(await (await fetch(`${base}/metrics`)).text()).toContain('wayleave_crawl_in_flight 1\n');
	expect(await (await fetch(`${base}/status`)).json()).toMatchObject({ mode: 'new', hosts: [{ host: '127.0.0.1' }] });
	expect((await fetch(`${base}/elsewhere`)).status).toBe(404);
	response.end('<p>That was slow.');
	expect(await exitCode).toBe(0);
	await expect(fetch(`${base}/metrics`)).rejects.toThrow();
	server.close().closeAllConnections();
}, 60_000);

it('text of a site never reaches the terminal as a command: not by robots.txt, headers or addresses', async () => {
	const odd = '\u001b[31m\u009b2J\u202e';
	const server = createServer(({ url = '' }, response) => {
		const head = (lines: string) =>
			response.socket!.end(Buffer.from(`HTTP/1.1 ${lines}\r\nContent-Length: 1\r\n\r\nx`, 'latin1'));
		if (url === '/robots.txt') response.end(`User-agent: *\nDisallow: /closed # ${odd}\nCrawl-delay: 0 ${odd}\n`);
		else if (url === '/') {
			response.writeHead(200, { 'Content-Type': 'text/html' });
			response.end(`<title>${odd}</title><a href="/closed">x</a><a href="/moved">x</a><a href="/kind">x</a>`);
		} else if (url === '/moved') head('302 Found\r\nLocation: http://[\u001b[31m');
		else if (url === '/kind') head('200 OK\r\nContent-Type: image/\u001b[31m');
		else response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cwd = emptyFolder();
	for (const argv of [
		['crawl', `${site}/`, '--delay', '0', '--store', 'sqlite:s.db'],
		['store', 'explain', `${site}/moved`, '--store', 'sqlite:s.db'],
		['store', 'explain', `${site}/closed`, '--store', 'sqlite:s.db'],
		['fetch', `${site}/kind`, '--delay', '0'],
		['check', `${site}/closed`, '--delay', '0'],
	]) {
		const terminal = recordingTerminal(cwd);
		await run(argv, terminal, commands);
		const shown = terminal.stdout() + terminal.stderr();
		expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
		expect(shown).toContain('\\u001b[31m');
	}
	server.close().closeAllConnections();
}, 120_000);

describe('a crawl of the same site again', () => {
	const paths = ['/', '/a', '/b', '/c'];
	let server: Server;
	let asked: string[];
	let seed: string;
	let cwd: string;
	beforeEach(async () => {
		asked = [];
		cwd = emptyFolder();
		server = createServer(({ url = '' }, response) => {
			if (!paths.includes(url)) return void response.writeHead(404).end();
			asked.push(url);
			response.writeHead(200, { 'Content-Type': 'text/html' });
			response.end(`<h1>Page ${url}</h1>${paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')}`);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	});
	afterEach(() => void server.close().closeAllConnections());

	it('--budget: no more pages of a host in one run than that, until all have had their turn', async () => {
		const seen = new Set<string>();
		for (let time = 0; time < 4; time++) {
			asked = [];
			const flags = ['--delay', '0', '--budget', '2', '--store', 'sqlite:s.db'];
			expect(await run(['crawl', seed, ...flags], recordingTerminal(cwd), commands)).toBe(0);
			expect(asked.length).toBeLessThanOrEqual(2);
			for (const path of asked) seen.add(path);
		}
		expect([...seen].sort()).toEqual(paths);
	}, 60_000);

	it('--every: says when the next cycle begins, nothing until then, and Ctrl-C ends the crawl in between', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		onTestFinished(() => void vi.useRealTimers());
		const terminal = recordingTerminal(cwd);
		const crawling = run(['crawl', seed, '--delay', '0', '--every', '6h'], terminal, commands);
		const announced = /the next cycle begins at (\S+); Ctrl-C ends the crawl/;
		await expect.poll(() => terminal.stderr(), { timeout: 50_000 }).toMatch(announced);
		const next = Date.parse(announced.exec(terminal.stderr())![1]!);
		expect(Math.abs(next - Date.now() - 6 * 60 * 60 * 1000)).toBeLessThan(120_000);
		expect(asked.sort()).toEqual(paths);
		const before = terminal.stderr();
		vi.advanceTimersByTime(60 * 60 * 1000);
		expect(terminal.stderr()).toBe(before);
		terminal.interrupt();
		expect(await crawling).toBe(0);
		expect(asked.length).toBe(paths.length);
		expect(terminal.stderr()).not.toContain('in flight');
	}, 60_000);

	it('an output that is named twice is written once, whatever its name looks like', async () => {
		const outs = ['--out', 'o.jsonl', '--out', './o.jsonl', '--out', 'w.warc.gz', '--warc', './w.warc.gz'];
		const argv = ['crawl', seed, '--delay', '0', '--store', 'sqlite:s.db', ...outs];
		for (const _ of ['the first time', 'a refresh']) expect(await run(argv, recordingTerminal(cwd), commands)).toBe(0);
		expect(readFileSync(join(cwd, 'o.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(paths.length);
		const terminal = recordingTerminal(cwd);
		expect(await run(['convert', 'w.warc.gz', '--out', 'again.jsonl'], terminal, commands)).toBe(0);
		expect(terminal.stderr()).toContain('0 failed');
	}, 60_000);

	it('says where everything is: an archive has answers, the documents are in the store then; what waits counts as in status', async () => {
		const crawlTo = async (...flags: string[]) => {
			const terminal = recordingTerminal(cwd);
			const argv = ['crawl', seed, '--delay', '0', '--store', 'sqlite:s.db', '--max-pages', '1', ...flags];
			expect(await run(argv, terminal, commands)).toBe(0);
			return terminal.stderr();
		};
		expect(await crawlTo('--out', 'w.warc.gz')).toContain('archive: w.warc.gz; documents and state: sqlite:s.db\n');
		const again = await crawlTo('--out', 'o.jsonl', '--warc', 'w.warc.gz');
		expect(again).toContain('documents: o.jsonl; archive: w.warc.gz; state: sqlite:s.db\n');
		expect(again).toMatch(/resuming: \d+ of \d+ known URLs still to visit, including sitemaps/);
	}, 60_000);

	it('--seeds: begins with the addresses of a file, which its own files are called after', async () => {
		const [, ...pages] = paths;
		const list = ['# two of them', '', ...pages.slice(0, 2).map((path) => `  ${new URL(path, seed)}\r`)];
		writeFileSync(join(cwd, 'some sites.txt'), `\ufeff${list.join('\n')}`);
		const flags = ['--seeds', 'some sites.txt', '--delay', '0', '--max-depth', '0'];
		expect(await run(['crawl', ...flags], recordingTerminal(cwd), commands)).toBe(0);
		expect(asked.sort()).toEqual(pages.slice(0, 2));
		expect(readFileSync(join(cwd, 'some sites.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
		expect(existsSync(join(cwd, 'some sites.db'))).toBe(true);
	}, 60_000);

	it.each([
		['no address at all', 2, [], 'pass one, or a file of URLs with --seeds'],
		['a file that is not there', 3, ['--seeds', 'none.txt'], '--seeds none.txt: the file does not exist'],
		['a folder', 3, ['--seeds', '.'], '--seeds .: this is a folder, not a file'],
		['an empty file', 2, ['--seeds', 'empty.txt'], '--seeds empty.txt: it contains no URL'],
		['a bad line', 2, ['--seeds', 'bad.txt'], 'bad.txt:3: ftp://example.com/: only http'],
	] as const)('%s to begin with ends with %i', async (_, exitCode, flags, message) => {
		writeFileSync(join(cwd, 'empty.txt'), '# none yet\n');
		writeFileSync(join(cwd, 'bad.txt'), 'example.com\n\nftp://example.com/\n');
		const terminal = recordingTerminal(cwd);
		expect(await run(['crawl', ...flags], terminal, commands)).toBe(exitCode);
		expect(terminal.stderr()).toContain(message);
	});

	it('the store is no file for documents', async () => {
		const terminal = recordingTerminal(cwd);
		const argv = ['crawl', seed, '--store', 'sqlite:pages.jsonl', '--out', './pages.jsonl'];
		expect(await run(argv, terminal, commands)).toBe(2);
		expect(terminal.stderr()).toContain('--out ./pages.jsonl is also the file of --store');
	});

	it.each([
		['--every', 'often'],
		['--budget', '0'],
		['--audit-rate', '2'],
	])('%s %s is an error of usage', async (flag, value) => {
		const terminal = recordingTerminal(cwd);
		expect(await run(['crawl', seed, flag, value], terminal, commands)).toBe(2);
		expect(terminal.stderr()).toContain(flag);
		expect(asked).toEqual([]);
	});
});

describe('address rules of the user', () => {
	const pages = ['/', ...[1, 2, 3, 4, 5].map((n) => `/guide/${n}`), ...[1, 2, 3].map((n) => `/cart/${n}`)];
	const lists = ['/list', '/list?view=tile', '/list?view=list', '/list?view=map'];
	const asked: string[] = [];
	let shop: Server | undefined;
	afterEach(() => shop?.close().closeAllConnections());

	async function crawlShop(cwd: string, ...flags: string[]) {
		asked.length = 0;
		if (shop === undefined || !shop.listening) {
			shop = createServer((request, response) => {
				const path = request.url ?? '';
				if (![...pages, ...lists].includes(path)) return void response.writeHead(404).end();
				asked.push(path);
				const links = path === '/' ? [...pages, ...lists.slice(1)] : [];
				const text = Array.from({ length: 80 }, (_, at) => `${path.replaceAll(/\W/g, '')}${at}`).join(' ');
				const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
				response
					.setHeader('Content-Type', 'text/html')
					.end(`<title>${path}</title><main><p>${text}</p></main>${anchors}`);
			}).listen(0, '127.0.0.1');
			await once(shop, 'listening');
		}
		const { port } = shop.address() as AddressInfo;
		const terminal = recordingTerminal(cwd);
		const argv = [
			'crawl',
			`http://127.0.0.1:${port}/`,
			'--delay',
			'0',
			'--outcomes',
			'--out',
			'o.jsonl',
			'--store',
			'sqlite:s.db',
			...flags,
		];
		const exitCode = await run(argv, terminal, commands);
		const lines = existsSync(join(cwd, 'o.jsonl'))
			? readFileSync(join(cwd, 'o.jsonl'), 'utf8')
					.trim()
					.split('\n')
					.map((line) => JSON.parse(line))
			: [];
		return { exitCode, lines, documents: lines.filter(({ document }) => document), stderr: terminal.stderr() };
	}
	const fresh = () => mkdtempSync(join(tmpdir(), 'wayleave-left-out-'));

	it('C2-120 --exclude', async () => {
		const { documents, lines } = await crawlShop(fresh(), '--exclude', '/cart/');
		expect(asked.filter((path) => path.startsWith('/cart'))).toEqual([]);
		expect(documents).toHaveLength(9);
		expect(lines.find(({ url }) => url.endsWith('/cart/1'))).toMatchObject({
			outcome: 'out-of-scope',
			reason: 'filtered',
		});
	});

	it('C2-121 --include', async () => {
		expect((await crawlShop(fresh(), '--include', '/guide/*')).documents).toHaveLength(6);
	});

	it('C2-122 --ignore-params, and the same command without it reports the difference', async () => {
		const cwd = fresh();
		const { lines } = await crawlShop(cwd, '--ignore-params', 'view');
		expect(asked.filter((path) => path.startsWith('/list'))).toEqual(['/list']);
		const alias = lines.find(({ url }) => url.endsWith('/list?view=map'));
		expect(alias).toMatchObject({ outcome: 'out-of-scope', reason: 'alias' });
		expect(alias.aliasOf).toMatch(/\/list$/);
		const { stderr } = await crawlShop(cwd);
		expect(stderr).toContain('--ignore-params view no longer holds');
		expect(asked).toContain('/list?view=map');
	});

	it('a pattern that cannot match anything is a usage error', async () => {
		const { exitCode, stderr } = await crawlShop(fresh(), '--exclude', 'cart/');
		expect(exitCode).toBe(2);
		expect(stderr).toContain('--exclude cart/: a pattern begins with /, * or a scheme, such as /cart/');
	});
});
