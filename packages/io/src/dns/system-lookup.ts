import { lookup as getaddrinfo } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLocalhost } from './loopback.ts';
import { createResolver, type Resolution, type Resolver } from './resolver.ts';
import type { Lookup, ResolvedAddress } from './types.ts';

const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

export interface SystemLookupOptions {
	readonly resolver?: Pick<Resolver, 'resolve4' | 'resolve6'>;
	/** The text of a hosts file. Default: that of the system, as it is now. */
	readonly hosts?: string;
	/** Asked for names that the DNS does not know. Default: the system's `getaddrinfo`. */
	readonly fallback?: Lookup;
}

/**
 * Name resolution for many hosts at once. `getaddrinfo` occupies one of Node's four threads for as long as a name
 * server keeps it waiting, and with four dead domains nothing else gets done, decompression included. So the DNS is
 * asked without threads, after the hosts file, and `getaddrinfo` only for what it alone may know (single labels, other
 * name services); never after a time-out.
 *
 * Fails with the code `ENOTFOUND` where the name does not exist.
 */
export function createSystemLookup(options: SystemLookupOptions = {}): Lookup {
	const resolver = options.resolver ?? createResolver();
	const hosts = parseHosts(options.hosts ?? readHosts());
	const fallback = options.fallback ?? systemLookup;
	return async (hostname) => {
		const name = hostname.toLowerCase();
		const listed = hosts.get(name);
		if (listed !== undefined) return listed;
		if (isLocalhost(name)) return loopback;
		if (!name.includes('.') || name.endsWith('.local')) return fallback(hostname);
		const answers = await Promise.all([resolver.resolve4(name), resolver.resolve6(name)]);
		const found = [...addresses(answers[0], 4), ...addresses(answers[1], 6)];
		if (found.length > 0) return found;
		const late = answers.find((answer) => !answer.ok && answer.reason === 'timeout');
		if (late !== undefined)
			throw Object.assign(new Error(`no DNS response for ${hostname} in time`), { code: 'ETIMEOUT' });
		return fallback(hostname);
	};
}

/** RFC 6761 §6.3: what `localhost` and the names below it are, without asking; not every system knows it. */
const loopback: ResolvedAddress[] = [
	{ address: '127.0.0.1', family: 4 },
	{ address: '::1', family: 6 },
];

function addresses(answer: Resolution<string>, family: 4 | 6): ResolvedAddress[] {
	return answer.ok ? answer.records.map((address) => ({ address, family })) : [];
}

const systemLookup: Lookup = async (hostname) =>
	(await getaddrinfo(hostname, { all: true, verbatim: true })) as ResolvedAddress[];

function readHosts(): string {
	try {
		return readFileSync(hostsFile, 'latin1');
	} catch {
		return ''; // a system without one has nothing to say
	}
}

/** Lines of an address and the names it has; `#` begins a comment. */
function parseHosts(text: string): Map<string, ResolvedAddress[]> {
	const hosts = new Map<string, ResolvedAddress[]>();
	for (const line of text.split(/\r?\n/)) {
		const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
		const family = isIP(address);
		if (family !== 4 && family !== 6) continue;
		for (const each of names) {
			const name = each.toLowerCase();
			hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
		}
	}
	return hosts;
}
