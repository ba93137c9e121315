import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsType } from '@wayleave/gateway';
import type { ListenAddress } from './addresses.ts';

/** Serves `/metrics` and `/healthz` on a listener of their own: they are for the operator, not for the world. */
export async function serveMetrics(
	at: ListenAddress,
	read: () => string,
): Promise<{ address: AddressInfo; server: Server }> {
	const server = createServer((request, response) => {
		const path = request.url?.split('?', 1)[0];
		if (path === '/metrics') response.writeHead(200, { 'content-type': metricsType }).end(read());
		else if (path === '/healthz') response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
		else response.writeHead(404).end();
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(at.port, at.host, resolve);
	});
	return { address: server.address() as AddressInfo, server };
}
