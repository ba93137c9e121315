import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { DatabaseError } from './error.ts';
import { fromConnect } from './postgres-error.ts';
import { type PostgresServers, postgresName } from './postgres-servers.ts';

/** Milliseconds. A connection to a server that is there takes a few; the rest is for a pool that is busy. */
const connectTimeout = 30_000;
/** The same where another server could be tried: one whose machine is gone does not answer at all. */
const connectTimeoutOfSeveral = 8000;
/** Milliseconds between two looks at the other servers, and for which each of them may take to reply. */
const watchInterval = 4000;
const probeTimeout = 2000;

/** Facts about a server, once per connection. */
export interface Introduction {
	/** Major version. */
	readonly version: number;
	readonly encoding: string;
}

interface Row {
	readonly number: number;
	readonly encoding: string;
	readonly pid: number;
	readonly readonly: boolean;
	/** Hexadecimal; null on a standby. */
	readonly timeline: string | null;
}

/** The history of a server: each promotion of a standby begins the next timeline. A standby has none of its own. */
const timeline = `case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end`;

const question = `select current_setting('server_version_num')::int as number,
	current_setting('server_encoding') as encoding, pg_backend_pid() as pid,
	current_setting('transaction_read_only') = 'on' as readonly`;

interface Server {
	readonly url: string;
	readonly name: string;
	readonly pool: pg.Pool;
	readonly sockets: Set<Socket>;
}

/**
 * The servers of one database: a primary and its standbys. Connections go to the server that takes writes. While it is
 * used, the others are watched: when one was promoted, all connections to the old primary end, which may still be alive.
 */
export class PostgresCluster {
	readonly #servers: readonly Server[];
	readonly #writable: boolean;
	readonly #name: string;
	/** Connections with a pooler between, which has process ids of its own. */
	readonly #pooled = new WeakSet<pg.PoolClient>();
	readonly #known = new WeakSet<pg.PoolClient>();
	#current = 0;
	/** The latest timeline that any server was seen to write. */
	#timeline = '';
	#watch: NodeJS.Timeout | undefined;

	/** @param name of the database in messages: no password */
	constructor({ urls, writable }: PostgresServers, name: string, config: pg.PoolConfig) {
		this.#writable = writable;
		this.#name = name;
		const connectionTimeoutMillis = urls.length > 1 ? connectTimeoutOfSeveral : connectTimeout;
		this.#servers = urls.map((url) => openServer(url, { ...config, connectionTimeoutMillis }));
	}

	/** @throws DatabaseError where no server will do */
	async connect(check: (introduction: Introduction) => void): Promise<pg.PoolClient> {
		const errors: DatabaseError[] = [];
		for (let tried = 0; tried < this.#servers.length; tried++) {
			const at = this.#current;
			const server = this.#servers[at];
			if (server === undefined) break;
			try {
				const client = await this.#connectTo(server, check);
				this.#startWatch();
				return client;
			} catch (error) {
				errors.push(fromConnect(error, server.name));
				// Another connection may have gone on meanwhile.
				if (this.#current === at) this.#current = (at + 1) % this.#servers.length;
			}
		}
		throw this.#noneOf(errors);
	}

	isPooled(client: pg.PoolClient): boolean {
		return this.#pooled.has(client);
	}

	async end(): Promise<void> {
		clearInterval(this.#watch);
		await Promise.all(this.#servers.map(({ pool }) => pool.end()));
	}

	async #connectTo({ pool, name }: Server, check: (introduction: Introduction) => void): Promise<pg.PoolClient> {
		const client = await pool.connect();
		if (this.#known.has(client)) return client;
		try {
			const several = this.#servers.length > 1;
			const text = `${question}, ${several ? timeline : 'null'} as timeline`;
			const { rows } = await client.query<Row>(text);
			const [row] = rows;
			if (row === undefined) throw new Error('the server gave no reply');
			check({ version: Math.floor(row.number / 10_000), encoding: row.encoding });
			if (this.#writable && row.readonly) throw new DatabaseError('cannot-connect', `${name} is read-only: a standby`);
			if (row.timeline !== null) this.#seeTimeline(row.timeline, name);
			if (row.pid !== (client as { processID?: number | null }).processID) this.#pooled.add(client);
			this.#known.add(client);
			return client;
		} catch (error) {
			client.release(true);
			throw error;
		}
	}

	/** @throws DatabaseError for a primary whose standby has taken its place */
	#seeTimeline(seen: string, name: string): void {
		if (seen < this.#timeline) throw new DatabaseError('cannot-connect', `${name} is an old primary, since replaced`);
		this.#timeline = seen;
	}

	#noneOf(errors: readonly DatabaseError[]): DatabaseError {
		const [first] = errors;
		if (first === undefined) return new DatabaseError('cannot-connect', `${this.#name} has no server`);
		if (errors.length === 1) return first;
		// A mistake to correct is of more use than a server that is away.
		const mistake = errors.find(({ code }) => code !== 'cannot-connect');
		if (mistake !== undefined && errors.every(({ code }) => code === mistake.code)) return mistake;
		const said = errors.map(({ message }) => message).join('; ');
		return new DatabaseError('cannot-connect', `no server of ${this.#name} takes writes: ${said}`, { cause: first });
	}

	#startWatch(): void {
		if (this.#watch !== undefined || this.#servers.length === 1 || !this.#writable) return;
		let looking = false;
		this.#watch = setInterval(async () => {
			if (looking) return;
			looking = true;
			await this.#checkOthers().finally(() => {
				looking = false;
			});
		}, watchInterval);
		this.#watch.unref();
	}

	/** Leaves a primary that was replaced by another server, whether it is alive or its machine is gone. */
	async #checkOthers(): Promise<void> {
		const current = this.#servers[this.#current];
		for (const [at, server] of this.#servers.entries()) {
			if (server === current) continue;
			const seen = await probe(server.url);
			if (seen === undefined || seen <= this.#timeline || this.#servers[this.#current] !== current) continue;
			this.#timeline = seen;
			this.#current = at;
			for (const socket of current?.sockets ?? []) socket.destroy();
			return;
		}
	}
}

function openServer(url: string, config: pg.PoolConfig): Server {
	const sockets = new Set<Socket>();
	const stream = (): Duplex => {
		const socket = new Socket();
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
		return socket;
	};
	const pool = new pg.Pool({ ...config, connectionString: url, stream });
	// The pool drops an idle connection that breaks; the next query reports the failure.
	pool.on('error', () => {});
	// One that breaks while in use must not end the process, not even before its first statement: the next fails.
	pool.on('connect', (client) => client.on('error', () => {}));
	return { url, name: postgresName(url) ?? 'the server', pool, sockets };
}

/** The timeline that a server writes; undefined for a standby, and for one that cannot be reached. */
async function probe(url: string): Promise<string | undefined> {
	const client = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: probeTimeout,
		query_timeout: probeTimeout,
		application_name: 'wayleave',
	});
	client.on('error', () => {});
	try {
		await client.connect();
		const { rows } = await client.query<{ timeline: string | null }>(`select ${timeline} as timeline`);
		return rows[0]?.timeline ?? undefined;
	} catch {
		return undefined;
	} finally {
		await client.end().catch(() => {});
	}
}
