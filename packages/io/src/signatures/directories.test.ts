import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '../http/fetcher.ts';
import { ReceivedHeaders } from '../http/headers.ts';
import type { Fetcher } from '../http/types.ts';
import { startTlsServer, type TlsServer } from '../testing/tls-server.ts';
import { KeyDirectories } from './directories.ts';
import {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	type SigningKey,
} from './keys.ts';
import { signRequest } from './sign-request.ts';
import { RequestVerifier } from './verify-request.ts';

const key = loadSigningKey(generateSigningKey());
const other = loadSigningKey(generateSigningKey());
const minute = 60_000;

/** What the agent's server says; the test changes it at will. */
interface Reply {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	readonly body?: string | Buffer;
	readonly silent?: true;
}

let server: TlsServer;
let fetcher: Fetcher;
let reply: Reply;
let asked = 0;
let time = Date.parse('2026-01-01T00:00:00Z');

beforeAll(async () => {
	server = await startTlsServer({
		names: ['agent.test', 'inside.test'],
		handlers: {
			[keyDirectoryPath]: (stream) => {
				asked++;
				if (reply.silent) return;
				stream.respond({ ':status': reply.status ?? 200, 'content-type': keyDirectoryType, ...reply.headers });
				stream.end(reply.body ?? '');
			},
		},
	});
	const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; DirectoryTest)';
	fetcher = createFetcher({
		userAgent,
		ca: server.ca,
		lookup: server.lookup,
		allowPrivate: (host) => host === 'agent.test',
	});
});
afterAll(async () => {
	await fetcher.close();
	await server.close();
});
beforeEach(() => {
	asked = 0;
	reply = published(key);
});

function published(...keys: SigningKey[]): Reply {
	return { body: formatKeyDirectory(keys) };
}

function open() {
	return new KeyDirectories({ fetcher, now: () => time });
}

const origin = () => new URL(server.url('/')).origin;
const find = (directories: KeyDirectories, wanted = key) => directories.find(origin(), wanted.keyId);

