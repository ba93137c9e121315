import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createFetcher } from './fetcher.ts';

// Windows of 100 ms in the place of 5 s; each response is written in pieces.
const timeouts = { slowBody: 200, bodyIdle: 700, total: 20_000 };

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function get(length: number, write: (socket: Socket) => Promise<void>) {
	const server = createServer((socket) => {
		socket.on('error', () => {});
		socket.once('data', () => {
			socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${length}\r\n\r\n`);
			void write(socket);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const fetcher = createFetcher({
		userAgent: 'AIWebIndex/2.0 (+https://example.com/bot; SlowTest)',
		allowPrivate: () => true,
	});
	ends.push(
		() => server.close(),
		() => fetcher.close(),
	);
	return fetcher.get(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, { timeouts });
}

async function drip(socket: Socket, bytes: number, pieces: number): Promise<void> {
	for (let piece = 0; piece < pieces && socket.writable; piece++) {
		socket.write('x'.repeat(bytes));
		await sleep(20);
	}
}

it('C2-50 a body that comes in drips ends as too slow, long before the whole time is over', async () => {
	const began = performance.now();
	const response = await get(100_000, (socket) => drip(socket, 1, 900));
	expect(response).toMatchObject({ ok: false, reason: 'too-slow', status: 200 });
	expect(performance.now() - began).toBeLessThan(10_000);
});

it('C2-50 a body above the lower bound arrives, however long it takes', async () => {
	const response = await get(100_000, (socket) => drip(socket, 2000, 50));
	expect(response).toMatchObject({ ok: true, status: 200 });
});

it('C2-50 a page that pauses for its data between two parts arrives', async () => {
	const response = await get(4000, async (socket) => {
		socket.write('x'.repeat(1000));
		await sleep(500);
		socket.write('x'.repeat(1500));
		await sleep(500);
		socket.write('x'.repeat(1500));
	});
	expect(response).toMatchObject({ ok: true, status: 200 });
});
