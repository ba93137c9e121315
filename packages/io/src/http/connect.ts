import { isIP, connect as openSocket, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import { isLoopbackName } from '../dns/loopback.ts';
import type { Lookup, ResolvedAddress } from '../dns/types.ts';
import { isLoopbackAddress, isPublicAddress } from './address.ts';
import type { Deadline } from './deadline.ts';
import { describeError, FetchError } from './failure.ts';
import type { FetcherOptions } from './types.ts';

/** RFC 8305 §5: the next address is tried when the one before has not answered in this time; none is given up for it. */
const attemptDelay = 300;
const maxAttempts = 8;

export interface ConnectOptions extends Pick<FetcherOptions, 'allowPrivate' | 'http2' | 'ca' | 'unintroduced'> {
	readonly lookup: Lookup;
	/** Whether `lookup` is the caller's: then a name that does not look like it may still mean this machine. */
	readonly mapped: boolean;
}

/** Whether a host may be asked by a client that names no contact, as far as its name tells. */
function isIntroduced(target: URL, { unintroduced }: ConnectOptions): boolean {
	return unintroduced === undefined || unintroduced(target.hostname) || isLoopbackName(target.hostname);
}

/** @throws FetchError `no-contact`, before anything is looked up */
export function checkContact(target: URL, options: ConnectOptions): void {
	// A literal address needs no look-up, and what is private about it is said first.
	if (options.mapped || isIP(bareHost(target)) !== 0) return;
	requireIntroduction(target, options);
}

/** @throws FetchError `no-contact`, as far as the name tells */
export function requireIntroduction(target: URL, options: ConnectOptions): void {
	if (!isIntroduced(target, options)) throw noContact(target);
}

const noContact = ({ hostname }: URL) =>
	new FetchError(
		'no-contact',
		`${hostname} was not requested because the crawler has no contact: set one with --contact YOU@YOUR-DOMAIN, or identity.botUrl in code`,
	);

/** The host of a URL as names and addresses are written elsewhere: no brackets, no final dot. */
export function bareHost(target: URL): string {
	return target.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * The addresses of a host that may be connected to. Whatever connects uses these and looks nothing up again,
 * so that the address checked is the address reached.
 */
export async function resolveGuarded(
	target: URL,
	options: ConnectOptions,
	deadline: Deadline,
): Promise<ResolvedAddress[]> {
	const found = await resolve(target, options.lookup, deadline);
	if (found.length === 0) throw new FetchError('dns-not-found', `${target.hostname} has no address`);
	const addresses = found.map(({ address }) => address);
	const isAllowed = options.allowPrivate?.(target.hostname, addresses) === true;
	const usable = isAllowed ? found : found.filter(({ address }) => isPublicAddress(address));
	if (usable.length === 0)
		throw new FetchError('private-address', `${target.hostname} resolves to ${addresses.join(', ')}`);
	if (!isIntroduced(target, options) && !usable.every(({ address }) => isLoopbackAddress(address)))
		throw noContact(target);
	return usable;
}

export async function resolve(target: URL, lookup: Lookup, deadline: Deadline): Promise<ResolvedAddress[]> {
	const host = bareHost(target);
	const family = isIP(host);
	if (family === 4 || family === 6) return [{ address: host, family }];
	try {
		const found = await deadline.race(lookup(host));
		return found.filter(({ address }) => isIP(address) !== 0);
	} catch (error) {
		if (error instanceof FetchError) throw error;
		const { code } = error as NodeJS.ErrnoException;
		const missing = code === 'ENOTFOUND' || code === 'ENODATA';
		throw new FetchError(missing ? 'dns-not-found' : 'dns-failed', describeError(error), { cause: error });
	}
}

/** The first of the addresses that accepts a connection. */
export function connectFirst(addresses: readonly ResolvedAddress[], port: number, deadline: Deadline): Promise<Socket> {
	const order = alternateFamilies(addresses).slice(0, maxAttempts);
	const attempts = new Set<Socket>();
	let next = 0;
	let settled = false;
	let failure: unknown;
	return new Promise((resolve, reject) => {
		let timer: NodeJS.Timeout | undefined;
		const conclude = (winner?: Socket) => {
			settled = true;
			clearTimeout(timer);
			for (const socket of attempts) if (socket !== winner) socket.destroy();
		};
		const launch = () => {
			clearTimeout(timer);
			const candidate = order[next++];
			if (settled || candidate === undefined) {
				if (attempts.size === 0) reject(new FetchError('connect-failed', describeError(failure), { cause: failure }));
				return;
			}
			const socket = openSocket({ host: candidate.address, port, noDelay: true, keepAlive: true });
			attempts.add(socket);
			// Stays for good: TLS over this socket has listeners of its own.
			socket.on('error', (error) => {
				failure ??= error;
				if (attempts.delete(socket)) launch();
			});
			socket.once('connect', () => {
				conclude(socket);
				forget();
				resolve(socket);
			});
			timer = setTimeout(launch, attemptDelay);
		};
		const forget = deadline.onEnd((error) => {
			conclude();
			reject(error);
		});
		launch();
	});
}

/** RFC 8305 §4, first address family count 1: neither family keeps the other waiting. */
function alternateFamilies(addresses: readonly ResolvedAddress[]): ResolvedAddress[] {
	const first = addresses.filter(({ family }) => family === addresses[0]?.family);
	const second = addresses.filter(({ family }) => family !== addresses[0]?.family);
	const pairs = first.flatMap((address, index) => [address, ...second.slice(index, index + 1)]);
	return [...pairs, ...second.slice(first.length)];
}

/** TLS over a connected socket, with the certificate checked against the host of the URL. */
export function secure(
	socket: Socket,
	target: URL,
	options: Pick<ConnectOptions, 'http2' | 'ca'>,
	deadline: Deadline,
): Promise<TLSSocket> {
	const host = bareHost(target);
	const tls = openTls({
		socket,
		host,
		servername: isIP(host) === 0 ? host : '',
		ALPNProtocols: options.http2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
		...(options.ca === undefined ? {} : { ca: options.ca }),
	});
	return new Promise((resolve, reject) => {
		const forget = deadline.onEnd((error) => {
			tls.destroy();
			reject(error);
		});
		// Stays for good: whatever comes later, an error without a listener would end the process.
		tls.on('error', (error) => {
			forget();
			tls.destroy();
			reject(new FetchError('tls-failed', describeError(error), { cause: error }));
		});
		tls.once('secureConnect', () => {
			forget();
			resolve(tls);
		});
	});
}
