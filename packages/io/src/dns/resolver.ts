import { Resolver as NodeResolver } from 'node:dns/promises';
import { reverseName } from './reverse.ts';

/** One look-up. `not-found`: the name does not exist; `no-data`: it does, without a record of this type. */
export type Resolution<Record> =
	| { readonly ok: true; readonly records: readonly Record[] }
	| {
			readonly ok: false;
			readonly reason: 'not-found' | 'no-data' | 'failed' | 'timeout';
			/** The code of the resolver, such as `ESERVFAIL`. */
			readonly detail: string;
	  };

export interface ResolverOptions {
	/** Addresses of DNS servers, with a port where it is not 53. Default: those of the system. */
	readonly servers?: readonly string[];
	/** How long one look-up may take, with all its tries; milliseconds. Default 5000. */
	readonly timeout?: number;
}

export interface Resolver {
	/** The strings of each TXT record joined, as RFC 7208 §3.3 and others read them. */
	resolveTxt(name: string): Promise<Resolution<string>>;
	/** The names of an address, from the DNS alone: no hosts file. */
	resolvePtr(address: string): Promise<Resolution<string>>;
	resolve4(name: string): Promise<Resolution<string>>;
	resolve6(name: string): Promise<Resolution<string>>;
}

/** A DNS client whose look-ups end in time and tell their failures apart. */
export function createResolver(options: ResolverOptions = {}): Resolver {
	const run = <Record>(query: (resolver: NodeResolver) => Promise<Record[]>) => lookUp(query, options);
	return {
		resolveTxt: (name) => run(async (resolver) => (await resolver.resolveTxt(name)).map((strings) => strings.join(''))),
		resolvePtr: (address) => run((resolver) => resolver.resolvePtr(reverseName(address))),
		resolve4: (name) => run((resolver) => resolver.resolve4(name)),
		resolve6: (name) => run((resolver) => resolver.resolve6(name)),
	};
}

async function lookUp<Record>(
	query: (resolver: NodeResolver) => Promise<Record[]>,
	{ servers, timeout = 5000 }: ResolverOptions,
): Promise<Resolution<Record>> {
	// c-ares multiplies its own time-out by tries and servers: the timer here is what counts. A resolver of its own
	// for each look-up, because `cancel` ends all that a resolver has under way.
	const resolver = new NodeResolver({ timeout: Math.max(1, Math.ceil(timeout / 2)), tries: 2 });
	if (servers !== undefined) resolver.setServers(servers);
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		resolver.cancel();
	}, timeout);
	try {
		return { ok: true, records: await query(resolver) };
	} catch (error) {
		const { code = String(error) } = error as NodeJS.ErrnoException;
		return { ok: false, reason: late ? 'timeout' : reasonFor(code), detail: code };
	} finally {
		clearTimeout(timer);
	}
}

function reasonFor(code: string): 'not-found' | 'no-data' | 'failed' | 'timeout' {
	switch (code) {
		case 'ENOTFOUND':
			return 'not-found';
		case 'ENODATA':
			return 'no-data';
		case 'ETIMEOUT':
			return 'timeout';
		default:
			return 'failed';
	}
}
