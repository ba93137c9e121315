// A load generator of its own process: keeps connections open, one request after the other on each.
// Usage: gateway-load.mjs PORT CONNECTIONS MILLISECONDS USER-AGENT; prints {"requests","p50"} as JSON.
import net from 'node:net';

const [port, connections, duration, userAgent] = process.argv.slice(2);
const request = Buffer.from(
	`GET /page.html HTTP/1.1\r\nHost: bench.example\r\nUser-Agent: ${userAgent}\r\nAccept: text/html\r\n\r\n`,
);
const until = performance.now() + Number(duration);
const times: number[] = [];

/** One connection; counts a response as whole when as many bytes have come as its head announces. */
function connect(): Promise<void> {
	return new Promise((resolve) => {
		const socket = net.connect(Number(port), '127.0.0.1');
		let wanted = 0;
		let head = '';
		let sent = 0;
		const send = () => {
			if (performance.now() > until) {
				socket.destroy();
				return;
			}
			wanted = 0;
			head = '';
			sent = performance.now();
			socket.write(request);
		};
		socket.on('connect', send);
		socket.on('data', (chunk) => {
			let bytes = chunk.length;
			if (wanted === 0) {
				head += chunk.toString('latin1');
				const end = head.indexOf('\r\n\r\n');
				if (end < 0) return;
				wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
				bytes = head.length - end - 4;
			}
			wanted -= bytes;
			if (wanted > 0) return;
			times.push(performance.now() - sent);
			send();
		});
		socket.on('error', () => {});
		socket.on('close', () => resolve());
	});
}

await Promise.all(Array.from({ length: Number(connections) }, connect));
const sorted = times.toSorted((a, b) => a - b);
console.log(JSON.stringify({ requests: times.length, p50: sorted[sorted.length >> 1] ?? 0 }));
