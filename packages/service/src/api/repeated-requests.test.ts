import { connect } from 'node:net';
import { type Clock, systemClock } from '@wayleave/crawler';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWeb, type TestWeb } from '../../../crawler/src/testing/web.ts';
import type { Log, LogFields } from '../observe/log.ts';
import { ServiceError } from '../problems/problem.ts';
import { createRoutes, type RouteModule } from '../routes/route-module.ts';
import { startService, type TestService, testSites } from '../testing/start-service.ts';
import { RepeatedRequests } from './repeated-requests.ts';

/** Time that only the test moves, so that documents stay in memory; waits are real. */
class Standing implements Clock {
	time = Date.UTC(2026, 10, 28, 12);
	now = () => this.time;
	sleep = systemClock.sleep;
}

let web: TestWeb;
let clock: Standing;
let service: TestService;
let lines: LogFields[];
let refused: boolean;
let spelling: number;
const respond = vi.spyOn(RepeatedRequests.prototype, 'respond');

const owner: RouteModule = ({ documents }) => {
	documents.guard((url) => {
		if (refused) throw new ServiceError('owner-refused', { url, outcome: 'refused' });
		return undefined;
	});
	return createRoutes();
};
const log: Log = { info: (_, fields = {}) => void lines.push(fields), warn() {}, error() {} };

async function start(open: boolean): Promise<void> {
	const options = { open, fetching: testSites(web.lookup, 'a.test') };
	service = await startService(options, { clock, log, modules: [owner] });
}

beforeEach(async () => {
	[clock, lines, refused, spelling] = [new Standing(), [], false, 0];
	web = await startWeb(({ path }) =>
		path.endsWith('.txt') ? { status: 404 } : `<title>A page</title><h1>Words</h1><p>Some of them: ${path}</p>`,
	);
});
afterEach(async () => {
	await service.close();
	await web.close();
});

interface Sent {
	readonly method?: string;
	readonly page?: string;
	/** Further fields, as they are sent. */
	readonly fields?: readonly string[];
	readonly query?: string;
	readonly body?: object;
	readonly type?: string;
	/** The target has a scheme and a host. */
	readonly isAbsolute?: boolean;
}

interface Got {
	readonly status: string;
	readonly fields: readonly string[];
	readonly body: string;
	readonly by: 'memory' | 'routes';
	/** Requests that are left to the key. */
	readonly left: number;
}

/** The bytes of a request. Requests of different spellings mean the same. */
function bytesOf(sent: Sent): string {
	const { method = 'GET', page = '/page', fields = [], query = '', body = {}, type = 'application/json' } = sent;
	const url = web.url('a.test', page);
	const { host } = new URL(service.url);
	const isPost = method === 'POST';
	const path = isPost
		? `/v1/aidocument${query}`
		: `/v1/document?url=${encodeURIComponent(`${url}#${spelling}`)}${query}`;
	const text = isPost ? `${' '.repeat(spelling)}${JSON.stringify({ url, ...body })}` : '';
	const own = isPost ? [`Content-Type: ${type}`, `Content-Length: ${text.length}`] : [];
	const target = sent.isAbsolute ? `http://${host}${path}` : path;
	return [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...own, ...fields, '', text].join(
		'\r\n',
	);
}

async function send(bytes: string): Promise<Got> {
	const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
	socket.write(bytes);
	let text = '';
	for await (const chunk of socket.setEncoding('latin1')) text += chunk;
	const end = text.indexOf('\r\n\r\n');
	const [status = '', ...fields] = text.slice(0, end).split('\r\n');
	const steady = fields.filter((line) => !/^date:/i.test(line)).map((line) => line.replace(/;r=\d+/, ';r=LEFT'));
	const by = (await respond.mock.results.at(-1)?.value) === undefined ? 'routes' : 'memory';
	const left = Number(/;r=(\d+)/.exec(text.slice(0, end))?.[1]);
	return { status: status.slice(9, 12), fields: steady.sort(), body: text.slice(end + 4), by, left };
}

/** Sends a request of a new spelling, which the routes serve, and the same again. */
async function twice(sent: Sent): Promise<readonly [first: Got, again: Got]> {
	spelling++;
	const bytes = bytesOf(sent);
	return [await send(bytes), await send(bytes)];
}

/** Checks that both responses are the same but for who gave them. */
async function checkTwice(sent: Sent, by: Got['by'] = 'memory'): Promise<Got> {
	const [first, again] = await twice(sent);
	expect([first.by, again.by], JSON.stringify(sent)).toEqual(['routes', by]);
	expect({ ...again, by: 'routes', left: first.left }, JSON.stringify(sent)).toEqual(first);
	return again;
}

