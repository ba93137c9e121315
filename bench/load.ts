// A load generator of its own process: keeps connections open, one request after the other on each.
// Usage: load.ts PORT CONNECTIONS MILLISECONDS REQUESTS, a JSON array of requests as they are sent, or the file of one.
// Prints {"requests", "failed", "p50", "p99"} as JSON, times in milliseconds; what is no 200 has failed.
import { readFileSync } from 'node:fs';
import net from 'node:net';

const [port, connections, duration, given = '[]'] = process.argv.slice(2);
const texts: string[] = JSON.parse(given.startsWith('[') ? given : readFileSync(given, 'utf8'));
const requests = texts.map((text) => Buffer.from(text));
const until = performance.now() + Number(duration);
const times: number[] = [];
let failed = 0;
let next = 0;

/** One connection; an answer is whole when as many bytes have come as its head announces. */
function connect(): Promise<void> {
	return new Promise((resolve) => {
		let wanted = 0;
		let sent = 0;
		const send = () => {
			if (performance.now() > until) {
				socket.destroy();
				return;
			}
			wanted = 0;
			sent = performance.now();
			socket.write(requests[next++ % requests.length]!);
		};
		const take = (bytes: number): void => {
			if (wanted > 0) wanted -= bytes;
			else {
				const end = buffer.subarray(0, bytes).indexOf('\r\n\r\n', 0, 'latin1');
				if (end < 0) throw new Error('a head in pieces');
				const head = buffer.latin1Slice(0, end + 2);
				if (!head.startsWith('HTTP/1.1 200')) failed++;
				wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (bytes - end - 4);
			}
			if (wanted > 0) return;
			times.push(performance.now() - sent);
			send();
		};
		// What comes is counted where it was read: the generator shares the machine with what it measures.
		const buffer = Buffer.allocUnsafeSlow(65_536);
		const onread = {
			buffer,
			callback(size: number) {
				take(size);
				return true;
			},
		};
		const socket = net.connect({ port: Number(port), host: '127.0.0.1', onread });
		socket.on('connect', send);
		socket.on('error', () => failed++);
		socket.on('close', () => resolve());
	});
}

await Promise.all(Array.from({ length: Number(connections) }, connect));
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
console.log(JSON.stringify({ requests: times.length, failed, p50: at(0.5), p99: at(0.99) }));
