import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { createDashboard, type DashboardFile, ledgerSource, type RunningGateway } from '@wayleave/gateway';
import { parseUrl } from '@wayleave/protocols/url';
import type { ListenAddress } from '../options/addresses.ts';

export interface DashboardServerOptions {
	readonly at: ListenAddress;
	readonly running: RunningGateway;
	readonly observing: boolean;
	readonly files: ReadonlyMap<string, DashboardFile>;
}

/**
 * Shows the dashboard on a listener of its own: it is for the operator, not for the world.
 *
 * @throws an error of the system where it cannot listen.
 */
export async function serveDashboard(
	options: DashboardServerOptions,
): Promise<{ address: AddressInfo; server: Server }> {
	const { at, running, observing, files } = options;
	const source = ledgerSource({ db: running.ledger.db, gateway: () => running.gateway(), running, observing });
	const show = createDashboard({ source, files });
	const server = createServer((request, response) => {
		answer(show, at, request, response).catch(() => response.writeHead(500).end());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(at.port, at.host, resolve);
	});
	return { address: server.address() as AddressInfo, server };
}

async function answer(
	show: ReturnType<typeof createDashboard>,
	at: ListenAddress,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const url = `http://${request.headers.host}${request.url}`;
	// A page elsewhere could point a name of its own at this address and read along (DNS rebinding).
	const asked = parseUrl(url);
	if (asked === undefined || !isOwnName(asked.hostname, at)) {
		response.writeHead(421, { 'content-type': 'text/plain' }).end('name this server by its address\n');
		return;
	}
	const found = await show(new Request(url, { method: request.method ?? 'GET' }));
	if (found === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' }).end('the dashboard is at /.wayleave/\n');
		return;
	}
	response.writeHead(found.status, Object.fromEntries(found.headers));
	response.end(request.method === 'HEAD' ? undefined : Buffer.from(await found.arrayBuffer()));
}

function isOwnName(name: string, { host }: ListenAddress): boolean {
	const bare = name.replace(/^\[|\]$/g, '');
	return isIP(bare) !== 0 || bare === 'localhost' || bare === host.toLowerCase();
}
