import { channel } from 'node:diagnostics_channel';
import { LRUCache } from 'lru-cache';
import { createSystemLookup } from '../dns/system-lookup.ts';
import { type ConnectOptions, checkContact, connectFirst, resolveGuarded, secure } from './connect.ts';
import type { Connection, OutgoingRequest } from './connection.ts';
import { Deadline } from './deadline.ts';
import { describeError, FetchError } from './failure.ts';
import { HostSemaphore } from './host-semaphore.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http2Connection } from './http2-connection.ts';
import { type CredentialsFor, credentialsFor } from './own-site.ts';
import { Pool } from './pool.ts';
import type { ProxyServer } from './proxy.ts';
import { connectThrough, proxyFields, refuseAuthentication } from './proxy-connect.ts';
import { cutExchange, rawExchange } from './raw.ts';
import { Receiver } from './receiver.ts';
import { buildRequest, checkHeaders, checkUserAgent, parseTarget } from './request.ts';
import {
	type Fetcher,
	type FetcherOptions,
	type FetchResult,
	type FetchSuccess,
	type GetOptions,
	type Limits,
	type RequestMessage,
	requestChannel,
} from './types.ts';

/** Default limits of a fetch. */
export const defaultLimits: Limits = {
	dns: 10_000,
	connect: 15_000,
	headers: 30_000,
	bodyIdle: 20_000,
	slowBody: 10_000,
	total: 120_000,
	bodyBytes: 16 << 20,
	headerBytes: 64 << 10,
	keepAlive: 30_000,
};

const maxIdle = 256;
/** Milliseconds that the first HTTP/2 stream of a host may wait for its headers. */
const firstStream = 10_000;
const day = 86_400_000;
/** The most origins whose protocol is remembered. */
const maxOrigins = 1000;

/**
 * A client for a web that is not to be trusted: every wait, every buffer and every coding has a bound, connections are
 * made only to addresses that were checked, nothing is remembered of one answer for the next but the connection.
 *
 * ```ts
 * const fetcher = createFetcher({ userAgent: 'AIWebIndex/2.0 (+https://example.com/bot; ExampleBot)' });
 * const response = await fetcher.get('https://example.com/');
 * if (response.ok) console.log(response.status, response.body.length);
 * else console.log(response.reason, response.detail);
 * await fetcher.close();
 * ```
 */
export function createFetcher(options: FetcherOptions): Fetcher {
	checkUserAgent(options.userAgent);
	checkHeaders(options.headers);
	return new GuardedFetcher(options);
}

/** Every exchange of every fetcher, for tools that show them: `diagnostics_channel` messages of type RequestMessage. */
const requests = channel(requestChannel);

class GuardedFetcher implements Fetcher {
	readonly #options: FetcherOptions & ConnectOptions;
	readonly #limits: Limits;
	readonly #credentials: CredentialsFor | undefined;
	readonly #semaphore: HostSemaphore;
	readonly #pool: Pool;
	readonly #inFlight = new Set<Deadline>();
	/** Origins whose HTTP/2 does not work, with expiry; and those whose HTTP/2 does. */
	readonly #http1 = new LRUCache<string, number>({ max: maxOrigins });
	readonly #http2 = new LRUCache<string, 'works' | 'no-better'>({ max: maxOrigins });
	#closed = false;

	constructor(options: FetcherOptions) {
		const lookup = options.lookup ?? createSystemLookup();
		this.#options = { ...options, lookup, mapped: options.lookup !== undefined };
		this.#credentials = options.credentials && credentialsFor(options.credentials);
		this.#limits = { ...defaultLimits, ...options.limits };
		this.#semaphore = new HostSemaphore(options.connectionsPerHost ?? 6);
		this.#pool = new Pool({ keepAlive: this.#limits.keepAlive, maxIdle });
	}

