import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** When a connection dies: before the server has heard of a statement, or after it has done it and before it is told. */
export type Death = 'before' | 'after';

/** Stands between a program and PostgreSQL, and lets connections die at a certain statement. */
export interface PostgresProxy {
	/** The database behind the proxy. */
	readonly url: string;
	/** Statements so far, of all connections; `begin` and `commit` are statements too. */
	readonly statements: number;
	/** Connections that have died at one. */
	readonly deaths: number;
	/** The connection that brings the `at`th statement dies. Once; with `forever` all that come later die as well. */
	die(at: number, death: Death, forever?: boolean): void;
	/** No further connection dies. */
	heal(): void;
	close(): Promise<void>;
}

/** @param url of the database itself */
export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
	const target = new URL(url);
	const sockets = new Set<Socket>();
	let statements = 0;
	let deaths = 0;
	let plan: { at: number; death: Death; forever: boolean } | undefined;
	const fate = (): Death | undefined => {
		statements++;
		if (plan === undefined || statements < plan.at) return undefined;
		const { death, forever } = plan;
		if (!forever) plan = undefined;
		deaths++;
		return death;
	};
	const server = createServer((client) => {
		const database = connect(Number(target.port), target.hostname);
		const kill = () => {
			client.destroy();
			database.destroy();
		};
		for (const socket of [client, database]) {
			sockets.add(socket);
			// Messages go on one by one; they must not wait for each other's acknowledgements.
			socket.setNoDelay();
			socket.on('error', kill);
			socket.on('close', () => {
				sockets.delete(socket);
				kill();
			});
		}
		let doomed = false;
		const asked = messages(false, (type, message) => {
			const death = isStatement(type) ? fate() : undefined;
			if (death === 'before') return kill();
			if (death === 'after') doomed = true;
			database.write(message);
		});
		const answered = messages(true, (type, message) => {
			if (!doomed) client.write(message);
			else if (type === readyForQuery) kill();
		});
		client.on('data', asked);
		database.on('data', answered);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const own = new URL(url);
	own.port = String((server.address() as AddressInfo).port);
	return {
		url: own.href,
		get statements() {
			return statements;
		},
		get deaths() {
			return deaths;
		},
		die(at, death, forever = false) {
			plan = { at, death, forever };
		},
		heal() {
			plan = undefined;
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

/** Types of messages: PostgreSQL documentation, chapter 54.7. */
const sync = 'S'.charCodeAt(0);
const simpleQuery = 'Q'.charCodeAt(0);
const readyForQuery = 'Z'.charCodeAt(0);

const isStatement = (type: number): boolean => type === sync || type === simpleQuery;

/** Cuts a stream into messages: a type and a length that counts itself; the first one of a client has no type. */
function messages(typed: boolean, take: (type: number, message: Buffer) => void): (data: Buffer) => void {
	let rest = Buffer.alloc(0);
	let hasType = typed;
	return (data) => {
		rest = Buffer.concat([rest, data]);
		for (;;) {
			const head = hasType ? 1 : 0;
			if (rest.length < head + 4) return;
			const length = head + rest.readUInt32BE(head);
			if (rest.length < length) return;
			const message = rest.subarray(0, length);
			rest = rest.subarray(length);
			take(hasType ? message[0]! : 0, message);
			hasType = true;
		}
	};
}
