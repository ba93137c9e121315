import { mkdtempSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ConfigInput } from '../config/schema.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { OpenGatewayOptions } from '../running/open-gateway.ts';
import { type RunningSite, startSite } from '../testing/running-site.ts';
import { readSiteRobots } from './read-robots.ts';

const rules = 'User-agent: *\nDisallow: /admin/\n';
const plain = { 'content-type': 'text/plain' };
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let site: RunningSite | undefined;
/** Those of tests that run side by side. */
const sites: RunningSite[] = [];
afterEach(async () => {
	await site?.close();
	site = undefined;
});
afterAll(async () => {
	for (const each of sites) await each.close();
});

type GatewayResponse = (response: ServerResponse, path: string) => void;

/** A site with a page at every path, and this robots.txt. */
const withRobots =
	(robots: GatewayResponse): RequestListener =>
	(request, response) => {
		const path = request.url ?? '';
		if (/robots/.test(path)) robots(response, path);
		else if (path === '/llms.txt') response.writeHead(404).end();
		else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title>');
	};
const open = (
	robots: GatewayResponse | undefined,
	options: Partial<OpenGatewayOptions> = {},
	more: Omit<ConfigInput, 'origin'> = {},
) => startSite({ policy: { train: 'no' }, ...more }, robots && withRobots(robots), options);
const start = async (...how: Parameters<typeof open>) => {
	site = await open(...how);
	return site;
};
/** For tests that wait, side by side, until a site is read again. */
const startBeside = async (...how: Parameters<typeof open>) => {
	const own = await open(...how);
	sites.push(own);
	return own;
};
const answer =
	(status: number, headers: Record<string, string> = {}, body: string | Uint8Array = ''): GatewayResponse =>
	(response) =>
		void response.writeHead(status, headers).end(body);

async function expectClosed({ get }: RunningSite) {
	const robots = await get('/robots.txt');
	expect([robots.status, robots.headers.get('cache-control'), robots.headers.has('retry-after')]).toEqual([
		503,
		'no-store',
		true,
	]);
	expect([(await get('/admin/x')).status, (await get('/page')).status]).toEqual([503, 503]);
	expect((await get('/page', { 'user-agent': 'ChatGPT-User/1.0' })).status).toBe(503);
	expect((await get('/admin/x', browser)).status).toBe(200);
}

async function expectRules({ get }: RunningSite, text = 'Disallow: /admin/') {
	const robots = await get('/robots.txt');
	expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
	expect(robots.text).toContain(text);
	expect(robots.text).not.toContain('\0');
	expect([(await get('/admin/x')).status, (await get('/page')).status]).toEqual([403, 200]);
}

async function expectOursAlone({ get }: RunningSite) {
	const robots = await get('/robots.txt');
	expect([robots.status, robots.text.includes('/admin/')]).toEqual([200, false]);
	expect((await get('/admin/x')).status).toBe(200);
}

