import net from 'node:net';

/**
 * Sends bytes as they are and gives all that comes back until the other side closes, or is silent for `quiet` ms; the
 * first of it may take five seconds, on a busy machine.
 */
export function sendRaw(port: number, bytes: string, quiet = 3000): Promise<string> {
	return new Promise((resolve) => {
		let text = '';
		const socket = net.connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
		socket.setTimeout(Math.max(quiet, 5000), () => socket.destroy());
		socket.on('data', (chunk) => {
			socket.setTimeout(quiet);
			text += chunk.toString('latin1');
		});
		socket.on('error', () => {});
		socket.on('close', () => resolve(text));
	});
}

/** The status of the first response in what came back; 0 where nothing did. */
export function statusOf(text: string): number {
	return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}
