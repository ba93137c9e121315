import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardProxyOptions {
	/** `USER:PASSWORD` that it asks for. */
	readonly login?: string;
	/** Status of its response to CONNECT. Default 200. */
	readonly connectStatus?: number;
	/** The ports for `host:port`; others get 502. Default: the requested port. */
	readonly ports?: Readonly<Record<string, number>>;
}

/** A forward proxy that sends every host to 127.0.0.1, at the port that was asked for. */
export interface ForwardProxy {
	readonly url: string;
	readonly port: number;
	/** `GET http://…` or `CONNECT host:port`, in the order received. */
	readonly log: string[];
	/** The fields of the requests that it was to pass on. */
	readonly received: IncomingHttpHeaders[];
	close(): Promise<void>;
}

export async function startForwardProxy({
	login,
	connectStatus = 200,
	ports,
}: ForwardProxyOptions = {}): Promise<ForwardProxy> {
	const log: string[] = [];
	const received: IncomingHttpHeaders[] = [];
	const sockets = new Set<Socket>();
	const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
	const refused = ({ 'proxy-authorization': given }: IncomingHttpHeaders) => wanted !== undefined && given !== wanted;
	const server = createServer((request, response) => {
		log.push(`${request.method} ${request.url}`);
		received.push(request.headers);
		if (refused(request.headers)) return void response.writeHead(407, { 'Proxy-Authenticate': 'Basic' }).end('login');
		const { port, pathname, search } = new URL(request.url ?? '');
		const { 'proxy-authorization': _, ...headers } = request.headers;
		const path = pathname + search;
		const onward = sendRequest({ host: '127.0.0.1', port, path, method: request.method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		onward.on('error', () => response.writeHead(502).end());
		request.pipe(onward);
	});
	server.on('connection', (socket: Socket) => {
		sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => {}));
	});
	server.on('connect', (request, socket) => {
		log.push(`CONNECT ${request.url}`);
		received.push(request.headers);
		if (refused(request.headers)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
		if (connectStatus !== 200) return void socket.end(`HTTP/1.1 ${connectStatus} No\r\n\r\n`);
		const port = ports === undefined ? Number(request.url?.split(':').at(-1)) : ports[request.url ?? ''];
		if (port === undefined) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		const onward = connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connected\r\n\r\n');
			onward.pipe(socket).pipe(onward);
		});
		sockets.add(onward.on('close', () => sockets.delete(onward)));
		for (const each of [onward, socket]) each.on('error', () => each.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		log,
		received,
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((done) => server.close(done));
		},
	};
}