const stored = async (more: Sent = {}) => expect((await send(bytesOf({ method: 'POST', ...more }))).status).toBe('200');
const bearer = (token: string) => `Authorization: Bearer ${token}`;

describe('a repeated request gets what the routes respond with', () => {
	it.each<[string, string, Got['by'], Sent]>([
		['plain', '200', 'memory', {}],
		['Accept of a form', '200', 'memory', { fields: ['Accept: text/markdown'] }],
		[
			'Accept of the result',
			'200',
			'memory',
			{ fields: ['accept: application/vnd.wayleave.result+json;q=1, */*;q=0.1'] },
		],
		['Accept in two fields', '200', 'memory', { fields: ['Accept: image/png', 'Accept: application/json'] }],
		['a form that is not in memory', '404', 'routes', { fields: ['Accept: application/som+json'] }],
		['no form', '406', 'routes', { fields: ['Accept: image/png'] }],
		['any tag', '304', 'memory', { fields: ['If-None-Match: *'] }],
		[
			'another tag',
			'200',
			'memory',
			{ fields: ['If-None-Match: "x"', 'If-Modified-Since: Fri, 01 Jan 2038 00:00:00 GMT'] },
		],
		['not modified', '304', 'memory', { fields: ['If-Modified-Since: Fri, 01 Jan 2038 00:00:00 GMT'] }],
		['modified', '200', 'memory', { fields: ['If-Modified-Since: Thu, 01 Jan 2015 00:00:00 GMT'] }],
		['codings', '200', 'memory', { fields: ['Accept-Encoding: gzip, br;q=0.5, identity;q=0'] }],
		['a range', '200', 'memory', { fields: ['Range: bytes=0-9', 'If-Range: "x"'] }],
		['an absolute target', '200', 'memory', { isAbsolute: true }],
		['HEAD', '200', 'routes', { method: 'HEAD' }],
		['another method', '405', 'routes', { method: 'DELETE' }],
		[
			'chunks',
			'200',
			'routes',
			{ query: '&chunk_tokens=64', fields: ['Accept: application/vnd.wayleave.result+json'] },
		],
		['a wrong number', '400', 'routes', { query: '&chunk_tokens=many' }],
		['no page of the store', '404', 'routes', { page: '/unknown' }],
		['no URL', '400', 'routes', { page: `/${'x'.repeat(2048)}` }],
	])('GET: %s', async (_, status, by, sent) => {
		await start(true);
		await stored();
		expect((await checkTwice(sent, by)).status).toBe(status);
	});

	it.each<[string, string, Got['by'], Sent]>([
		['plain', '200', 'memory', {}],
		['Accept of a form', '200', 'memory', { fields: ['Accept: text/markdown'] }],
		['no form', '406', 'routes', { fields: ['Accept: image/png'] }],
		['any tag', '304', 'memory', { fields: ['If-None-Match: *'] }],
		['since later', '304', 'memory', { body: { modified_since: '2038-01-01T00:00:00Z' } }],
		['since earlier', '200', 'memory', { body: { modified_since: '2015-01-01T00:00:00Z' } }],
		['an absolute target', '200', 'memory', { isAbsolute: true }],
		['a query', '200', 'routes', { query: '?x' }],
		['another type', '415', 'routes', { type: 'text/plain' }],
		['a type with a suffix', '200', 'memory', { type: 'application/x+json; charset=utf-8' }],
		['an unknown policy', '400', 'routes', { body: { freshness_policy: 'never' } }],
		['chunks', '200', 'routes', { body: { chunk_tokens: 64 } }],
		['fields', '200', 'routes', { body: { fields: { type: 'object', properties: { price: { type: 'number' } } } } }],
		['too large', '413', 'routes', { body: { more: 'x'.repeat(70_000) } }],
	])('POST: %s', async (_, status, by, sent) => {
		await start(true);
		await stored();
		expect((await checkTwice({ method: 'POST', ...sent }, by)).status).toBe(status);
	});

	it('whatever fields and forms are combined', async () => {
		await start(true);
		await stored();
		const { fields } = await checkTwice({});
		const etag = fields.find((line) => /^etag:/i.test(line))?.slice(6) ?? '';
		const one = (...values: string[]) => fc.constantFrom<readonly string[]>([], ...values.map((value) => [value]));
		const parts = fc.tuple(
			one(
				'Accept: text/markdown',
				'Accept: */*',
				'accept: application/vnd.wayleave.result+json',
				'Accept: text/*;q=0.1, a/b',
			),
			one(`If-None-Match: ${etag}`, `If-None-Match: W/${etag}, "b"`, 'If-None-Match: "b"', 'If-None-Match:'),
			one('If-Modified-Since: Fri, 01 Jan 2038 00:00:00 GMT', 'If-Modified-Since: yesterday'),
			one('Accept-Encoding: gzip', 'Accept-Encoding: identity;q=0'),
			one('Range: bytes=1-', 'Cache-Control: no-cache', 'User-Agent: b\u00e4r'),
		);
		const method = fc.constantFrom('GET', 'POST');
		await fc.assert(
			fc.asyncProperty(method, parts, fc.boolean(), async (method, given, isAbsolute) => {
				await checkTwice({ method, isAbsolute, fields: given.flat() });
			}),
			{ numRuns: 60 },
		);
	});
});

