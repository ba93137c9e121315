import type { Connection } from './connection.ts';

/** All connections of a fetcher: those in use, and those kept for the next request to their origin. */
export class Pool {
	readonly #keepAlive: number;
	readonly #maxIdle: number;
	/** Every connection, with the number of exchanges on it. */
	readonly #users = new Map<Connection, number>();
	readonly #shared = new Map<string, Connection>();
	/** Oldest first. */
	readonly #idle = new Map<Connection, { origin: string; timer: NodeJS.Timeout }>();

	constructor(options: { keepAlive: number; maxIdle: number }) {
		this.#keepAlive = options.keepAlive;
		this.#maxIdle = options.maxIdle;
	}

	/** A connection to this origin that is ready for an exchange. */
	take(origin: string): Connection | undefined {
		const shared = this.#shared.get(origin);
		if (shared?.open) return this.#use(shared);
		let newest: Connection | undefined;
		for (const [connection, idle] of this.#idle) {
			if (idle.origin === origin && connection.open) newest = connection;
		}
		return newest && this.#use(newest);
	}

	/** The same for HTTP/1.1, where no other exchange shares the connection. */
	takeOwn(origin: string): Connection | undefined {
		const own = [...this.#idle].findLast(([each, idle]) => idle.origin === origin && !each.shared && each.open);
		return own && this.#use(own[0]);
	}

	/** A new connection, in use from now on. */
	add(origin: string, connection: Connection): void {
		connection.onClose = () => this.#forget(origin, connection);
		if (connection.shared && !this.#shared.get(origin)?.open) this.#shared.set(origin, connection);
		this.#use(connection);
	}

	/** The exchange is over. */
	release(origin: string, connection: Connection): void {
		const users = this.#users.get(connection);
		if (users === undefined) return; // it closed in the meantime
		this.#users.set(connection, users - 1);
		if (users > 1) return;
		const limit = Math.min(this.#keepAlive, connection.idleLimit);
		const spare = connection.shared && this.#shared.get(origin) !== connection;
		if (!connection.open || limit <= 0 || spare) {
			connection.destroy();
			return;
		}
		connection.hold(false);
		const timer = setTimeout(() => connection.destroy(), limit).unref();
		this.#idle.set(connection, { origin, timer });
		const [oldest] = this.#idle.keys();
		if (this.#idle.size > this.#maxIdle) oldest?.destroy();
	}

	close(): void {
		for (const connection of this.#users.keys()) connection.destroy();
	}

	#use(connection: Connection): Connection {
		clearTimeout(this.#idle.get(connection)?.timer);
		this.#idle.delete(connection);
		this.#users.set(connection, (this.#users.get(connection) ?? 0) + 1);
		connection.hold(true);
		return connection;
	}

	#forget(origin: string, connection: Connection): void {
		clearTimeout(this.#idle.get(connection)?.timer);
		this.#idle.delete(connection);
		this.#users.delete(connection);
		if (this.#shared.get(origin) === connection) this.#shared.delete(origin);
	}
}
