import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Host names that a listener accepts, in addition to those of loopback and the local address of the connection. */
export interface GuardOptions {
	/** `http(s)` URL under which clients reach the listener. */
	readonly publicUrl?: string | undefined;
	/** Further names, `NAME` or `NAME:PORT` (`--allow-host`). */
	readonly allowHosts?: readonly string[] | undefined;
}

/** The reason for a refusal. */
export interface GuardRefusal {
	readonly status: 421 | 403;
	readonly code: 'host-unknown' | 'origin-foreign';
	/** How to fix it. */
	readonly sentence: string;
}

export interface Guard {
	/** For a listener without keys: checks the host, the origin and the site that a request names. */
	check(request: IncomingMessage): GuardRefusal | undefined;
	/** For routes that require a key: checks the origin and the site only. */
	checkOrigin(request: Pick<IncomingMessage, 'headers' | 'socket'>): GuardRefusal | undefined;
}

const unknownHost: GuardRefusal = {
	status: 421,
	code: 'host-unknown',
	sentence: 'call this server by localhost or its address, with its port, or start it with --allow-host NAME',
};
const foreignOrigin: GuardRefusal = {
	status: 403,
	code: 'origin-foreign',
	sentence:
		'this request comes from a page of another site: open the address yourself, or allow that site with --allow-host NAME',
};

/**
 * Keeps web pages away from a listener that requires no key. A page of any site can send requests to loopback, and can
 * point a name of its own there to read the responses (DNS rebinding): `Host`, `Origin` or `Sec-Fetch-Site` reveal
 * this. Names are compared as sent, so that no second spelling of an address gets in.
 */
export function createGuard({ publicUrl, allowHosts = [] }: GuardOptions = {}): Guard {
	const named = new Set(allowHosts.map((name) => name.toLowerCase()));
	if (publicUrl !== undefined) named.add(new URL(publicUrl).host);
	const perAddress = new Map<string, ReadonlySet<string>>();

	/** The names with the port of the connection; without it if that is the default port of a scheme. */
	function hostsAt({ localAddress = '', localPort = 0 }: IncomingMessage['socket']): ReadonlySet<string> {
		const key = `${localAddress} ${localPort}`;
		const known = perAddress.get(key);
		if (known !== undefined) return known;
		const arrival = bracketed(localAddress.replace(/^::ffff:/i, '').replace(/%.*$/, ''));
		const own = ['localhost', '127.0.0.1', '[::1]', arrival].flatMap((name) =>
			localPort === 80 ? [name, `${name}:80`] : [`${name}:${localPort}`],
		);
		const others = [...named].flatMap((name) =>
			/:\d+$/.test(name) ? [name] : [name, `${name}:80`, `${name}:443`, `${name}:${localPort}`],
		);
		const all = new Set([...own, ...others]);
		// A machine has few addresses, but link-local ones come and go.
		if (perAddress.size >= maxAddresses) perAddress.clear();
		perAddress.set(key, all);
		return all;
	}

	function checkOrigin({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): GuardRefusal | undefined {
		const { origin, 'sec-fetch-site': site } = headers;
		if (site !== undefined && site !== 'same-origin' && site !== 'none') return foreignOrigin;
		if (origin === undefined) return undefined;
		const [, scheme, host = ''] = /^(https?):\/\/([^/?#@\\\s]+)$/i.exec(origin) ?? [];
		if (scheme === undefined) return foreignOrigin;
		return hostsAt(socket).has(host.toLowerCase()) ? undefined : foreignOrigin;
	}

	function check(request: IncomingMessage): GuardRefusal | undefined {
		const asked = hostsOf(request);
		const known = hostsAt(request.socket);
		if (asked.length === 0 || !asked.every((host) => known.has(host.toLowerCase()))) return unknownHost;
		return checkOrigin(request);
	}

	return { check, checkOrigin };
}

const maxAddresses = 100;

/**
 * All values that name the host of a request: each `Host` field, and the authority of an absolute target (RFC 9112
 * §3.2.2).
 */
function hostsOf({ rawHeaders, url = '' }: IncomingMessage): string[] {
	const hosts: string[] = [];
	for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
		const name = rawHeaders[at] ?? '';
		if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[at + 1] ?? '');
	}
	if (hosts.length > 1) return [];
	if (url.startsWith('/') || url === '*') return hosts;
	return [...hosts, /^http:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''];
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** A request listener behind a guard. @param refuse sends the refusal; default: as plain text */
export function guarded(
	guard: Pick<Guard, 'check'>,
	listener: RequestListener,
	refuse: (response: ServerResponse, refusal: GuardRefusal) => void = refuseInText,
): RequestListener {
	return (request, response) => {
		const refusal = guard.check(request);
		if (refusal === undefined) return listener(request, response);
		// Its body is not read.
		response.setHeader('connection', 'close');
		refuse(response, refusal);
	};
}

function refuseInText(response: ServerResponse, { status, sentence }: GuardRefusal): void {
	response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}