describe('G2-41: while the robots.txt of the site cannot be read, agents are kept out', () => {
	const failures: Record<string, GatewayResponse> = {
		'500': answer(500),
		'502 with a page': answer(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'),
		'503 with the rules': answer(503, plain, rules),
		'429': answer(429, { 'retry-after': '5' }),
		'a part of it': answer(206, plain, rules),
		'a redirect to nowhere': answer(302),
		'a redirect to a mail address': answer(301, { location: 'mailto:a@example.com' }),
		'a redirect to itself': answer(301, { location: '/robots.txt' }),
		'a coding that it has not': answer(200, { ...plain, 'content-encoding': 'gzip' }, Buffer.from([1, 2, 3, 0, 255])),
		'a reset': (response) => void response.destroy(),
		'half of it': (response) => {
			response.writeHead(200, { ...plain, 'content-length': 1000 }).write(rules);
			setTimeout(() => response.destroy(), 20);
		},
	};
	for (const [name, robots] of Object.entries(failures)) {
		it(`G2-41: ${name}`, async () => {
			await expectClosed(await start(robots));
			expect(site?.notes[0]).toMatch(
				/^robots\.txt of the site: cannot be read \(.+\): agents get 503 until it can be read$/,
			);
			expect(site?.running.metrics()).toContain('wayleave_gateway_closed 1');
			expect(site?.running.site()).toMatchObject({ state: 'unreadable', closed: true });
		});
	}

	it('G2-41: no server is listening yet; within seconds of its start its rules apply', async () => {
		const { get, notes, running, serve } = await start(undefined);
		expect((await get('/robots.txt')).status).toBe(503);
		expect((await get('/page')).status).toBe(503);
		expect(notes[0]).toBe(
			'robots.txt of the site: cannot be read (no server is listening): agents get 503 until it can be read',
		);
		await serve(withRobots(answer(200, plain, rules)));
		await expect.poll(() => running.site().state, { timeout: 15_000 }).toBe('found');
		if (site) await expectRules(site);
		expect(notes.at(-1)).toBe('robots.txt of the site: 1 group, 1 rule');
		expect(running.metrics()).toContain('wayleave_gateway_closed 0');
	});

	it('G2-41: a site that accepts and is silent, or never ends, does not hold up the start', async () => {
		const result = await readSiteRobots(() => new Promise(() => {}), 'https://site.example.com', { timeout: 50 });
		expect(result).toEqual({ state: 'unreadable', why: 'timeout' });
		const endless = new ReadableStream({
			async pull(controller) {
				await new Promise((resolve) => setTimeout(resolve, 10));
				controller.enqueue(Buffer.from('#'));
			},
		});
		const dribbled = await readSiteRobots(async () => new Response(endless), 'https://site.example.com', {
			timeout: 60,
		});
		expect(dribbled).toEqual({ state: 'unreadable', why: 'timeout' });
	});

	it('G2-41: the endpoint serves no page, a gateway that observes lets agents through', async () => {
		await start(answer(500), {}, { som: {} });
		const page = encodeURIComponent('https://site.example.com/admin/x');
		expect((await site!.get(`/v1/som?url=${page}`, browser)).status).toBe(503);
		const markdown = await site!.get('/page', { 'user-agent': 'Tool/1', accept: 'text/markdown' });
		expect([markdown.status, markdown.headers.get('content-type')]).toEqual([200, 'text/html']);
		await site!.close();
		await start(answer(500), { observe: true });
		expect([(await site!.get('/page')).status, (await site!.get('/robots.txt')).status]).toEqual([200, 503]);
	});
});

describe('G2-42: text with records of a robots.txt is one, whatever its type', () => {
	for (const [name, headers] of Object.entries({
		'application/octet-stream': { 'content-type': 'application/octet-stream' },
		'no Content-Type': {},
		'text/html': { 'content-type': 'text/html; charset=utf-8' },
		'application/json': { 'content-type': 'application/json' },
	}))
		it(`G2-42: ${name}`, async () => expectRules(await start(answer(200, headers, rules))));

	it('G2-42: packed, and packed without a word', async () => {
		await expectRules(await start(answer(200, { ...plain, 'content-encoding': 'gzip' }, gzipSync(rules))));
		await site!.close();
		await expectRules(await start(answer(200, { ...plain, 'content-encoding': 'br' }, brotliCompressSync(rules))));
		await site!.close();
		await expectRules(await start(answer(200, { 'content-type': 'binary/octet-stream' }, gzipSync(rules))));
	});

	it('G2-42: a web page, JSON and pictures are none', async () => {
		await expectOursAlone(await start(answer(200, plain, '\n<!doctype html><title>Disallow: /admin/</title>')));
		expect(site!.notes[0]).toBe('robots.txt of the site: none (a web page)');
		for (const body of [Buffer.from('{"error":\n"not found"}'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1])]) {
			const found = await readSiteRobots(async () => new Response(body), 'https://a.example');
			expect(found.state).toBe('absent');
		}
	});
});

