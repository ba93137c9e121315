import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageChange } from '../model/page-change.ts';

export interface ReceivedNotice {
	readonly id: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
	readonly type: string;
	readonly data: PageChange;
	/** The status that it got. */
	readonly status: number;
}

/** A server that takes notices, on the loopback. */
export interface TestReceiver {
	readonly url: string;
	/** Every request, in order. */
	readonly received: readonly ReceivedNotice[];
	/** Those that got a 2xx, each id once. */
	readonly taken: readonly ReceivedNotice[];
	/** Status of the next responses. Default 204. */
	answer: (
		notice: Omit<ReceivedNotice, 'status'>,
	) => number | { readonly status: number; readonly headers?: Record<string, string> };
	/** Milliseconds before each response. */
	after: number;
	/** Called when a notice has come, and when it was answered. */
	onNotice: (answered: boolean) => void;
	close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<TestReceiver> {
	const received: ReceivedNotice[] = [];
	const server = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const body = Buffer.concat(pieces).toString();
		const { type, data } = JSON.parse(body) as { type: string; data: PageChange };
		const notice = { id: String(request.headers['webhook-id']), headers: request.headers, body, type, data };
		const given = receiver.answer(notice);
		const { status, headers = {} } = typeof given === 'number' ? { status: given } : given;
		const respond = () => {
			received.push({ ...notice, status });
			response.writeHead(status, headers).end(() => receiver.onNotice(true));
		};
		receiver.onNotice(false);
		if (receiver.after > 0) setTimeout(respond, receiver.after);
		else respond();
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const receiver: TestReceiver = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`,
		received,
		get taken() {
			const ids = new Map(received.filter(({ status }) => status < 300).map((notice) => [notice.id, notice]));
			return [...ids.values()];
		},
		answer: () => 204,
		after: 0,
		onNotice: () => {},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return receiver;
}
