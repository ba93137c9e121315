import type { Socket } from 'node:net';
import { createSystemLookup } from '../dns/system-lookup.ts';
import { bareHost, type ConnectOptions, connectFirst, requireIntroduction, resolve, secure } from './connect.ts';
import type { Deadline } from './deadline.ts';
import { FetchError } from './failure.ts';
import { looksPrivate, type ProxyServer, showProxy } from './proxy.ts';

/** More than any proxy says before the tunnel is open. */
const maxHead = 64 * 1024;

/** The name of a proxy is the operator's: no `lookup` of a caller, which maps names of sites, applies to it. */
const lookup = createSystemLookup();

/** Fields that a proxy gets with each request it passes on. */
export function proxyFields({ authorization }: ProxyServer): ReadonlyMap<string, string> {
	return new Map(authorization === undefined ? [] : [['proxy-authorization', authorization]]);
}

/**
 * A socket to the proxy: for https a tunnel to the site (RFC 9110 §9.3.6), for http the connection that takes requests
 * with a whole address. The proxy resolves the name, so a private host is recognised by name and literal address only.
 */
export async function connectThrough(
	proxy: ProxyServer,
	target: URL,
	options: ConnectOptions,
	deadline: Deadline,
): Promise<Socket> {
	if (looksPrivate(target) && options.allowPrivate?.(target.hostname, []) !== true)
		throw new FetchError('private-address', `${target.hostname} is private by its name or address`);
	requireIntroduction(target, options);
	const socket = await reach(proxy, deadline);
	if (target.protocol === 'https:') await openTunnel(socket, proxy, target, deadline);
	return socket;
}

async function reach(proxy: ProxyServer, deadline: Deadline): Promise<Socket> {
	const { url } = proxy;
	const secured = url.protocol === 'https:';
	try {
		const addresses = await resolve(url, lookup, deadline);
		if (addresses.length === 0) throw new FetchError('dns-not-found', 'its host name has no address');
		const socket = await connectFirst(addresses, Number(url.port) || (secured ? 443 : 80), deadline);
		return secured ? await secure(socket, url, { http2: false }, deadline) : socket;
	} catch (error) {
		if (!(error instanceof FetchError) || error.reason === 'aborted' || error.reason === 'total-timeout') throw error;
		throw new FetchError('proxy-failed', `the proxy ${showProxy(proxy)} ${whyUnreached(error)}`, { cause: error });
	}
}

function whyUnreached({ reason, message, cause }: FetchError): string {
	const { code } = (cause ?? {}) as NodeJS.ErrnoException;
	if (reason === 'dns-not-found') return 'has a host name that does not exist';
	if (reason === 'dns-failed') return 'has a host name that could not be looked up';
	if (reason === 'connect-timeout') return 'did not respond in time';
	if (reason === 'tls-failed') return `failed in the TLS handshake: ${message}`;
	return code === 'ECONNREFUSED' ? 'refused the connection' : `could not be reached: ${message}`;
}

async function openTunnel(socket: Socket, proxy: ProxyServer, target: URL, deadline: Deadline): Promise<void> {
	const authority = `${target.hostname}:${target.port || 443}`;
	const fields = [...proxyFields(proxy)].map(([name, value]) => `${name}: ${value}\r\n`).join('');
	socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${fields}\r\n`, 'latin1');
	const status = await readStatus(socket, proxy, deadline);
	if (status >= 200 && status < 300) return;
	socket.destroy();
	if (status === 407) refuseAuthentication(proxy, target);
	throw new FetchError(
		'proxy-failed',
		`the proxy ${showProxy(proxy)} responded with ${status} to CONNECT ${authority}`,
	);
}

/** The status of the response to CONNECT; nothing may follow its head before the client speaks. */
function readStatus(socket: Socket, proxy: ProxyServer, deadline: Deadline): Promise<number> {
	const broken = (why: string) => new FetchError('proxy-failed', `the proxy ${showProxy(proxy)} ${why}`);
	return new Promise((resolve, reject) => {
		let head = '';
		const conclude = (error?: FetchError, status = 0) => {
			forget();
			socket.off('data', onData).off('close', onClose);
			socket.pause();
			if (error === undefined) return resolve(status);
			socket.destroy();
			reject(error);
		};
		const onClose = () => conclude(broken('closed the connection before the tunnel was established'));
		const onData = (bytes: Buffer) => {
			head += bytes.toString('latin1');
			const end = head.indexOf('\r\n\r\n');
			if (end < 0 && head.length <= maxHead) return;
			const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head)?.[1]);
			if (!status) return conclude(broken('does not speak HTTP'));
			if (status < 300 && end + 4 !== head.length) return conclude(broken('sent data before the tunnel was used'));
			conclude(undefined, status);
		};
		const forget = deadline.onEnd((error) => conclude(error));
		socket.on('data', onData).on('close', onClose);
	});
}

/**
 * A site behind a proxy has no reason for 407: it is the proxy that asks.
 *
 * @throws FetchError `proxy-failed` where there is a proxy
 */
export function refuseAuthentication(proxy: ProxyServer | undefined, target: URL): void {
	if (proxy === undefined) return;
	const advice =
		proxy.authorization === undefined
			? 'requires a user name and password: put them in its URL, http://USER:PASSWORD@HOST:PORT'
			: 'rejected the user name and password in its URL';
	throw new FetchError('proxy-failed', `the proxy ${showProxy(proxy)} ${advice} (407, for ${bareHost(target)})`);
}