describe('G2-43: redirects are followed', () => {
	for (const status of [301, 302, 303, 307, 308]) {
		it(`G2-43: ${status}, with a path and with the address of the site`, async () => {
			const robots: GatewayResponse = (response, path) => {
				if (path === '/robots.txt') response.writeHead(status, { location: '/robots-1.txt' }).end();
				else if (path === '/robots-1.txt')
					response.writeHead(status, { location: 'https://site.example.com/robots-2.txt' }).end();
				else response.writeHead(200, plain).end(rules);
			};
			await expectRules(await start(robots));
			expect(site!.notes[0]).toBe('robots.txt of the site: 1 group, 1 rule; it redirects to /robots-2.txt');
		});
	}

	it('G2-43: five hops and no more', async () => {
		const hops = (most: number) => async (request: Request) => {
			const at = Number(/(\d+)\.txt/.exec(request.url)?.[1] ?? 0);
			if (at >= most) return new Response(rules, { headers: plain });
			return new Response(null, { status: 302, headers: { location: `/robots${at + 1}.txt` } });
		};
		expect((await readSiteRobots(hops(5), 'https://a.example')).state).toBe('found');
		expect(await readSiteRobots(hops(6), 'https://a.example')).toMatchObject({ state: 'unreadable' });
	});

	it('G2-43: to another host by the guarded fetcher, never to a private address; what is missing there is missing', async () => {
		await expectClosed(await start(answer(302, { location: 'http://127.0.0.1:8080/robots.txt' })));
		expect(site!.notes[0]).toContain('127.0.0.1:8080: private-address');
		const elsewhere = (status: number) => async () => ({
			status,
			body: Buffer.from(rules),
			header: (name: string) => (name === 'content-type' ? 'text/plain' : undefined),
		});
		const redirect = async () =>
			new Response(null, { status: 301, headers: { location: 'https://b.example/robots.txt' } });
		const found = (status: number) => readSiteRobots(redirect, 'https://a.example', { elsewhere: elsewhere(status) });
		expect(await found(200)).toMatchObject({ state: 'found', rules: 1 });
		expect(await found(404)).toMatchObject({ state: 'absent' });
		expect(await found(500)).toMatchObject({ state: 'unreadable' });
		expect(await readSiteRobots(redirect, 'https://a.example')).toMatchObject({ state: 'unreadable' });
	});
});

describe.concurrent('G2-44: the rules that were read last survive', () => {
	for (const [name, trouble] of Object.entries({ '500': answer(500), 'a reset': answer(0), away: undefined })) {
		it(`G2-44: SIGHUP while the site answers with ${name}`, async ({ expect }) => {
			const site = await startBeside(answer(200, plain, rules));
			const { running, serve, config, notes } = site;
			const reset: GatewayResponse = (response) => void response.destroy();
			await serve(trouble && withRobots(name === 'a reset' ? reset : trouble));
			await running.reload(config({ policy: { train: 'no', read: 'yes' } }));
			expect(notes.at(-1)).toMatch(/cannot be read \(.+\): the rules read last stay active$/);
			expect(running.site()).toMatchObject({ state: 'unreadable', closed: false });
			await serve(withRobots(answer(500)));
			await expectRules(site);
			await serve(withRobots(answer(200, plain, `${rules}Disallow: /new/\n`)));
			await expect.poll(() => running.site().detail, { timeout: 15_000 }).toBe('1 group, 2 rules');
			await expectRules(site, 'Disallow: /new/');
		}, 30_000);
	}

	for (const [name, headers, body] of [
		['a maintenance page', { 'content-type': 'text/html' }, '<!doctype html><title>Back soon</title>'],
		['JSON', { 'content-type': 'application/json' }, '{"error":"maintenance"}'],
	] as const) {
		it(`G2-44: ${name} with status 200 removes no rule, and an empty robots.txt removes all`, async ({ expect }) => {
			const site = await startBeside(answer(200, plain, rules), { refreshTime: 50 });
			const { running, serve, notes } = site;
			await serve(withRobots(answer(200, headers, body)));
			const displaced = /^cannot be read \((?:a web page|it contains no robots\.txt line)\)$/;
			await expect.poll(() => running.site().detail, { timeout: 15_000 }).toMatch(displaced);
			expect(notes.at(-1)).toMatch(/: the rules read last stay active$/);
			await expectRules(site);
			await serve(withRobots(answer(200, plain)));
			await expect.poll(() => running.site().detail, { timeout: 15_000 }).toBe('0 groups, 0 rules');
			await expectOursAlone(site);
		});
	}

	it('G2-44: a look that fails changes nothing, and one that finds 404 does', async ({ expect }) => {
		const site = await startBeside(answer(200, plain, rules), { refreshTime: 50 });
		const { running, serve } = site;
		await serve(withRobots(answer(503)));
		await expect.poll(() => running.site().state).toBe('unreadable');
		await expectRules(site);
		await serve(withRobots(answer(404)));
		await expect.poll(() => running.site().state, { timeout: 15_000 }).toBe('absent');
		await expectOursAlone(site);
	});
});

