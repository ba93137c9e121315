import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

async function check(line: string, cwd = tmpdir()) {
	const terminal = recordingTerminal(cwd);
	const exit = await run(['check', ...line.split(' '), '--delay', '0'], terminal, commands);
	return { exit, out: terminal.stdout(), err: terminal.stderr() };
}

const json = (out: string) =>
	out
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));

describe('offline', () => {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-check-'));
	const policy = [
		'User-agent: *',
		'Allow: /',
		'quote: short-only',
		'summarise: ask',
		'train: no',
		'attribution: required',
		'rate: 6',
		'compete: no',
		'chain: https://b.test/base.txt',
	];
	writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\nCrawl-delay: 4\nContent-Signal: ai-train=yes\n');
	writeFileSync(join(folder, 'robots2.txt'), policy.join('\n'));
	const files = '--robots robots.txt --robots2 robots2.txt';

	it.each([
		['ai-asistant', 'ai-assistant'],
		['AI_Assistant', 'ai-assistant'],
		['monitorign', 'monitoring'],
		['nosuch', undefined],
		['ai-assistant', undefined],
	])('--category %s: did you mean %s?', async (category, meant) => {
		const { exit, err } = await check(`https://a.test/x --category ${category} ${files}`, folder);
		const said = `--category ${category} is not a robots2.txt category and is used as a custom one: did you mean ${meant}?\n`;
		expect(err).toBe(meant === undefined ? '' : said);
		expect(exit).toBe(0);
	});

	it('prints each use with the line that decides, what is owed, what contradicts, what was read', async () => {
		const { exit, out } = await check(`https://a.test/x ${files}`, folder);
		expect(out).toBe(`https://a.test/x
for AIWebIndex (ai-assistant)

  crawl        yes              robots.txt     no rule matches this URL
                                robots2.txt:2  Allow: /
  read         not stated: yes                 no rule applies
  summarise    ask first        robots2.txt:4  summarise: ask
  quote        limited          robots2.txt:3  quote: short-only
                                               → at most 49 words of the source in one quote
  derivative   not stated: no   robots2.txt    derivative is not stated
  train        no               robots2.txt:5  train: no
               also             robots.txt:3   Content-Signal: ai-train=yes
  store        not stated: yes                 no rule applies
  compete      yes              robots2.txt:8  compete: no
                                               → the agent serves a user, or another market
  personalise  not stated: no   robots2.txt    personalise is not stated
  monetise     not stated: no   robots2.txt    monetise is not stated

AIWebIndex owes
  credit to the source: required  robots2.txt:6  attribution: required
  at most 6 requests a minute     robots2.txt:7  rate: 6
  4 s between two requests        robots.txt:2   Crawl-delay: 4

Contradictions: the stricter line applies
  train: robots2.txt:5  train: no
         robots.txt:3  Content-Signal: ai-train=yes

Read
  robots.txt               58 bytes
  robots2.txt              138 bytes
  https://b.test/base.txt  not followed, because --robots2 works offline
`);
		expect(exit).toBe(0);
	});
	it('exits 1 when a use that was named is not permitted', async () => {
		expect((await check(`https://a.test/x ${files} --use train`, folder)).exit).toBe(1);
		expect((await check(`https://a.test/x ${files} --use summarize`, folder)).exit).toBe(1);
		expect((await check(`https://a.test/x ${files} --use quote,read`, folder)).exit).toBe(0);
		expect((await check(`https://a.test/x ${files} --use all`, folder)).exit).toBe(0);
	});
	it('--json prints one verdict per line', async () => {
		const { out, err } = await check(`https://a.test/x ${files} --use train,quote --json --agent GPTBot`, folder);
		expect(json(out)).toMatchObject([
			{ url: 'https://a.test/x', agent: 'GPTBot', use: 'train', effect: 'deny', because: [{ line: 5 }] },
			{ use: 'quote', effect: 'limited', limits: { quoteWords: 49 } },
		]);
		expect(err).toBe('');
	});
	it('exits 2 on wrong usage, and 3 for a file that is not there', async () => {
		expect((await check(`https://a.test/x ${files} --use stealing`, folder)).exit).toBe(2);
		expect((await check('https://a.test/x --robots nowhere.txt', folder)).exit).toBe(3);
		expect((await check('ftp://a.test/x', folder)).exit).toBe(2);
	});
	it('points to lint where a file has problems', async () => {
		writeFileSync(join(folder, 'bad.txt'), 'User-agent: *\nContent-Usage: Train-AI=n\n');
		const { out } = await check('https://a.test/x --robots bad.txt --use train', folder);
		expect(out).toContain('1 problem: wayleave lint bad.txt');
	});
	it('knows the category of known agents, and the tokens that speak for their operator', async () => {
		const text = 'User-agent: *\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n';
		writeFileSync(join(folder, 'google.txt'), text);
		const { out, exit } = await check('https://a.test/x --robots google.txt --agent googlebot --use train', folder);
		expect(out).toContain('for Googlebot of Google (search-indexer)');
		expect(out).toContain('google.txt:5  Disallow: /');
		expect(exit).toBe(1);
		const signal = await check('https://a.test/x --robots google.txt --agent Google-Extended', folder);
		expect(signal.out).toContain('it never sends requests: the token only controls what its operator may do');
		const unknown = await check('https://a.test/x --robots google.txt --agent Somebot', folder);
		expect(unknown.out).toContain('for Somebot (no category: the global policy)');
	});
	it('R2-36 a category that is named goes before what is known', async () => {
		writeFileSync(join(folder, 'sections.txt'), 'train: yes\n[agent: data-harvester]\ntrain: no');
		const line = 'https://a.test/x --robots2 sections.txt --agent GPTBot --use train';
		expect((await check(line, folder)).exit).toBe(1);
		expect((await check(`${line} --category ai-assistant`, folder)).exit).toBe(0);
	});
	it('R2-24 takes the market of the operator', async () => {
		const line = `https://a.test/x ${files} --use compete --operator-market news`;
		expect(await check(line, folder)).toMatchObject({ exit: 1 });
	});
});

