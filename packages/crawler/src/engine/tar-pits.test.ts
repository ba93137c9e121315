import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, it } from 'vitest';
import { htmlPage } from '../testing/web.ts';
import { crawl } from './crawl.ts';

// Slow hosts do not hold a connection slot for long, and do not keep a stopping crawl from ending.

const servers: Server[] = [];
const sockets = new Set<Socket>();
const timers = new Set<NodeJS.Timeout>();
afterAll(() => {
	for (const timer of timers) clearInterval(timer);
	for (const socket of sockets) socket.destroy();
	for (const server of servers) server.close();
});

async function serve(host: string, answer: (path: string, socket: Socket) => void): Promise<string> {
	const server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		socket.on('data', (data) => answer(/^GET (\S+)/.exec(data.toString('latin1'))?.[1] ?? '', socket));
	}).listen(0, host);
	await once(server, 'listening');
	servers.push(server);
	const address = server.address();
	return `http://${host}:${typeof address === 'object' ? address?.port : ''}/`;
}

const send = (socket: Socket, status: number, body: string) =>
	socket.end(`HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

function drip(socket: Socket, text: string): void {
	socket.write(text);
	timers.add(setInterval(() => socket.write('x'), 1000));
}

// Side by side: a crawl waits for seconds here.
it.concurrent.for([
	[
		'bodies',
		(socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n'),
	],
	['header lines', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
	['connections that are never answered', () => {}],
] satisfies [string, (socket: Socket) => void][])(
	'C2-50 slow %s of eight hosts leave another host its places, and a stop does not wait for them',
	{ timeout: 40_000 },
	async ([, tarPit], { expect }) => {
		const slow = [];
		for (let host = 2; host < 10; host++)
			slow.push(
				await serve(`127.0.0.${host}`, (path, socket) => (path === '/' ? tarPit(socket) : send(socket, 404, ''))),
			);
		const paths = ['/1', '/2', '/3', '/4', '/5'];
		const asked = new Set<string>();
		const good = await serve('127.0.0.10', (path, socket) => {
			asked.add(path);
			if (path !== '/' && !paths.includes(path)) return send(socket, 404, '');
			return send(socket, 200, htmlPage(path, path === '/' ? paths : []));
		});
		const stop = new AbortController();
		const crawling = crawl([...slow, good], { delay: 0, sitemaps: false, threads: 0, signal: stop.signal });
		const began = Date.now();
		let ended = began;
		crawling.on('page', ({ url }) => {
			if (url === `${good}5`) {
				ended = Date.now();
				stop.abort();
			}
		});
		const { complete, pending } = await crawling.run();
		expect(paths.every((path) => asked.has(path))).toBe(true);
		expect(ended - began).toBeLessThan(15_000);
		expect(Date.now() - ended).toBeLessThan(6000);
		expect({ complete, pending }).toEqual({ complete: false, pending: 8 });
	},
);
