import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
	createSecureServer,
	type IncomingHttpHeaders,
	type ServerHttp2Session,
	type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { generate } from 'selfsigned';
import type { Lookup } from '../dns/types.ts';

/** What the server does with a request over HTTP/2, by path. */
export type StreamHandler = (stream: ServerHttp2Stream) => void;

export interface TlsServer {
	readonly lookup: Lookup;
	/** The certificate, which signs itself. */
	readonly ca: string;
	url(path: string, host?: string): string;
	/** The headers of the requests over HTTP/2. */
	readonly received: IncomingHttpHeaders[];
	readonly sessions: ReadonlySet<ServerHttp2Session>;
	/** Connections so far. */
	connections(): number;
	/** Breaks all connections off. */
	cut(): void;
	close(): Promise<void>;
}

export interface TlsServerOptions {
	/** Names in the certificate. Default `secure.test`. */
	readonly names?: readonly string[];
	/** Whether HTTP/2 is spoken. Default true. */
	readonly http2?: boolean;
	/** Whether the server also speaks HTTP/1.1. Default true. */
	readonly http1?: boolean;
	readonly notAfter?: Date;
	readonly handlers?: Readonly<Record<string, StreamHandler>>;
}

/** An HTTPS server that speaks HTTP/2 and HTTP/1.1, at 127.0.0.1 for every name. */
export async function startTlsServer(options: TlsServerOptions = {}): Promise<TlsServer> {
	const { names = ['secure.test'], handlers = {} } = options;
	const keys = await makeKeys(names, options.notAfter ?? new Date('2100-01-01'));
	const received: IncomingHttpHeaders[] = [];
	const sockets = new Set<Socket>();
	const sessions = new Set<ServerHttp2Session>();
	let connections = 0;
	const server =
		options.http2 === false
			? createHttpsServer(keys)
			: createSecureServer({ ...keys, allowHTTP1: options.http1 !== false, maxSendHeaderBlockLength: 1 << 20 });
	server.on('connection', (socket: Socket) => {
		connections++;
		sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
	});
	server.on('session', (session: ServerHttp2Session) => {
		sessions.add(session.on('close', () => sessions.delete(session)).on('error', () => {}));
	});
	server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
		const path = String(headers[':path']);
		received.push(headers);
		stream.on('error', () => {});
		const handler = handlers[path];
		if (handler !== undefined) return handler(stream);
		stream.respond({ ':status': 200, 'content-type': 'text/plain' });
		stream.end(`HTTP/2 ${path}`);
	});
	server.on('request', (request: IncomingMessage, response: ServerResponse) => {
		if (request.httpVersionMajor === 1) response.end(`HTTP/1.1 ${request.url}`);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		lookup: async () => [{ address: '127.0.0.1', family: 4 }],
		ca: keys.cert,
		url: (path, host = names[0]!) => `https://${host}:${port}${path}`,
		received,
		sessions,
		connections: () => connections,
		cut,
		async close() {
			for (const session of sessions) session.destroy();
			cut();
			await new Promise((done) => server.close(done));
		},
	};
}

async function makeKeys(names: readonly string[], notAfterDate: Date): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: names[0]! }], {
		keyType: 'ec',
		notBeforeDate: new Date('2020-01-01'),
		notAfterDate,
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
		],
	});
	return { key, cert };
}
