import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { checkConfig } from '../config/load.ts';
import { createGateway } from '../engine/gateway.ts';
import { createProxy } from './server.ts';
import { createUpstream } from './upstream.ts';

const block = Buffer.alloc(64 * 1024);
const request = 'GET /large HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\n\r\n';

/** A site whose answers are longer than all buffers on the way, and that counts who is connected. */
async function longAnswers() {
	let connected = 0;
	const site = http.createServer((_request, response) => {
		let left = 256;
		const more = () => {
			while (left > 0 && !response.destroyed && response.write(block)) left--;
			if (left === 0) response.end();
		};
		response.on('drain', more);
		more();
	});
	site.on('connection', (socket) => {
		connected++;
		socket.on('close', () => connected--);
	});
	await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
	const upstream = createUpstream(`http://127.0.0.1:${(site.address() as AddressInfo).port}`, { maxConnections: 2000 });
	const gateway = createGateway(checkConfig({ origin: 'http://site.example' }));
	// However slow the machine is, nobody is sent away for standing still.
	const proxy = createProxy({ gateway: () => gateway, upstream, idleTimeout: 3_600_000 });
	const { port } = await proxy.listen(0, '127.0.0.1');
	const close = async () => {
		await proxy.close(100);
		upstream.close();
		await new Promise((resolve) => site.close(resolve).closeAllConnections());
	};
	return { port, proxy, close, connected: () => connected };
}

/** Reads a little, then breaks off. */
function abort(port: number): Promise<void> {
	return new Promise((resolve) => {
		const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
		socket.once('data', () => socket.destroy());
		socket.on('error', () => {});
		socket.on('close', () => resolve());
	});
}

/** Reads a little, then stands still. */
function startReading(port: number): Promise<net.Socket> {
	return new Promise((resolve, reject) => {
		const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
		socket.on('error', () => {});
		socket.on('close', () => reject(new Error('closed')));
		socket.once('data', () => {
			socket.pause();
			resolve(socket);
		});
	});
}

async function settled(condition: () => boolean) {
	for (let times = 0; times < 3000 && !condition(); times++) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(condition()).toBe(true);
}

it('PB-66 10,000 downloads that are broken off leave neither sockets nor memory behind', async () => {
	const { port, proxy, connected, close } = await longAnswers();
	const many = async (count: number) => {
		// A few at a time: it is about what is left behind, not about speed.
		for (let done = 0; done < count; done += 50) await Promise.all(Array.from({ length: 50 }, () => abort(port)));
		await settled(() => proxy.inFlight === 0 && connected() === 0);
	};
	await many(2000);
	const before = process.memoryUsage().rss;
	await many(8000);
	const grown = process.memoryUsage().rss - before;
	console.log(`8,000 more aborted downloads: ${(grown / 1e6).toFixed(1)} MB more`);
	expect(grown).toBeLessThan(150 * 1024 * 1024);
	await close();
});

it('1,000 slow readers hold no more than their buffers, and leave nothing behind', async () => {
	const { port, proxy, connected, close } = await longAnswers();
	const readers: net.Socket[] = [];
	// A few at a time: more than the system lets wait at a door at once would be turned away.
	while (readers.length < 1000)
		readers.push(...(await Promise.all(Array.from({ length: 50 }, () => startReading(port)))));
	expect(proxy.inFlight).toBe(1000);
	const before = process.memoryUsage().rss;
	await new Promise((resolve) => setTimeout(resolve, 3000));
	// It stands still: what has been read waits in buffers whose size does not grow.
	const grown = process.memoryUsage().rss - before;
	console.log(`1,000 readers that stand still for three seconds: ${(grown / 1e6).toFixed(1)} MB more`);
	expect(grown).toBeLessThan(400 * 1024 * 1024);
	for (const socket of readers) socket.destroy();
	await settled(() => proxy.inFlight === 0 && connected() === 0);
	await close();
});

it('a site that dies and returns, 100 times: every request ends, and nothing is left behind', async () => {
	const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
		if (request.url === '/quick') response.end('quick');
		else response.write(block, () => setTimeout(() => response.end(block), 5));
	};
	const start = async (port: number) => {
		const server = http.createServer(answer);
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		return server;
	};
	let site = await start(0);
	const { port: sitePort } = site.address() as AddressInfo;
	const upstream = createUpstream(`http://127.0.0.1:${sitePort}`, { maxConnections: 16 });
	const gateway = createGateway(checkConfig({ origin: 'http://site.example' }));
	const proxy = createProxy({ gateway: () => gateway, upstream });
	const { port } = await proxy.listen(0, '127.0.0.1');
	const agent = new http.Agent({ keepAlive: true, maxSockets: 40 });
	const ask = (path: string) =>
		new Promise<string>((resolve) => {
			const request = http.get({ port, path, agent, headers: { 'user-agent': 'x' } }, (response) => {
				response.resume().on('end', () => resolve(String(response.statusCode)));
				response.on('error', () => resolve('broken off'));
			});
			request.on('error', () => resolve('broken off'));
		});
	const ends: Record<string, number> = {};
	for (let round = 0; round < 100; round++) {
		const asked = Array.from({ length: 40 }, (_, at) => ask(at % 2 === 0 ? '/quick' : '/slow'));
		// It dies before the first answer, or while some are under way.
		if (round % 4 > 0) await asked[(round % 4) * 4];
		await new Promise((resolve) => setTimeout(resolve, round % 12));
		await new Promise((resolve) => site.close(resolve).closeAllConnections());
		asked.push(...Array.from({ length: 10 }, () => ask('/quick')));
		for (const end of await Promise.all(asked)) ends[end] = (ends[end] ?? 0) + 1;
		site = await start(sitePort);
		expect(await ask('/quick')).toBe('200');
	}
	console.log(`100 deaths of the site: ${JSON.stringify(ends)}`);
	expect(Object.keys(ends).filter((end) => !['200', '502', 'broken off'].includes(end))).toEqual([]);
	expect(ends['502']).toBeGreaterThanOrEqual(1000);
	await settled(() => proxy.inFlight === 0);
	agent.destroy();
	await proxy.close(100);
	upstream.close();
	await new Promise((resolve) => site.close(resolve).closeAllConnections());
});
