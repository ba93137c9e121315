import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDashboard, type DashboardFile, ledgerSource, type RunningGateway } from '@wayleave/gateway';
import { createGuard, type GuardOptions, guarded } from '@wayleave/io/listen';
import type { ListenAddress } from '../../shared/options/addresses.ts';
import { createSignIn } from './sign-in.ts';
import { respondByStudio, type Studio } from './studio-server.ts';

export interface DashboardServerOptions {
	readonly at: ListenAddress;
	readonly running: RunningGateway;
	readonly observing: boolean;
	readonly files: ReadonlyMap<string, DashboardFile>;
	/** Further host names that the dashboard accepts. */
	readonly names?: GuardOptions;
	/** The policy studio. Default: none. */
	readonly studio?: Studio;
	/** Signs in callers from other machines. Default: none, so that only this machine is let in. */
	readonly key?: string | undefined;
}

/**
 * Shows the dashboard on a listener of its own: it is for the operator, not for the world.
 *
 * @throws an error of the system where it cannot listen.
 */
export async function serveDashboard(
	options: DashboardServerOptions,
): Promise<{ address: AddressInfo; server: Server }> {
	const { at, running, observing, files, names, studio, key } = options;
	const signIn = createSignIn(key);
	const source = ledgerSource({ db: running.ledger.db, gateway: () => running.gateway(), running, observing });
	const show = createDashboard({ source, files });
	const listener: RequestListener = (request, response) => {
		respond(show, studio, signIn, request, response).catch(() => response.writeHead(500).end());
	};
	const server = createServer(guarded(createGuard(names), listener));
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(at.port, at.host, resolve);
	});
	return { address: server.address() as AddressInfo, server };
}

async function respond(
	show: ReturnType<typeof createDashboard>,
	studio: Studio | undefined,
	signIn: ReturnType<typeof createSignIn>,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const found =
		// The studio checks callers by a key of its own.
		(studio && (await respondByStudio(studio, request))) ??
		(await signIn(request)) ??
		(await show(
			new Request(new URL(request.url ?? '/', `http://${request.headers.host}`), { method: request.method ?? 'GET' }),
		));
	if (found === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' }).end('the dashboard is at /.wayleave/\n');
		return;
	}
	response.writeHead(found.status, Object.fromEntries(found.headers));
	response.end(request.method === 'HEAD' ? undefined : Buffer.from(await found.arrayBuffer()));
}
