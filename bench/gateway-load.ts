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
		let wanted = 0;
		let sent = 0;
		const send = () => {
			if (performance.now() > until) {
				socket.destroy();
				return;
			}
			wanted = 0;
			sent = performance.now();
			socket.write(request);
		};
		// What comes is counted where it was read: the generator shares the machine with what it measures.
		const buffer = Buffer.allocUnsafeSlow(65_536);
		const socket = net.connect({
			port: Number(port),
			host: '127.0.0.1',
			onread: {
				buffer,
				callback(size) {
					let bytes = size;
					if (wanted === 0) {
						const end = buffer.subarray(0, size).indexOf('\r\n\r\n', 0, 'latin1');
						if (end < 0) throw new Error('a head in pieces');
						wanted = Number(/content-length: (\d+)/i.exec(buffer.latin1Slice(0, end + 2))?.[1] ?? 0);
						bytes -= end + 4;
					}
					wanted -= bytes;
					if (wanted > 0) return true;
					times.push(performance.now() - sent);
					send();
					return true;
				},
			},
		});
		socket.on('connect', send);
		socket.on('error', () => {});
		socket.on('close', () => resolve());
	});
}

await Promise.all(Array.from({ length: Number(connections) }, connect));
const sorted = times.toSorted((a, b) => a - b);
console.log(JSON.stringify({ requests: times.length, p50: sorted[sorted.length >> 1] ?? 0 }));
