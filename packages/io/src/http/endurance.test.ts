import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from './fetcher.ts';
import { fetchFailures } from './types.ts';

const userAgent = 'AIWebIndex/2.0 (+https://example.com/bot; EnduranceTest)';

/** Answers each request with the next of these bytes and closes. */
let answers: Buffer[] = [];
let server: Server;
let port: number;

beforeAll(async () => {
	server = createServer((socket) => {
		socket.on('error', () => {});
		socket.once('data', () =>
			socket.end(answers.shift() ?? Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	port = (server.address() as AddressInfo).port;
});

afterAll(() => server.close());

describe('endurance', () => {
	it('any bytes at all end in an answer or a named failure', async () => {
		const fetcher = createFetcher({
			userAgent,
			lookup: async () => [{ address: '127.0.0.1', family: 4 }],
			allowPrivate: () => true,
			limits: { bodyBytes: 10_000, headerBytes: 1000 },
		});
		const whole = Buffer.from(
			'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
		);
		const mutation = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), drop: fc.nat(3) });
		const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
			const bytes = [...whole];
			for (const { at, byte, drop } of mutations) bytes.splice(at, drop, byte);
			answers = [Buffer.from(bytes)];
			const response = await fetcher.get(`http://any.test:${port}/`);
			expect(response.ok || response.reason in fetchFailures).toBe(true);
		});
		await fc.assert(property, { numRuns: 150 });
		await fetcher.close();
	});

	it('a process that forgets to close its fetcher ends all the same', async () => {
		const site = createHttpServer({ keepAliveTimeout: 60_000 }, (_, response) => response.end('ok'));
		site.listen(0, '127.0.0.1');
		await once(site, 'listening');
		const program = `
			import { createFetcher } from ${JSON.stringify(new URL('./fetcher.ts', import.meta.url).href)};
			const fetcher = createFetcher({ userAgent: 'AIWebIndex/2.0', allowPrivate: () => true });
			const response = await fetcher.get('http://127.0.0.1:${(site.address() as AddressInfo).port}/');
			console.log(response.status);
		`;
		const root = fileURLToPath(new URL('../../../..', import.meta.url));
		const args = ['--conditions=wayleave-source', '--import', 'tsx', '--input-type=module', '--eval', program];
		const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
		let output = '';
		child.stdout.on('data', (bytes) => {
			output += bytes;
		});
		const [code] = await once(child, 'exit');
		site.close();
		site.closeAllConnections();
		expect([code, output]).toEqual([0, '200\n']);
	});
});
