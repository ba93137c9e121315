import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** A server whose thread sleeps: the kernel fills its queue of two connections and lets the next ones wait. */
const sleeper = `
	const { parentPort, workerData } = require('node:worker_threads');
	const { createServer } = require('node:net');
	const answer = 'HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nslow';
	const server = createServer((socket) => socket.on('error', () => {}).on('data', () => socket.write(answer)));
	server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
		parentPort.postMessage(server.address().port);
		parentPort.once('message', () => {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData);
		});
	});
`;

/** A server that takes its next connection only after so many milliseconds (and the kernel's own retries). */
export async function startSlowAccept(milliseconds: number) {
	const worker = new Worker(sleeper, { eval: true, workerData: milliseconds });
	const [port] = (await once(worker, 'message')) as [number];
	worker.postMessage('sleep');
	await new Promise((resolve) => setTimeout(resolve, 50));
	const fillers: Socket[] = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => {}));
	await Promise.all(fillers.slice(0, 2).map((socket) => once(socket, 'connect')));
	return {
		port,
		async close() {
			for (const socket of fillers) socket.destroy();
			await worker.terminate();
		},
	};
}
