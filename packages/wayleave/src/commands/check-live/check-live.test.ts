import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../command-list.ts';
import { run } from '../../program.ts';
import { recordingTerminal } from '../../testing/recorder.ts';

let cwd: string;
let server: Server;
let origin: string;
/** What answers instead of the published file. */
let instead: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
let asked: { path: string; agent: string }[];

const types: Record<string, string> = {
	html: 'text/html',
	txt: 'text/plain; charset=utf-8',
	json: 'application/json',
	md: 'text/markdown',
};

beforeEach(async () => {
	cwd = mkdtempSync(join(tmpdir(), 'wayleave-live-'));
	instead = new Map();
	asked = [];
	server = createServer((request, response) => {
		const path = request.url!.replace(/\?.*/, '');
		asked.push({ path: request.url!, agent: request.headers['user-agent'] ?? '' });
		const other = instead.get(path);
		if (other) return other(request, response);
		try {
			const file = path.endsWith('/') ? `${path}index.html` : path;
			const body = readFileSync(join(cwd, 'site', file));
			const headers = { 'content-type': types[file.split('.').pop()!] ?? 'application/octet-stream', etag: '"1"' };
			response
				.writeHead(200, { ...headers, link: '</.well-known/pagedigest.json>; rel="https://pagedigest.org/rel"' })
				.end(body);
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((done) => server.close(done)));

const put = (name: string, content: string) => {
	mkdirSync(dirname(join(cwd, name)), { recursive: true });
	writeFileSync(join(cwd, name), content);
};
const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const answer = (path: string, body: string, headers: Record<string, string> = {}, status = 200) =>
	instead.set(
		path,
		(_, response) => void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body),
	);

async function wayleave(...argv: string[]) {
	const terminal = recordingTerminal(cwd, { SOURCE_DATE_EPOCH: '1755268200' });
	const code = await run(argv, terminal, commands);
	return { code, out: terminal.stdout().replaceAll(origin, ''), err: terminal.stderr() };
}

async function published(policy: string): Promise<void> {
	put('wayleave.config.yaml', `origin: ${origin}\n${policy}`);
	put(
		'site/index.html',
		'<!doctype html><html><head><title>Tides</title></head><body><main><p>The water comes and goes twice a day.</p></main></body></html>',
	);
	expect((await wayleave('publish', 'site', '--origin', origin, '--tags')).code).toBe(0);
}

const closed = 'policy: { train: no, store: no }\npaths: { disallow: [/admin] }\n';

describe('check-live', () => {
	it('says so if the site matches the policy file, and sends requests under our own name only', async () => {
		await published(closed);
		expect(await wayleave('check-live', origin)).toMatchObject({
			code: 0,
			out: expect.not.stringMatching(/error|warning/),
		});
		expect(asked.every(({ agent }) => agent.startsWith('AIWebIndex/2.0'))).toBe(true);
	});

	it('finds a group that a CDN put in front, and what follows from it', async () => {
		await published('policy: { train: yes, store: yes }\n');
		answer(
			'/robots.txt',
			`User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\n${read('site/robots.txt')}`,
		);
		const { code, out } = await wayleave('check-live', origin);
		expect(code).toBe(1);
		expect(out).toContain('/robots.txt:1:1 warning live-agent-split * has 2 groups, in lines 1, ');
		expect(out).toContain(
			'/robots.txt:2:1 error live-foreign-line *: Content-Signal: search=yes, ai-train=no is not in the policy file\n  → any agent, any search-indexer and ',
		);
		expect(out).toContain(' more: train /: the policy file says allow, the site says deny\n');
	});

	it('finds a line that is missing, and who may now do what', async () => {
		await published(closed);
		answer('/robots.txt', read('site/robots.txt').replace('Disallow: /admin', 'Disallow:'));
		answer('/robots2.txt', read('site/robots2.txt').replace('Disallow: /admin', 'Disallow:'));
		const { code, out } = await wayleave('check-live', origin);
		expect(code).toBe(1);
		expect(out).toContain('/robots.txt error live-missing-line *: Disallow: /admin is missing\n');
		expect(out).toMatch(/→ .*: crawl \/admin: the policy file says deny, the site says allow\n/);
		expect(out).toMatch(
			/\/robots2\.txt:\d+:1 error live-text-differs the site serves Disallow: instead of Disallow: \/admin/,
		);
	});

	it('R2-01 finds a robots2.txt that a host answers with its home page', async () => {
		await published(closed);
		answer('/robots2.txt', '<html>', { 'content-type': 'text/html' });
		const { code, out } = await wayleave('check-live', origin);
		expect(code).toBe(1);
		expect(out).toContain(
			'/robots2.txt error live-missing-file 200: the policy file publishes this file, but the site does not serve it\n',
		);
		answer('/robots2.txt', read('site/robots2.txt'), { 'content-type': 'application/octet-stream' });
		expect((await wayleave('check-live', origin)).out).toContain(
			'/robots2.txt warning live-wrong-type served as application/octet-stream instead of text/plain\n',
		);
	});

	it('takes lines of the site itself for its own where the published folder is given', async () => {
		put('site/robots.txt', 'User-agent: *\nDisallow: /private/\n');
		await published(closed);
		put('site/robots.txt', `${read('site/robots.txt')}\nUser-agent: Harvester\nDisallow: /\nDisallow: /admin\n`);
		const { out } = await wayleave('check-live', origin);
		expect(out).toContain('error live-foreign-line *: Disallow: /private/ is not in the policy file');
		expect(out).toContain(
			'error live-foreign-line Harvester: Disallow: / is not in the policy file\n  → Harvester: crawl /: ',
		);
		expect(out).not.toContain('Harvester: Disallow: /admin');
		await wayleave('publish', 'site', '--origin', origin, '--tags');
		expect((await wayleave('check-live', origin, '--dir', 'site')).out).not.toContain('/private/');
	});

	it('PD-27 finds a page that is rewritten on its way, and a header that forbids what is allowed', async () => {
		await published('policy: { train: yes, store: yes }\n');
		answer('/', `${read('site/index.html')}<script>/* by the CDN */</script>`, {
			'content-type': 'text/html',
			'x-robots-tag': 'noai',
		});
		const { code, out } = await wayleave('check-live', origin);
		expect(code).toBe(1);
		expect(out).toContain('/ error live-digest-differs / does not match its digest in the manifest');
		expect(out).toMatch(
			/\/ error live-verdict-differs .*\n {2}→ .*train \/: the policy file says allow, the site says deny\n/,
		);
	});

	it('finds a manifest that is missing, cannot be read, or cannot be kept', async () => {
		await published(closed);
		answer('/.well-known/pagedigest.json', '', {}, 404);
		expect((await wayleave('check-live', origin)).out).toContain(
			'/.well-known/pagedigest.json error live-missing-file 404',
		);
		answer('/.well-known/pagedigest.json', '{}', { 'content-type': 'application/json', 'cache-control': 'no-store' });
		const { out } = await wayleave('check-live', origin);
		expect(out).toContain('error live-manifest-invalid the manifest is not valid: pagedigest-missing-field');
		expect(out).toContain('info live-not-cacheable Cache-Control: no-store');
		expect((await wayleave('check-live', origin, '--no-manifest')).out).not.toContain('pagedigest');
	});

	it('does not fetch a page that our own agent may not fetch', async () => {
		await published('paths: { disallow: ["/"] }\n');
		asked = [];
		const { err } = await wayleave('check-live', origin);
		expect(err).toContain('not checked, because the policy forbids AIWebIndex from fetching it');
		expect(asked.map(({ path }) => path)).not.toContain('/');
	});

	it('SOM-34 lists restricted pages that the endpoint gives out', async () => {
		await published('paths: { disallow: [/admin] }\nsom: { endpoint: /v1/som }\n');
		const restricted = ['/admin', '/members'];
		answer('/members', '', {}, 401);
		instead.set('/v1/som', (request, response) => {
			const page = new URL(decodeURIComponent(request.url!.split('url=')[1]!)).pathname;
			response
				.writeHead(page === '/members' ? 200 : 403, { 'content-type': 'application/som+json' })
				.end('{"som_version":"0.1"}');
		});
		const { code, out, err } = await wayleave('check-live', origin, '--som-audit', '--page', '/members');
		expect(code).toBe(1);
		expect(out.split('\n').filter((line) => line.includes('live-som-leak'))).toEqual([
			'/v1/som error live-som-leak the endpoint serves /members, which is restricted: the page returns 401',
		]);
		expect(err).toContain('2 restricted pages requested');
		const plain = restricted.map((path) => `/v1/som?url=${encodeURIComponent(origin + path)}`);
		expect(asked.map(({ path }) => path)).toEqual(expect.arrayContaining(plain));
	});

	it('G2-01: other spellings of what the endpoint refuses are tried too', async () => {
		await published('paths: { disallow: [/admin] }\nsom: { endpoint: /v1/som }\n');
		let missing = 404;
		instead.set('/v1/som', (request, response) => {
			const sent = decodeURIComponent(request.url?.split('url=')[1] ?? '');
			const path = sent.slice(origin.length);
			const status = path === '/admin' ? 403 : /^(?:\/\/|\/%2F)admin$/.test(path) ? 200 : missing;
			response.writeHead(status, { 'content-type': 'application/som+json' }).end('{"som_version":"0.1"}');
		});
		const { code, out, err } = await wayleave('check-live', origin, '--som-audit');
		expect(code).toBe(1);
		expect(out.split('\n').filter((line) => line.includes('live-som-leak'))).toEqual([
			expect.stringContaining('serves //admin, which is restricted: a spelling of /admin: Disallow: /admin'),
			expect.stringContaining('serves /%2Fadmin, which is restricted: a spelling of /admin: Disallow: /admin'),
		]);
		expect(err).toMatch(/1 restricted page requested from the SOM endpoint, and 13 other spellings of them/);
		const sent = asked.map(({ path }) => decodeURIComponent(path.split('url=')[1] ?? ''));
		// As they are: no parser has repaired them on the way.
		expect(sent).toEqual(expect.arrayContaining([`${origin}/\\admin`, `${origin}/./admin`, `${origin}/;/admin`]));
		missing = 200;
		const soft = await wayleave('check-live', origin, '--som-audit');
		expect(soft.err).toContain('no other spellings were tried: the endpoint serves pages that do not exist');
		expect(soft.out).not.toContain('live-som-leak');
	});

	it('ends with 2 without a policy file', async () => {
		expect(await wayleave('check-live', origin)).toMatchObject({ code: 2, err: expect.stringContaining('--config') });
	});

	it('gives one object a line', async () => {
		await published(closed);
		answer('/robots2.txt', '', {}, 404);
		const { out } = await wayleave('check-live', origin, '--json');
		const lines = out
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as { code: string; consequences: string[] });
		expect(lines.find(({ code }) => code === 'live-missing-file')!.consequences.length).toBeGreaterThan(0);
	});
});