	async get(url: string, options: GetOptions = {}): Promise<FetchResult> {
		if (this.#options.unreported === true || !requests.hasSubscribers) return this.#get(url, options);
		const startedAt = performance.now();
		const response = await this.#get(url, options);
		requests.publish({
			method: options.method ?? 'GET',
			url: response.url,
			milliseconds: performance.now() - startedAt,
			...(response.ok
				? { status: response.status, bytes: response.body.length }
				: { reason: response.reason, detail: response.detail }),
		} satisfies RequestMessage);
		return response;
	}

	async #get(url: string, options: GetOptions): Promise<FetchResult> {
		const deadline = new Deadline(options.signal);
		this.#inFlight.add(deadline);
		if (this.#closed) deadline.end(new FetchError('aborted', 'the fetcher is closed'));
		let shown = url;
		try {
			const target = parseTarget(url);
			shown = target.href;
			const request = buildRequest(target, this.#options, options, this.#credentials);
			checkContact(target, this.#options);
			return await this.#inTurn(request, options, deadline);
		} catch (error) {
			if (!(error instanceof FetchError)) throw error;
			return { ok: false, url: shown, reason: error.reason, detail: error.message, ...error.head };
		} finally {
			deadline.stop();
			this.#inFlight.delete(deadline);
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		for (const deadline of this.#inFlight) deadline.end(new FetchError('aborted', 'the fetcher was closed'));
		this.#pool.close();
	}

	async #inTurn(request: OutgoingRequest, options: GetOptions, deadline: Deadline): Promise<FetchSuccess> {
		const limits = { ...this.#limits, ...options.timeouts };
		const host = request.target.hostname;
		await this.#semaphore.enter(host, deadline);
		try {
			deadline.start(limits.total);
			return await this.#attempt(request, options, limits, deadline);
		} finally {
			this.#semaphore.leave(host);
		}
	}

	/**
	 * Retries a request over HTTP/1.1 that failed over HTTP/2 before any header, and remembers a host for which that
	 * works. HTTP_1_1_REQUIRED and 421 ask for just that (RFC 9113 §7, RFC 9110 §15.5.20).
	 */
	async #attempt(request: OutgoingRequest, options: GetOptions, limits: Limits, deadline: Deadline) {
		const { origin } = request.target;
		const isOld = (this.#http1.get(origin) ?? 0) > Date.now();
		if (isOld || this.#options.http2 === false || request.target.protocol !== 'https:' || request.method === 'POST')
			return this.#onConnection(request, options, limits, deadline, isOld);
		// The first stream of a host shows quickly whether its HTTP/2 works.
		const isKnown = this.#http2.has(origin);
		const trial = new Deadline(undefined);
		const forget = deadline.onEnd((error) => trial.end(error));
		try {
			const headers = isKnown ? limits.headers : Math.min(limits.headers, firstStream);
			const response = await this.#onConnection(request, options, { ...limits, headers }, trial, false);
			if (response.httpVersion === '2' && !isKnown) this.#http2.set(origin, 'works');
			if (response.status !== 421 || response.httpVersion !== '2') return response;
			return (await this.#overHttp1(request, options, limits, deadline)) ?? response;
		} catch (error) {
			const isOfHttp2 = error instanceof FetchError && error.overHttp2 && error.head === undefined;
			// If the page is slow over both protocols, the page is slow.
			const isSlow = isOfHttp2 && error.reason === 'headers-timeout' && this.#http2.get(origin) === 'no-better';
			const isTried = isOfHttp2 && !isSlow;
			const response = isTried ? await this.#overHttp1(request, options, limits, deadline) : undefined;
			if (response === undefined) throw error;
			return response;
		} finally {
			forget();
			trial.stop();
		}
	}

	/** Undefined if that fails too. */
	async #overHttp1(request: OutgoingRequest, options: GetOptions, limits: Limits, deadline: Deadline) {
		try {
			const response = await this.#onConnection(request, options, limits, deadline, true);
			this.#http1.set(request.target.origin, Date.now() + day);
			return response;
		} catch (error) {
			if (!(error instanceof FetchError) || error.reason === 'aborted') throw error;
			this.#http2.set(request.target.origin, 'no-better');
			return undefined;
		}
	}

	/**
	 * On a connection kept from before if there is one. Its server may have closed it in the meantime; what it has not
	 * begun to answer is then sent again, once, on a fresh one (RFC 9112 §9.3.1).
	 */
	async #onConnection(
		request: OutgoingRequest,
		options: GetOptions,
		limits: Limits,
		deadline: Deadline,
		onlyHttp1: boolean,
	): Promise<FetchSuccess> {
		const { origin } = request.target;
		const kept = onlyHttp1 ? this.#pool.takeOwn(origin) : this.#pool.take(origin);
		if (kept !== undefined) {
			try {
				return await this.#exchange(kept, request, options, limits, deadline);
			} catch (error) {
				const again = error instanceof FetchError && error.unanswered && request.method !== 'POST';
				if (!again) throw error;
			}
		}
		const fresh = await this.#connect(request.target, limits, deadline, onlyHttp1);
		return this.#exchange(fresh, request, options, limits, deadline);
	}

	async #connect(target: URL, limits: Limits, deadline: Deadline, onlyHttp1: boolean): Promise<Connection> {
		const proxy = this.#options.proxy?.(target);
		const connection = await (proxy === undefined
			? this.#connectDirectly(target, limits, deadline, onlyHttp1)
			: this.#connectByProxy(proxy, target, limits, deadline, onlyHttp1));
		this.#pool.add(target.origin, connection);
		return connection;
	}

	async #connectDirectly(target: URL, limits: Limits, deadline: Deadline, onlyHttp1: boolean): Promise<Connection> {
		deadline.phase('dns-failed', limits.dns);
		const addresses = await resolveGuarded(target, this.#options, deadline);
		deadline.phase('connect-timeout', limits.connect);
		const secured = target.protocol === 'https:';
		const socket = await connectFirst(addresses, Number(target.port) || (secured ? 443 : 80), deadline);
		return secured ? await this.#secured(socket, target, limits, deadline, { onlyHttp1 }) : new Http1Connection(socket);
	}

	async #connectByProxy(
		proxy: ProxyServer,
		target: URL,
		limits: Limits,
		deadline: Deadline,
		onlyHttp1: boolean,
	): Promise<Connection> {
		deadline.phase('connect-timeout', limits.dns + limits.connect);
		const socket = await connectThrough(proxy, target, this.#options, deadline);
		if (target.protocol === 'https:')
			return this.#secured(socket, target, limits, deadline, { onlyHttp1, via: 'tunnel' });
		return new Http1Connection(socket, proxyFields(proxy));
	}

	async #secured(
		socket: Parameters<typeof secure>[0],
		target: URL,
		limits: Limits,
		deadline: Deadline,
		{ onlyHttp1, via }: { readonly onlyHttp1: boolean; readonly via?: 'tunnel' },
	) {
		const tls = await secure(socket, target, onlyHttp1 ? { ...this.#options, http2: false } : this.#options, deadline);
		return tls.alpnProtocol === 'h2'
			? new Http2Connection(tls, target, limits.headerBytes, via !== undefined)
			: new Http1Connection(tls, via);
	}

	async #exchange(
		connection: Connection,
		request: OutgoingRequest,
		options: GetOptions,
		limits: Limits,
		deadline: Deadline,
	): Promise<FetchSuccess> {
		const maxBytes = options.maxBytes ?? limits.bodyBytes;
		const keepCoded = options.raw === true;
		const receiver = new Receiver({ maxBytes, onLimit: options.onLimit ?? 'fail', keepCoded });
		const exchanged = connection.exchange(request, receiver, deadline, limits);
		try {
			const arrived = exchanged.then(() => receiver.result);
			const received = await deadline.race(Promise.race([arrived, receiver.result]));
			// A body may be settled before its message is: cut at the limit, or followed by bytes that do not belong to it.
			if (receiver.complete) await exchanged;
			else deadline.end(new FetchError('aborted', 'the rest of the body is not needed'));
			const { status, headers, httpVersion, malformed } = receiver.arrived;
			if (status === 407) refuseAuthentication(this.#options.proxy?.(request.target), request.target);
			const { wireBytes } = receiver;
			const { address } = connection;
			return {
				ok: true,
				url: request.target.href,
				status,
				headers,
				...received,
				wireBytes,
				httpVersion,
				address,
				...(malformed !== undefined && { malformed }),
				...(options.raw && { raw: rawExchange(request, receiver, received.body) }),
			};
		} catch (error) {
			const failure = error instanceof FetchError ? error : new FetchError('bad-response', describeError(error));
			failure.overHttp2 = connection.shared;
			if (!failure.unanswered) deadline.end(failure);
			receiver.fail(failure);
			if (receiver.head !== undefined) {
				const { status, headers } = receiver.head;
				const cut = options.raw && { cut: cutExchange(request, receiver, failure.reason, connection.address) };
				failure.head = { status, headers, ...cut };
			}
			throw failure;
		} finally {
			this.#pool.release(request.target.origin, connection);
		}
	}
}
