import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Lookup } from '@wayleave/io/dns';
import { generate } from 'selfsigned';

/** What one address gives: a text, or a status with a Location or other headers. */
export type SiteAnswer =
	| string
	| {
			readonly status: number;
			readonly location?: string;
			readonly headers?: Record<string, string>;
			readonly body?: string;
	  };

export interface TlsSites {
	readonly ca: string;
	readonly port: number;
	readonly lookup: Lookup;
	/** By `HOST/PATH`; may be changed at any time. `PORT` in a Location becomes the port. */
	readonly pages: Map<string, SiteAnswer>;
	readonly log: { readonly url: string; readonly userAgent: string; readonly headers: IncomingHttpHeaders }[];
	close(): Promise<void>;
}

/** An HTTPS server on the loopback for many names. */
export async function startTlsSites(names: readonly string[]): Promise<TlsSites> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: names[0]! }], {
		keyType: 'ec',
		notBeforeDate: new Date('2020-01-01'),
		notAfterDate: new Date('2100-01-01'),
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
		],
	});
	const pages: TlsSites['pages'] = new Map();
	const log: TlsSites['log'] = [];
	const server = createServer({ key, cert }, (request, response) => {
		const host = String(request.headers.host).replace(/:\d+$/, '');
		const url = `${host}${request.url}`;
		log.push({ url, userAgent: String(request.headers['user-agent']), headers: request.headers });
		const answer = pages.get(url) ?? { status: 404 };
		if (typeof answer === 'string') {
			response.setHeader('content-type', 'text/plain');
			response.end(answer);
			return;
		}
		const { status, location, headers = {}, body } = answer;
		const { port } = server.address() as AddressInfo;
		response.writeHead(status, { ...headers, ...(location && { location: location.replace('PORT', String(port)) }) });
		response.end(body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		ca: cert,
		port: (server.address() as AddressInfo).port,
		lookup: async () => [{ address: '127.0.0.1', family: 4 }],
		pages,
		log,
		async close() {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}