describe('KeyDirectories over TLS', () => {
	it('finds a key, asks once for callers at the same time, and keeps what it read', async () => {
		const directories = open();
		const answers = await Promise.all(Array.from({ length: 5 }, () => find(directories)));
		expect(answers.map(({ result }) => result)).toEqual(Array(5).fill('found'));
		time += 59 * minute;
		expect([(await find(directories)).result, asked]).toEqual(['found', 1]);
	});

	it('a request that was signed with a published key verifies', async () => {
		const now = () => Math.floor(time / 1000);
		const verifier = new RequestVerifier({ directories: open(), now });
		const request = { method: 'GET', url: 'https://example.com/' };
		const times = { created: now(), expires: now() + 60 };
		const headers: Record<string, string> = { ...(await signRequest(request, key, { agent: origin(), ...times })) };
		const verdict = await verifier.verify({ ...request, header: (name) => headers[name] });
		expect(verdict).toMatchObject({ outcome: 'valid', agent: origin(), keyId: key.keyId });
	});

	it('a rotated key is found a minute later, a vanished one is gone once the directory was read', async () => {
		const directories = open();
		expect((await find(directories, other)).result).toBe('missing');
		reply = published(other);
		expect([(await find(directories, other)).result, asked]).toEqual(['missing', 1]);
		time += minute;
		expect((await find(directories, other)).result).toBe('found');
		expect((await find(directories, key)).result).toBe('missing');
	});

	it('PB-112 an outage revokes nothing, a directory without the key does', async () => {
		const directories = open();
		await find(directories);
		reply = { status: 503 };
		time += 61 * minute;
		expect([(await find(directories)).result, asked]).toEqual(['found', 2]);
		expect(await find(directories, other)).toMatchObject({ result: 'unavailable', detail: 'http-503' });
		reply = published(other);
		time += 2 * minute;
		expect((await find(directories)).result).toBe('missing');
	});

	it('keys outlive an outage by a week, not for ever', async () => {
		const directories = open();
		await find(directories);
		reply = { status: 503 };
		time += 6 * 24 * 60 * minute;
		expect((await find(directories)).result).toBe('found');
		time += 2 * 24 * 60 * minute;
		expect((await find(directories)).result).toBe('unavailable');
	});

	it('caching headers are kept, within bounds', async () => {
		for (const [control, minutes] of [
			['max-age=7200', 119],
			['max-age=1', 4],
			['max-age=99999999999', 24 * 60 - 1],
		] as const) {
			const directories = open();
			reply = { ...published(key), headers: { 'cache-control': control } };
			asked = 0;
			await find(directories);
			time += minutes * minute;
			await find(directories);
			expect(asked).toBe(1);
			time += 2 * minute;
			await find(directories);
			expect(asked).toBe(2);
		}
	});

	it('a key holds within its own times', async () => {
		const seconds = Math.floor(time / 1000);
		for (const [times, result] of [
			[{ nbf: seconds + 10 }, 'missing'],
			[{ exp: seconds }, 'missing'],
			[{ nbf: seconds, exp: seconds + 10 }, 'found'],
		] as const) {
			reply = { body: JSON.stringify({ keys: [{ ...key.jwk, ...times }] }) };
			expect((await find(open())).result).toBe(result);
		}
	});

	it.each<[string, Reply]>([
		['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
		['another type', { ...published(key), headers: { 'content-type': 'text/html' } }],
		['five megabytes', { body: Buffer.alloc(5 << 20, ' ') }],
		['no JSON', { body: 'keys' }],
		['no keys', { body: '{"notice":"moved"}' }],
		['silence', { silent: true }],
	])('PB-111 %s is no directory, and for a minute nobody asks again', async (_, response) => {
		reply = response;
		const directories = open();
		expect((await find(directories)).result).toBe('unavailable');
		expect([(await find(directories)).result, asked]).toEqual(['unavailable', 1]);
	});

	it('PB-111 of ten thousand keys the first few are read', async () => {
		const keys = [...Array(40).fill(other.jwk), key.jwk];
		reply = { body: JSON.stringify({ keys }) };
		expect((await find(open())).result).toBe('missing');
	});

	it('PB-111, PB-25 a private address is never asked', async () => {
		const { port } = new URL(origin());
		for (const host of [
			`inside.test:${port}`,
			`[::ffff:127.0.0.1]:${port}`,
			`[64:ff9b::7f00:1]:${port}`,
			`[::127.0.0.1]:${port}`,
			`[2002:7f00:1::]:${port}`,
			`127.0.0.1:${port}`,
		]) {
			const response = await open().find(`https://${host}`, key.keyId);
			expect(response).toMatchObject({ result: 'unavailable', detail: expect.stringContaining('private-address') });
		}
		expect(asked).toBe(0);
	});
});

it('a bounded number of directories is kept, and a bounded number asked at a time', async () => {
	let requests = 0;
	let release = () => {};
	const gate = new Promise<void>((open) => {
		release = open;
	});
	const slow: Pick<Fetcher, 'get'> = {
		async get(url) {
			requests++;
			await gate;
			const body = new TextEncoder().encode(formatKeyDirectory([key]));
			const headers = new ReceivedHeaders([['content-type', keyDirectoryType]]);
			const rest = { truncated: false, wireBytes: body.length, httpVersion: '1.1', address: '192.0.2.1' } as const;
			return { ok: true, url, status: 200, headers, body, ...rest };
		},
	};
	const directories = new KeyDirectories({ fetcher: slow, now: () => time, maxKept: 2, maxPending: 2 });
	const flood = Array.from({ length: 5 }, (_, n) => directories.find(`https://a${n}.test`, key.keyId));
	await new Promise(setImmediate);
	expect(requests).toBe(2);
	release();
	const results = (await Promise.all(flood)).map(({ result }) => result);
	expect(results).toEqual(['found', 'found', 'unavailable', 'unavailable', 'unavailable']);
	for (const n of [2, 3, 0, 1]) await directories.find(`https://a${n}.test`, key.keyId);
	expect(requests).toBe(6);
});
