// A load generator of its own process: keeps connections open, one request after the other on each.
// Usage: serve-load.ts PORT CONNECTIONS MILLISECONDS FILE, which holds the requests as a JSON array of strings.
import { readFileSync } from 'node:fs';
import net from 'node:net';

const [port, connections, duration, file] = process.argv.slice(2);
const requests = (JSON.parse(readFileSync(file!, 'utf8')) as string[]).map((request) => Buffer.from(request));
const until = performance.now() + Number(duration);
const times: number[] = [];
let failed = 0;
let next = 0;

/** One connection; an answer is whole when as many bytes have come as its head announces. */
function connect(): Promise<void> {
	return new Promise((resolve) => {
		const socket = net.connect(Number(port), '127.0.0.1');
		let wanted = 0;
		let head = '';
		let sent = 0;
		const send = () => {
			if (performance.now() > until) return void socket.destroy();
			wanted = 0;
			head = '';
			sent = performance.now();
			socket.write(requests[next++ % requests.length]!);
		};
		socket.on('connect', send);
		socket.on('data', (chunk) => {
			let bytes = chunk.length;
			if (wanted === 0) {
				head += chunk.toString('latin1');
				const end = head.indexOf('\r\n\r\n');
				if (end < 0) return;
				if (!head.startsWith('HTTP/1.1 200')) failed++;
				wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
				bytes = head.length - end - 4;
			}
			wanted -= bytes;
			if (wanted > 0) return;
			times.push(performance.now() - sent);
			send();
		});
		socket.on('error', () => failed++);
		socket.on('close', () => resolve());
	});
}

await Promise.all(Array.from({ length: Number(connections) }, connect));
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
console.log(JSON.stringify({ requests: times.length, failed, p50: at(0.5), p99: at(0.99) }));
