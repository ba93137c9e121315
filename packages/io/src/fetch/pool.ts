import type { Connection } from './connection.ts';

/** All connections of a fetcher: those in use, and those kept for the next request to their origin. */
export class Pool {
	readonly #keepAlive: number;
	readonly #maxIdle: number;
	readonly #all = new Set<Connection>();
	readonly #shared = new Map<string, Connection>();
	/** Oldest first. */
	readonly #idle = new Map<Connection, { origin: string; timer: NodeJS.Timeout }>();
	readonly #users = new Map<Connection, number>();

	constructor(options: { keepAlive: number; maxIdle: number }) {
		this.#keepAlive = options.keepAlive;
		this.#maxIdle = options.maxIdle;
	}

	/** A connection to this origin that is ready for an exchange. */
	take(origin: string): Connection | undefined {
		const shared = this.#shared.get(origin);
		if (shared?.open) return this.#use(shared);
		for (const [connection, idle] of [...this.#idle].reverse()) {
			if (idle.origin === origin && connection.open) return this.#use(connection);
		}
		return undefined;
	}

	/** A new connection, in use from now on. */
	add(origin: string, connection: Connection): void {
		this.#all.add(connection);
		connection.onClose = () => this.#forget(origin, connection);
		if (connection.shared && !this.#shared.get(origin)?.open) this.#shared.set(origin, connection);
		this.#use(connection);
	}

	/** The exchange is over. */
	release(origin: string, connection: Connection): void {
		const users = (this.#users.get(connection) ?? 1) - 1;
		this.#users.set(connection, users);
		if (users > 0) return;
		const limit = Math.min(this.#keepAlive, connection.idleLimit);
		const spare = connection.shared && this.#shared.get(origin) !== connection;
		if (!connection.open || limit <= 0 || spare) {
			connection.destroy();
			return;
		}
		connection.hold(false);
		const timer = setTimeout(() => connection.destroy(), limit).unref();
		this.#idle.set(connection, { origin, timer });
		if (this.#idle.size > this.#maxIdle) [...this.#idle.keys()][0]!.destroy();
	}

	close(): void {
		for (const connection of this.#all) connection.destroy();
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
		this.#all.delete(connection);
		if (this.#shared.get(origin) === connection) this.#shared.delete(origin);
	}
}
