import { mkdtempSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig } from '../config/load.ts';
import type { Config, ConfigInput } from '../config/schema.ts';
import { type OpenGatewayOptions, openGateway, type RunningGateway } from '../running/open-gateway.ts';

/** A site and a gateway in front of it, both on the loopback. */
export interface RunningSite {
	readonly running: RunningGateway;
	readonly port: number;
	/** What the operator was told. */
	readonly notes: string[];
	readonly sitePort: number;
	get(path: string, headers?: Record<string, string>): Promise<{ status: number; headers: Headers; text: string }>;
	config(more: Omit<ConfigInput, 'origin'>): Config;
	/** The site answers with this from now on; undefined: nothing is listening. */
	serve(listener: RequestListener | undefined): Promise<void>;
	close(): Promise<void>;
}

export const origin = 'https://site.example.com';

/** A port on which nothing listens yet. */
async function freePort(): Promise<number> {
	const server = net.createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Starts both; nothing is looked up outside. Several requests may be in flight at a time. */
export async function startSite(
	given: Omit<ConfigInput, 'origin'>,
	listener: RequestListener | undefined,
	options: Partial<OpenGatewayOptions> = {},
): Promise<RunningSite> {
	const base = mkdtempSync(join(tmpdir(), 'wayleave-site-'));
	const sitePort = await freePort();
	let site: http.Server | undefined;
	const serve = async (next: RequestListener | undefined) => {
		const before = site;
		if (before !== undefined) await new Promise((resolve) => before.close(resolve).closeAllConnections());
		site = next === undefined ? undefined : http.createServer(next);
		const after = site;
		if (after !== undefined) await new Promise<void>((resolve) => after.listen(sitePort, '127.0.0.1', resolve));
	};
	await serve(listener);
	const notes: string[] = [];
	const config = (more: Omit<ConfigInput, 'origin'>) =>
		checkConfig({
			origin,
			identity: { verify: { ranges: false, reverseDns: false, signatures: false } },
			ledger: { store: `sqlite:${join(base, 'ledger.db')}` },
			...more,
		});
	const running = await openGateway(config(given), {
		upstream: `http://127.0.0.1:${sitePort}`,
		base,
		onNote: (text) => notes.push(text),
		...options,
	});
	const { port } = await running.listen(0, '127.0.0.1');
	const agent = new http.Agent({ keepAlive: true });
	return {
		running,
		port,
		notes,
		sitePort,
		config,
		serve,
		get: (path, headers = {}) =>
			new Promise((resolve, reject) => {
				const request = http.get(
					{ port, path, agent, headers: { host: new URL(origin).host, 'user-agent': 'GPTBot/1.2', ...headers } },
					(response) => {
						let text = '';
						response.setEncoding('utf8');
						response.on('data', (chunk) => {
							text += chunk;
						});
						response.on('end', () => {
							const found = new Headers();
							for (const [name, value] of Object.entries(response.headers)) found.set(name, String(value));
							resolve({ status: response.statusCode ?? 0, headers: found, text });
						});
						response.on('error', reject);
					},
				);
				request.on('error', reject);
			}),
		async close() {
			agent.destroy();
			await running.close(200);
			await serve(undefined);
		},
	};
}
