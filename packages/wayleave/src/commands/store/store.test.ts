import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

// A crawl loads a good part of everything first.
vi.setConfig({ testTimeout: 240_000 });

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

/** Serves pages by path; what is missing is 404. */
async function serve(files: Record<string, string>): Promise<string> {
	server = createServer((request, response) => {
		const body = files[request.url ?? ''];
		const type = request.url?.endsWith('.txt') ? 'text/plain' : 'text/html';
		response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': type }).end(body);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server!.once('listening', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page = (title: string, ...links: string[]) =>
	`<title>${title}</title><main><h1>${title}</h1><p>A sentence about ${title}, long enough to be one.</p>${links.map((href) => `<a href="${href}">x</a>`).join('')}</main>`;

async function wayleave(cwd: string, ...argv: string[]) {
	const terminal = recordingTerminal(cwd);
	const exitCode = await run(argv, terminal, commands);
	return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}
const crawlAt = (site: string, ...more: string[]) => [
	'crawl',
	`${site}/`,
	'--delay',
	'0',
	'--store',
	'sqlite:s.db',
	'--no-sitemaps',
	...more,
];
const folder = () => mkdtempSync(join(tmpdir(), 'wayleave-store-command-'));

it('AMB-56 a page allowed once is in the file of the crawl and in no export; export and history say so', async () => {
	server = createServer((request, response) => {
		const path = request.url ?? '';
		if (path === '/robots2.txt') response.setHeader('Content-Type', 'text/plain').end('Read: ask\nStore: yes\n');
		else if (path.startsWith('/.well-known/robots2-ask')) response.setHeader('X-Robots2-Decision', 'allow-once').end();
		else if (path === '/') response.setHeader('Content-Type', 'text/html').end(page('Home'));
		else response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server!.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cwd = folder();
	expect((await wayleave(cwd, ...crawlAt(site, '--out', 'pages.jsonl'))).exitCode).toBe(0);
	const [line] = readFileSync(join(cwd, 'pages.jsonl'), 'utf8').trimEnd().split('\n');
	expect(JSON.parse(line!)).toMatchObject({ outcome: 'fetched', document: {}, policy: { limits: { once: true } } });
	const all = await wayleave(cwd, 'store', 'export');
	expect(all).toMatchObject({ exitCode: 1, stdout: '' });
	expect(all.stderr).toContain(
		`0 documents written\n1 page left out, such as ${site}/:\n  the site allowed a single use`,
	);
	const told = await wayleave(cwd, 'store', 'export', '--json', '--use', 'read', '--out', 'x.jsonl');
	expect(JSON.parse(told.stdout)).toMatchObject({ documents: 0, leftOut: [{ why: 'spent', count: 1 }] });
	expect((await wayleave(cwd, 'store', 'explain', `${site}/`, '--store', 'sqlite:s.db')).stdout).toContain(
		'allowed for one use',
	);
});

it('R2-19 a training set leaves out pages whose site says train: no, and says which line it was', async () => {
	const site = await serve({
		'/robots2.txt': 'Agent: *\nRead: yes\nTrain: no\nAttribution: required\n',
		'/': page('Home', '/a'),
		'/a': page('A'),
	});
	const cwd = folder();
	expect((await wayleave(cwd, ...crawlAt(site))).exitCode).toBe(0);
	const all = await wayleave(cwd, 'store', 'export');
	expect(
		all.stdout
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line)),
	).toMatchObject([{ policy: { obligations: { attribution: 'required' } } }, { document: {} }]);
	const training = await wayleave(cwd, 'store', 'export', '--use', 'train', '--out', 'training.jsonl');
	expect(training.exitCode).toBe(1);
	expect(training.stderr).toBe(
		`0 documents written\n2 pages left out, such as ${site}/:\n  ${site}/robots2.txt:3  Train: no\n`,
	);
	expect(readFileSync(join(cwd, 'training.jsonl'), 'utf8')).toBe('');
	const json = await wayleave(cwd, 'store', 'export', '--use', 'train', '--out', 'training.jsonl', '--json');
	expect(JSON.parse(json.stdout)).toMatchObject({
		documents: 0,
		leftOut: [{ use: 'train', why: 'not-permitted', count: 2, evidence: [{ line: 3, requirement: 'R2-19' }] }],
	});
});

it('R2-19 assumes no use that the crawl did not ask for, and exports granted ones', async () => {
	const site = await serve({ '/robots2.txt': 'Agent: *\nTrain: yes\n', '/': page('Home') });
	const cwd = folder();
	await wayleave(cwd, ...crawlAt(site));
	const unasked = await wayleave(cwd, 'store', 'export', '--use', 'train', '--out', 'training.jsonl');
	expect(unasked.stderr).toContain('the crawl did not check train: crawl again with --use train');
	await wayleave(cwd, ...crawlAt(site, '--use', 'read,store,train', '--refresh'));
	const asked = await wayleave(cwd, 'store', 'export', '--use', 'train', '--out', 'training.jsonl');
	expect(asked.stderr).toBe('1 document written\n');
});

it('tells the story of a URL: the way to it, the line that decided, what is kept', async () => {
	const site = await serve({
		'/robots.txt': 'User-agent: *\nDisallow: /no\n',
		'/': page('Home', '/a'),
		'/a': page('A', '/no'),
	});
	const cwd = folder();
	await wayleave(cwd, ...crawlAt(site));
	const { stdout } = await wayleave(cwd, 'store', 'explain', `${site}/no`, '--store', 'sqlite:s.db', '--json');
	expect(JSON.parse(stdout)).toMatchObject({
		outcome: 'refused',
		reason: 'robots-disallow',
		evidence: [{ line: 2, text: 'Disallow: /no' }],
		foundBy: [`${site}/a`, `${site}/`],
		host: { name: '127.0.0.1', waiting: 0, held: false },
		policyFiles: [
			{ url: `${site}/robots.txt`, status: 200 },
			{ url: `${site}/robots2.txt`, status: 404 },
		],
	});
	const no = await wayleave(cwd, 'store', 'explain', `${site}/no`, '--store', 'sqlite:s.db');
	expect(no.stdout).toMatch(/\nfetched +not requested; decided \d/);
	const home = await wayleave(cwd, 'store', 'explain', `${site}/`, '--store', 'sqlite:s.db');
	expect(home.stdout).toMatch(/found +a start URL\ndecided +fetched\nfetched +\d.*status 200\nkept +a document/);
});

it('status counts what is there, while a crawl goes on too', async () => {
	const site = await serve({ '/': page('Home', '/a', '/gone'), '/a': page('A') });
	const cwd = folder();
	await wayleave(cwd, ...crawlAt(site));
	const { openStore } = await import('@wayleave/crawler');
	const held = await openStore(`sqlite:${join(cwd, 's.db')}`);
	const { stdout } = await wayleave(cwd, 'store', 'status', '--json');
	expect(JSON.parse(stdout)).toMatchObject({
		run: { state: 'complete' },
		urls: 3,
		pending: 0,
		pages: { documents: 2 },
	});
	expect((await wayleave(cwd, 'store', 'prune', '--gone')).exitCode).toBe(3);
	await held.close();
	const dry = await wayleave(cwd, 'store', 'prune', '--gone', '--older-than', '0', '--dry-run', '--json');
	expect(JSON.parse(dry.stdout)).toMatchObject({ documents: 2, gone: 1 });
	expect((await wayleave(cwd, 'store', 'prune', '--gone')).stdout).toBe('0 documents (0 B) and 1 URL deleted\n');
	expect(JSON.parse((await wayleave(cwd, 'store', 'status', '--json')).stdout)).toMatchObject({
		urls: 2,
		pages: { documents: 2 },
	});
	await wayleave(cwd, 'store', 'prune', '--older-than', '0');
	expect(JSON.parse((await wayleave(cwd, 'store', 'status', '--json')).stdout)).toMatchObject({
		urls: 2,
		pages: { documents: 0 },
	});
	await wayleave(cwd, ...crawlAt(site));
	expect((await wayleave(cwd, 'store', 'export')).stdout.trimEnd().split('\n')).toHaveLength(2);
});

it('counts pages, not the lists that name them; tells what is put off, and until when', async () => {
	server = createServer((request, response) => {
		if (request.url === '/sitemap.xml')
			response
				.setHeader('Content-Type', 'application/xml')
				.end(`<urlset><url><loc>http://${request.headers.host}/a</loc></url></urlset>`);
		else if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(page('Home', '/b'));
		else if (/^\/[ab]$/.test(request.url ?? '')) response.writeHead(429, { 'Retry-After': '86400' }).end();
		else response.writeHead(404).end();
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server!.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const cwd = folder();
	const crawled = await wayleave(cwd, 'crawl', site, '--delay', '0', '--concurrency', '1', '--store', 'sqlite:s.db');
	expect(crawled.stdout).not.toContain('unreadable');
	const { stdout } = await wayleave(cwd, 'store', 'status');
	const [, addresses] = stdout.split('\n');
	expect(crawled.stdout).toContain(`${addresses!.split(' on ')[0]} known`);
	expect(stdout).toMatch(/\nno URL is waiting\n +[1-9] {2}127\.0\.0\.1, deferred to the next run, not before 2\d{3}-/);
});

it('help of nothing is help, not wrong usage', async () => {
	for (const argv of [
		['help', '--help'],
		['store', 'help', '--help'],
		['store', 'help', 'export'],
		['help', 'store'],
	]) {
		const { exitCode, stdout } = await wayleave(folder(), ...argv);
		expect([argv, exitCode, stdout.split(' ')[0]]).toEqual([argv, 0, 'Usage:']);
	}
});

it('a store that is not there is not made', async () => {
	const cwd = folder();
	const { exitCode, stderr } = await wayleave(cwd, 'store', 'status', '--store', 'sqlite:none.db');
	expect(exitCode).toBe(2);
	expect(stderr).toContain('the file does not exist');
	expect((await wayleave(cwd, 'store', 'status')).stderr).toContain('this folder has none');
});

it('explain knows an address with a part behind #, and tells a policy file from a page', async () => {
	const cwd = folder();
	const site = await serve({ '/': page('Home') });
	expect((await wayleave(cwd, ...crawlAt(site))).exitCode).toBe(0);
	const explain = (url: string) => wayleave(cwd, 'store', 'explain', url, '--store', 'sqlite:s.db');
	expect((await explain(`${site}/#part`)).stdout).toContain(`${site}/\nfound     a start URL`);
	const { exitCode, stderr } = await explain(`${site}/robots.txt`);
	expect(stderr).toContain(`${site}/robots.txt is a policy file of its host, not a page: status `);
	expect(exitCode).toBe(1);
});

it.each([
	['a page.', 'is not an SQLite database'],
	['', 'is not a crawl store'],
])('a file with %j at the place of a store: it %s', async (content, what) => {
	const cwd = folder();
	writeFileSync(join(cwd, 'notes.db'), content.repeat(1000));
	const { exitCode, stderr } = await wayleave(cwd, 'store', 'status', '--store', 'sqlite:notes.db');
	expect(stderr).toContain(what);
	// What is there and damaged is not named wrongly.
	expect(exitCode).toBe(content === '' ? 2 : 3);
});

it('an export of pages that nobody may keep says so, and how to have them', async () => {
	const site = await serve({
		'/robots2.txt': 'store: session-only\n',
		'/': page('Home', '/a'),
		'/a': page('A'),
	});
	const cwd = folder();
	const crawled = await wayleave(cwd, ...crawlAt(site));
	expect(crawled.exitCode).toBe(1);
	expect(crawled.stderr).toContain('2 pages were read but not saved');
	const { exitCode, stderr } = await wayleave(cwd, 'store', 'export');
	expect(exitCode).toBe(1);
	expect(stderr).toBe(
		'0 documents written\n2 pages not stored, because the site does not allow it: crawl with --out - to pipe such pages on\n',
	);
});

it('store forget removes a page or a host, keeps crawls from requesting it, and --undo allows it again', async () => {
	const pages = { '/': page('Home', '/a', '/b'), '/a': page('Apples'), '/b': page('Berries') };
	const site = await serve(pages);
	const asked: string[] = [];
	server!.on('request', ({ url = '' }) => asked.push(url));
	const cwd = folder();
	await wayleave(cwd, ...crawlAt(site, '--out', 'first.jsonl'));
	const exported = async () => {
		const { stdout } = await wayleave(cwd, 'store', 'export', '--store', 'sqlite:s.db');
		return stdout.split('\n').flatMap((line) => /(?:Home|Apples|Berries)(?=")/.exec(line)?.[0] ?? []);
	};
	expect((await exported()).sort()).toEqual(['Apples', 'Berries', 'Home']);

	const forget = (...argv: string[]) => wayleave(cwd, 'store', 'forget', ...argv, '--store', 'sqlite:s.db');
	// The fragment names a place in the page, and is no part of its address.
	const forgotten = await forget(`${site}/a#top`);
	expect(forgotten.exitCode).toBe(0);
	expect(forgotten.stdout).toContain('1 document of 1 address removed; it is not fetched again until --undo');
	expect((await exported()).sort()).toEqual(['Berries', 'Home']);
	asked.length = 0;
	await wayleave(cwd, ...crawlAt(site, '--refresh', '--out', 'second.jsonl', '--outcomes'));
	expect(asked).toContain('/b');
	expect(asked).not.toContain('/a');
	expect(readFileSync(join(cwd, 'second.jsonl'), 'utf8')).not.toContain('A sentence about Apples');
	expect((await wayleave(cwd, 'store', 'explain', `${site}/a`, '--store', 'sqlite:s.db')).stdout).toContain(
		'forgotten',
	);

	const host = JSON.parse((await forget('127.0.0.1', '--json')).stdout);
	expect(host).toMatchObject({ documents: 2, archives: [] });
	expect(await exported()).toEqual([]);
	expect((await forget('127.0.0.1', '--undo')).stdout).toBe('127.0.0.1 may be fetched again\n');
	expect((await forget(`${site}/a`, '--undo')).stdout).toBe(`${site}/a may be fetched again\n`);
	expect(await forget(`${site}/a`, '--undo')).toMatchObject({ exitCode: 1, stdout: `${site}/a was not forgotten\n` });
	await wayleave(cwd, ...crawlAt(site, '--refresh', '--out', 'third.jsonl'));
	expect((await exported()).sort()).toEqual(['Apples', 'Berries', 'Home']);
});

it('store aliases shows the learned address patterns, and so does the table at the end of the crawl', async () => {
	const words = (name: string) => Array.from({ length: 80 }, (_, at) => `${name}${at * 7}`).join(' ');
	server = createServer((request, response) => {
		const [bare = ''] = (request.url ?? '').split('?');
		const number = bare === '/' ? 0 : Number(/^\/p\/(\d)$/.exec(bare)?.[1] ?? Number.NaN);
		if (Number.isNaN(number)) return void response.writeHead(404).end();
		const links = [1, 2, 3, 4, 5, 6].map((each) => `<a href="/p/${each}?ref=p${number}">${each}</a>`).join('');
		const html = `<title>P${number}</title><link rel="canonical" href="${bare}"><main><h1>P${number}</h1><p>${words(`w${number}x`)}</p></main>${links}`;
		response.setHeader('Content-Type', 'text/html').end(html);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server!.once('listening', resolve));
	const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const cwd = folder();
	const crawled = await wayleave(cwd, ...crawlAt(site));
	expect(crawled.stdout).toMatch(
		/127\.0\.0\.1: \?ref does not change a page: \d+ pages named the address without it; \d+ addresses/,
	);
	const shown = await wayleave(cwd, 'store', 'aliases');
	expect(shown.exitCode).toBe(0);
	expect(shown.stdout).toContain('?ref does not change a page');
	expect(shown.stdout).toContain(`${site}/p/1?ref=p0 of ${site}/p/1`);
	const { hosts, aliases } = JSON.parse((await wayleave(cwd, 'store', 'aliases', '--json')).stdout);
	expect(hosts[0].idle[0]).toMatchObject({ part: '?ref' });
	expect(aliases).toBeGreaterThan(10);
	const story = await wayleave(cwd, 'store', 'explain', `${site}/p/1?ref=p0`, '--store', 'sqlite:s.db');
	expect(story.stdout).toContain(`${site}/p/1`);
});