describe('G2-44: the rules that were last read survive a restart', () => {
	const restart = async (
		before: GatewayResponse,
		after: GatewayResponse | undefined,
		{ age = 0, begin = start } = {},
	) => {
		const store = `sqlite:${join(mkdtempSync(join(tmpdir(), 'wayleave-restart-')), 'ledger.db')}`;
		const first = await open(before, {}, { ledger: { store } });
		await first.close();
		if (age > 0) {
			const ledger = await openLedger(store);
			await ledger.db
				.updateTable('gateway_site')
				.set({ read_at: Date.now() - age })
				.execute();
			await ledger.close();
		}
		return begin(after, {}, { ledger: { store } });
	};
	const day = 86_400_000;

	for (const [name, trouble] of Object.entries({ '500': answer(500), away: undefined })) {
		it.concurrent(`G2-44: the site is unavailable at the second start: ${name}`, async ({ expect }) => {
			const site = await restart(answer(200, plain, rules), trouble, { begin: startBeside });
			const { notes, running } = site;
			expect(notes[0]).toMatch(
				/^robots\.txt of the site: cannot be read \(.+\): what an earlier run read at \d{4}-\d\d-\d\dT\d\d:\d\dZ stays active$/,
			);
			expect(running.site()).toMatchObject({ state: 'unreadable', closed: false });
			const robots = await site.get('/robots.txt');
			expect([robots.status, robots.text.includes('Disallow: /admin/')]).toEqual([200, true]);
			expect((await site.get('/admin/x')).status).toBe(403);
			await site.serve(withRobots(answer(200, plain, `${rules}Disallow: /new/\n`)));
			await expect.poll(() => running.site().detail, { timeout: 15_000 }).toBe('1 group, 2 rules');
			await expectRules(site, 'Disallow: /new/');
		}, 30_000);
	}

	it('G2-44: bytes that are not UTF-8 are kept as they were', async () => {
		const bytes = Buffer.from(`${rules}Disallow: /caf\xe9/\n`, 'latin1');
		await restart(answer(200, plain, bytes), answer(500));
		await expectRules(site!, 'Disallow: /caf%E9/');
	});

	it('G2-44: the current rules of the site replace its earlier ones', async () => {
		await restart(answer(200, plain, rules), answer(404));
		await expectOursAlone(site!);
	});

	it('G2-44: rules apply for 30 days, and then the site is closed to agents', async () => {
		await restart(answer(200, plain, rules), answer(500), { age: 29 * day });
		await expectRules(site!);
		await site!.close();
		await restart(answer(200, plain, rules), answer(500), { age: 31 * day });
		await expectClosed(site!);
	});

	it('G2-44: a missing file counts as missing for a day', async () => {
		await restart(answer(404), answer(500), { age: day / 2 });
		await expectOursAlone(site!);
		await site!.close();
		await restart(answer(404), answer(500), { age: 2 * day });
		await expectClosed(site!);
	});
});

describe('G2-45: UTF-16 is sent on as UTF-8, with a remark', () => {
	const text = 'User-agent: *\r\nDisallow: /admin/\r\nDisallow: /caf\u00e9/\r\n';
	const le = Buffer.from(`\ufeff${text}`, 'utf16le');
	const be = Buffer.from(le).swap16();
	for (const [name, body] of Object.entries({
		'UTF-16LE': le,
		'UTF-16BE': be,
		'UTF-16LE without mark': le.subarray(2),
	})) {
		it(`G2-45: ${name}`, async () => {
			await expectRules(await start(answer(200, plain, body)), 'Disallow: /caf\u00e9/');
			expect(site!.notes[0]).toMatch(/1 group, 2 rules; it is UTF-16[LB]E and is served as UTF-8/);
		});
	}
});

describe('G2-46: no robots.txt is no rule', () => {
	for (const status of [404, 410, 401, 403, 451])
		it(`G2-46: ${status}: ours alone`, async () => {
			await expectOursAlone(await start(answer(status, { 'content-type': 'text/html' }, '<h1>none</h1>')));
			expect(site!.notes[0]).toBe(`robots.txt of the site: none (${status})`);
		});

	it('G2-46: an empty one is one', async () => {
		await expectOursAlone(await start(answer(200, plain)));
		expect(site!.notes[0]).toBe('robots.txt of the site: 0 groups, 0 rules');
	});
});

it('a file cut at 500 KiB is cut between lines', async () => {
	const long = `${rules}${'# filler filler filler filler filler\n'.repeat(20_000)}`;
	const found = await readSiteRobots(async () => new Response(long, { headers: plain }), 'https://a.example');
	expect(found).toMatchObject({ state: 'found', rules: 1, remarks: [expect.stringContaining('500 KiB')] });
	if (found.state === 'found') expect(String(found.text).endsWith('filler\n')).toBe(true);
});
