import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard, type GuardOptions, guarded } from '@wayleave/io/listen';
import { metricsType } from '@wayleave/io/metrics';
import type { ListenAddress } from './options/addresses.ts';

/** Routes for the operator. */
export interface MetricsRoutes {
	/** The text of `/metrics`. */
	metrics(): string;
	/** The object of `/status`; without it the path responds with 404. */
	status?(): unknown;
	/** The object of `/readyz`; without it the path responds with 404. */
	ready?(): unknown;
}

/** A listener of its own with `/metrics`, `/status`, `/readyz` and `/healthz`: they are for the operator, not for the world. */
export async function serveMetrics(
	at: ListenAddress,
	routes: MetricsRoutes,
	names: GuardOptions = {},
): Promise<{ address: AddressInfo; server: Server }> {
	const show: RequestListener = (request, response) => {
		const path = request.url?.split('?', 1)[0];
		const send = (type: string, text: string) => response.writeHead(200, { 'content-type': type }).end(text);
		if (path === '/metrics') send(metricsType, routes.metrics());
		else if (path === '/healthz') send('text/plain', 'ok\n');
		else if (path === '/readyz' && routes.ready) send('application/json', `${JSON.stringify(routes.ready())}\n`);
		else if (path === '/status' && routes.status) send('application/json', `${JSON.stringify(routes.status())}\n`);
		else response.writeHead(404).end();
	};
	const server = createServer(guarded(createGuard(names), show));
	server.listen(at.port, at.host);
	await once(server, 'listening');
	return { address: server.address() as AddressInfo, server };
}
