import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { extname, join } from 'node:path';
import { generate } from 'selfsigned';

/** The sites that the documentation names, at one address of the loopback. */
export interface SmallWeb {
	readonly httpPort: number;
	readonly httpsPort: number;
	/** The certificate of all names, PEM; it signs itself. */
	readonly ca: string;
	/** The folder whose `dist/` is served once `wayleave publish` has been through it. */
	root: string;
	close(): Promise<void>;
}

export interface SmallWebOptions {
	readonly names: readonly string[];
	/** Names that lead to a service of our own at this port. */
	readonly services: Readonly<Record<string, number>>;
}

const types: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.txt': 'text/plain; charset=utf-8',
	'.json': 'application/json',
	'.md': 'text/markdown; charset=utf-8',
};

const prose =
	'The gauge reads the height of the water ten times a second, takes the median of a minute, and writes one line. ' +
	'A harbour that knows its tide to a centimetre can let a ship in half an hour earlier, and nobody has to stand in the rain.';

const page = (title: string, links: readonly string[]): string =>
	`<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${prose}</p>` +
	`<ul>${links.map((link) => `<li><a href="${link}">${link}</a></li>`).join('')}</ul><p>${prose}</p></main></body></html>`;

const pages: Readonly<Record<string, string>> = {
	'/': page('Tide gauges', ['/install', '/page', '/private']),
	'/install': page('Install a gauge', ['/']),
	'/page': page('Read a gauge', []),
	'/post': page('The night of the surge', []),
	'/robots.txt': 'User-agent: *\nDisallow: /private\n',
};

const theirs = 'User-agent: *\nDisallow: /cdn/\n\n';

export async function startSmallWeb({ names, services }: SmallWebOptions): Promise<SmallWeb> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'docs' }], {
		keyType: 'ec',
		notBeforeDate: new Date('2020-01-01'),
		notAfterDate: new Date('2100-01-01'),
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
		],
	});
	let root = '';
	const handle = (incoming: IncomingMessage, response: ServerResponse) => {
		const port = services[(incoming.headers.host ?? '').replace(/:\d+$/, '')];
		if (port === undefined) answer(root, incoming, response);
		else forward(port, incoming, response);
	};
	const servers = [createServer(handle), createTlsServer({ key, cert }, handle)];
	const ports: number[] = [];
	for (const server of servers) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		ports.push((server.address() as AddressInfo).port);
	}
	return {
		httpPort: ports[0] ?? 0,
		httpsPort: ports[1] ?? 0,
		ca: cert,
		get root() {
			return root;
		},
		set root(folder) {
			root = folder;
		},
		async close() {
			for (const server of servers) {
				server.close();
				server.closeAllConnections();
			}
		},
	};
}

function answer(root: string, { url = '/', method, headers }: IncomingMessage, response: ServerResponse): void {
	const path = url.replace(/[?#].*/, '');
	const isPublished = headers.host === 'example.com' || headers.host === 'tidemark.example';
	const published = isPublished ? readPublished(root, path) : undefined;
	const found = published?.text ?? pages[path];
	// A network in front of this site has terms of its own, and writes them into the file.
	const isRewritten = path === '/robots.txt' && headers.host === 'tidemark.example';
	const text = isRewritten && found !== undefined ? `${theirs}${found}` : found;
	if (text === undefined) {
		response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');
		return;
	}
	const type = published?.type ?? types[path.endsWith('.txt') ? '.txt' : '.html'];
	response.writeHead(200, { 'content-type': type, etag: `"${text.length}"`, 'cache-control': 'max-age=60' });
	response.end(method === 'HEAD' ? undefined : text);
}

function readPublished(root: string, path: string): { text: string; type: string } | undefined {
	const dist = join(root, 'dist');
	if (path.includes('..') || !existsSync(join(dist, 'robots2.txt'))) return undefined;
	const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
	if (!existsSync(file) || !statSync(file).isFile()) return undefined;
	return { text: readFileSync(file, 'utf8'), type: types[extname(file)] ?? 'application/octet-stream' };
}

function forward(port: number, incoming: IncomingMessage, response: ServerResponse): void {
	const { url: path, method, headers } = incoming;
	const onward = request({ host: '127.0.0.1', port, path, method, headers }, (received) => {
		response.writeHead(received.statusCode ?? 502, received.headers);
		received.pipe(response);
	});
	onward.on('error', () => response.writeHead(502).end());
	incoming.pipe(onward);
}

/** Ports that are free now; nothing reserves them. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createSocketServer().listen(0, '127.0.0.1'));
	await Promise.all(servers.map((server) => once(server, 'listening')));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
	return ports;
}
