// A load generator that stays: each message of its parent is one burst, on connections that it keeps open.
// Usage: fork('bursts.ts'), then send a Burst; it replies with the number of responses that were no 200.
import net from 'node:net';

/** So many requests in all, one after the other on each connection. */
export interface Burst {
	readonly port: number;
	readonly connections: number;
	readonly count: number;
	/** As they are sent, in turn. */
	readonly requests: readonly string[];
}

const pools = new Map<number, net.Socket[]>();

async function socketsTo(port: number, count: number): Promise<net.Socket[]> {
	const known = pools.get(port)?.filter((socket) => !socket.destroyed) ?? [];
	while (known.length < count) {
		const socket = net.connect({ port, host: '127.0.0.1' });
		await new Promise<void>((ready, fail) => socket.once('connect', ready).once('error', fail));
		known.push(socket);
	}
	pools.set(port, known);
	return known;
}

/** Sends one request after the other while there are any. */
function work(socket: net.Socket, next: () => string | undefined): Promise<number> {
	return new Promise((resolve, reject) => {
		let failed = 0;
		let wanted = 0;
		const send = () => {
			const request = next();
			if (request !== undefined) return socket.write(request);
			socket.removeAllListeners('data').removeAllListeners('error');
			return resolve(failed);
		};
		socket.on('error', reject);
		socket.on('data', (bytes) => {
			if (wanted > 0) wanted -= bytes.length;
			else {
				const end = bytes.indexOf('\r\n\r\n', 0, 'latin1');
				if (end < 0) throw new Error('a head in pieces');
				const head = bytes.latin1Slice(0, end + 2);
				if (!head.startsWith('HTTP/1.1 200')) failed++;
				wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (bytes.length - end - 4);
			}
			if (wanted <= 0) send();
		});
		send();
	});
}

process.on('message', async ({ port, connections, count, requests }: Burst) => {
	let at = 0;
	const next = () => (at < count ? requests[at++ % requests.length] : undefined);
	const sockets = await socketsTo(port, connections);
	const failed = await Promise.all(sockets.map((socket) => work(socket, next)));
	process.send?.(failed.reduce((sum, one) => sum + one, 0));
});