describe('online', () => {
	type Page = { status?: number; type?: string; body?: string; headers?: Record<string, string> };
	let pages: Record<string, Page>;
	let log: IncomingMessage[];
	let server: Server;
	let site: string;

	beforeAll(async () => {
		server = createServer((request, response) => {
			log.push(request);
			const { status = 200, type = 'text/plain', body = '', headers = {} } = pages[request.url!] ?? { status: 404 };
			response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(() => server.close());
	beforeEach(() => {
		log = [];
		pages = {};
	});
	const asked = () => log.map(({ url }) => url);

	it('R2-02 reads robots.txt and robots2.txt before anything else, under our own name', async () => {
		pages['/x'] = { type: 'text/html', body: '<p>hello' };
		const { exit } = await check(`${site}/x --agent GPTBot --use read`);
		expect(asked()).toEqual(['/robots.txt', '/robots2.txt', '/x']);
		for (const { headers } of log) {
			expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 \(\+https?:\/\/\S+; Wayleave\)$/);
			expect(headers['x-agent-identity']).toMatch(/^Wayleave\/\S+ \(ai-assistant\)$/);
		}
		expect(exit).toBe(0);
	});
	it('quotes what the page says about itself, by header and by tag', async () => {
		const body =
			'<html>\n<head><!-- <meta name=robots content=noarchive> -->\n<meta name="robots" content="nosnippet">';
		pages['/x'] = { type: 'text/html; charset=utf-8', body, headers: { 'Content-Usage': 'train-ai=n' } };
		const { out } = await check(`${site}/x --use train,summarise,store --json`);
		expect(json(out)).toMatchObject([
			{ effect: 'deny', because: [{ source: `${site}/x`, line: 0, text: 'Content-Usage: train-ai=n' }] },
			{ effect: 'deny', because: [{ line: 3, text: '<meta name="robots" content="nosnippet">' }] },
			{ effect: 'unspecified', permitted: true },
		]);
	});
	it('does not fetch a page that our own crawler may not, and --no-page asks for none', async () => {
		pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /x\n' };
		const { out, exit } = await check(`${site}/x --use crawl`);
		expect(asked()).not.toContain('/x');
		expect(out).toContain('not requested: the policy forbids it for AIWebIndex');
		expect(exit).toBe(1);
		expect((await check(`${site}/x`)).exit).toBe(1);
		await check(`${site}/y --no-page`);
		expect(asked()).not.toContain('/y');
	});
	it('R2-11 read: no keeps it from the page', async () => {
		pages['/robots2.txt'] = { body: 'crawl: yes\nread: no\n' };
		await check(`${site}/x`);
		expect(asked()).not.toContain('/x');
	});
	it('tdmrep.json is read unless its path is disallowed', async () => {
		pages['/.well-known/tdmrep.json'] = { body: '[{ "location": "/", "tdm-reservation": 1 }]' };
		expect((await check(`${site}/x --use train`)).exit).toBe(1);
		log = [];
		pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /.well-known/\n' };
		await check(`${site}/x --use train`);
		expect(asked()).not.toContain('/.well-known/tdmrep.json');
	});
	it('REP-20 a robots.txt that fails forbids everything, and nothing else is asked for', async () => {
		pages['/robots.txt'] = { status: 503 };
		const { exit, out } = await check(`${site}/x --use read --json`);
		expect(json(out)).toMatchObject([{ effect: 'deny', because: [{ text: 'unreachable (HTTP 503)' }] }]);
		expect([exit, asked()]).toEqual([1, ['/robots.txt']]);
	});
	it('XB-41 a web page in the place of robots.txt has no rules, and is reported', async () => {
		pages['/robots.txt'] = { type: 'text/html', body: '<!doctype html><title>Login</title>' };
		const { exit, out } = await check(`${site}/x --use crawl`);
		expect(exit).toBe(0);
		expect(out).toMatch(/problems?: wayleave lint \S+robots\.txt/);
	});
	it('AMB-46 a web page in the place of robots2.txt is none', async () => {
		pages['/robots2.txt'] = { type: 'text/html', body: 'train: no' };
		const { out } = await check(`${site}/x --use train`);
		expect(out).toContain('200, a web page instead of the file');
		expect(out).toContain('not stated: yes');
	});
	it('REP-17 XB-40 follows redirects of robots.txt, and none of the page', async () => {
		pages['/robots.txt'] = { status: 301, headers: { Location: '/r2' } };
		pages['/r2'] = { body: 'User-agent: *\nDisallow: /secret\n' };
		pages['/x'] = { status: 302, headers: { Location: '/secret' } };
		const { out } = await check(`${site}/x --use crawl`);
		expect(asked()).toEqual(['/robots.txt', '/r2', '/robots2.txt', '/x']);
		expect(out).toContain(`${site}/robots.txt → ${site}/r2`);
		expect((await check(`${site}/secret --use crawl`)).exit).toBe(1);
	});
	it('AMB-48 does not follow a chain that is not https, and says so', async () => {
		pages['/robots2.txt'] = { body: `train: no\nchain: ${site}/base.txt` };
		const { out } = await check(`${site}/x --use train`);
		expect(out).toContain(`${site}/base.txt`);
		expect(out).toContain('not followed: chain-not-https');
		expect(asked()).not.toContain('/base.txt');
	});
	it('asks no more of a site that says to come back later', async () => {
		pages['/.well-known/tdmrep.json'] = { status: 429, headers: { 'Retry-After': '60' } };
		const { out } = await check(`${site}/x --use train`);
		expect(asked()).toEqual(['/robots.txt', '/robots2.txt', '/.well-known/tdmrep.json']);
		expect(out).toContain('the site asked to be retried later');
	});
	it('XB-40 a host that does not answer is unreachable', async () => {
		const { exit, out } = await check('http://127.0.0.1:1/x --use crawl');
		expect(out).toContain('unreachable');
		expect(exit).toBe(1);
	});
});
