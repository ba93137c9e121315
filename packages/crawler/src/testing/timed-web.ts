import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestAnswer } from './web.ts';

/** A request as the server sees it, by the clock of the machine; milliseconds since 1970. */
export interface TimedRequest {
	readonly host: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly start: number;
	/** When the answer had gone out, or the asking process was no more. */
	end: number;
	/** Of the answer. */
	status?: number;
}

/** Sites on the loopback, on one port, whose log tells the time from the end of a request to the start of the next. */
export interface TimedWeb {
	readonly port: number;
	readonly log: readonly TimedRequest[];
	/** Nothing is answered from now on until `open()`. */
	hold(): void;
	open(): void;
	/** The shortest time between two requests to one of the hosts; milliseconds. */
	shortestGap(): number;
	close(): Promise<void>;
}

/** @param answer undefined is 404 */
export async function startTimedWeb(
	answer: (request: TimedRequest) => TestAnswer | undefined | Promise<TestAnswer | undefined>,
): Promise<TimedWeb> {
	const log: TimedRequest[] = [];
	let open = () => {};
	let opened: Promise<void> | undefined;
	const server = createServer(async (request, response) => {
		const host = (request.headers.host ?? '').replace(/:\d+$/, '');
		const { headers, url: path = '/' } = request;
		const entry: TimedRequest = { host, path, headers, start: Date.now(), end: Number.POSITIVE_INFINITY };
		log.push(entry);
		const end = () => {
			entry.end = Math.min(entry.end, Date.now());
		};
		response.once('close', end);
		await opened;
		const { status = 200, headers: sent = {}, body = '' } = (await answer(entry)) ?? { status: 404 };
		end();
		entry.status = status;
		response.writeHead(status, sent).end(body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		log,
		hold() {
			opened = new Promise<void>((resolve) => {
				open = resolve;
			});
		},
		open: () => open(),
		shortestGap() {
			const hosts = new Set(log.map(({ host }) => host));
			return Math.min(...[...hosts].map((name) => shortest(log.filter(({ host }) => host === name))));
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function shortest(requests: readonly TimedRequest[]): number {
	const sorted = requests.toSorted((a, b) => a.start - b.start);
	return Math.min(...sorted.slice(1).map(({ start }, at) => start - sorted[at]!.end));
}