describe('a repeated request is checked as every other', () => {
	it('is counted and logged in the same way', async () => {
		await start(true);
		await stored();
		lines = [];
		await checkTwice({});
		await checkTwice({ method: 'POST' });
		const [first, again, posted, postedAgain] = lines.map(({ ms: _, ...rest }) => rest);
		expect(again).toEqual(first);
		expect(postedAgain).toEqual(posted);
		const metrics = await (await service.request('/metrics')).text();
		expect(metrics).toContain('wayleave_request_seconds_count{method="GET",route="/v1/document",status="2xx"} 2');
		expect(metrics).toContain('wayleave_request_seconds_count{method="POST",route="/v1/aidocument",status="2xx"} 3');
		expect(metrics).toMatch(/wayleave_documents_total\{outcome="unchanged",[^}]*\} 2/);
	});

	it('is refused from the moment that the owner refuses, or the document is too old', async () => {
		await start(true);
		await stored();
		for (const method of ['GET', 'POST']) {
			await checkTwice({ method });
			refused = true;
			expect(await send(bytesOf({ method }))).toMatchObject({ status: '403', by: 'routes' });
			refused = false;
			expect(await send(bytesOf({ method }))).toMatchObject({ status: '200', by: 'memory' });
		}
		clock.time += 25 * 60 * 60 * 1000;
		expect(await send(bytesOf({}))).toMatchObject({ status: '404', by: 'routes' });
	});

	it('needs a key that is known, has the scope, and is good now', async () => {
		await start(false);
		const fields = [bearer(await service.key({ expiresAt: clock.time + 800 }))];
		await stored({ fields });
		const reader = [bearer(await service.key({ scopes: ['documents:read'] }))];
		for (const method of ['GET', 'POST']) {
			await checkTwice({ method, fields });
			expect(await send(bytesOf({ method }))).toMatchObject({ status: '401', by: 'routes' });
			const wrong = [fields[0]?.replace(/.{4}$/, 'xxxx') ?? ''];
			expect(await send(bytesOf({ method, fields: wrong }))).toMatchObject({ status: '401', by: 'routes' });
		}
		await checkTwice({ fields: reader });
		await stored({ fields });
		expect(await send(bytesOf({ method: 'POST', fields: reader }))).toMatchObject({ status: '403', by: 'routes' });
		clock.time += 850;
		expect(await send(bytesOf({ fields }))).toMatchObject({ status: '401', by: 'routes' });
	});

	it('takes one request from the rate of its key, and says what is left', async () => {
		await start(false);
		const fields = [bearer(await service.key({ rate: 7 }))];
		await stored({ fields });
		let left = 6;
		for (const method of ['GET', 'POST']) {
			spelling++;
			const bytes = bytesOf({ method, fields });
			for (const by of ['routes', 'memory', 'memory']) {
				left--;
				expect(await send(bytes)).toMatchObject({ status: '200', by, left });
			}
		}
		for (const method of ['GET', 'POST'])
			expect(await send(bytesOf({ method, fields }))).toMatchObject({ status: '429', by: 'routes', left: 0 });
	});

	it('leaves a key with a quota to the routes', async () => {
		await start(false);
		const fields = [bearer(await service.key({ quota: 3 }))];
		await stored({ fields });
		expect((await checkTwice({ fields }, 'routes')).status).toBe('200');
		expect((await checkTwice({ fields }, 'routes')).status).toBe('429');
	});
});
