import { registrableDomain } from '@wayleave/io/dns';
import { type FetchSuccess, redirectTarget } from '@wayleave/io/http';
import { BoundedMap } from '../base/bounded-map.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import type { LoadContext } from './context.ts';
import type { LoadResource, Resource } from './types.ts';

const maxRedirects = 5;
/** Headers of the response that say something about the connection, the person or further requests. */
const kept = /^(?:content-type|access-control-.*|x-(?!frame-options).*|etag|last-modified|location)$/;

/**
 * Loads what pages ask for by themselves as the crawl loads everything: robots.txt is asked first, the host gives its
 * turn, private addresses are out of reach, and we say who we are. What scripts share between pages is loaded once.
 *
 * @param named host names that may be on a private network, since the user has named them
 * @param ownOrigins origins whose pages may use the credentials of the user
 */
export function createLoader(context: LoadContext, named: ReadonlySet<string>, ownOrigins: readonly string[] = []) {
	const own = new Set(ownOrigins);

	const memory = new ResourceMemory(() => context.clock.now());

	async function get(
		url: string,
		headers: Readonly<Record<string, string>>,
		signal: AbortSignal,
		anonymous: boolean,
	): Promise<FetchSuccess | undefined> {
		// Scripts of many sites are on few hosts, and another process may have one of those just now.
		const slot = await context.hosts.holdSoon(new URL(url).hostname);
		if (slot === undefined) return undefined;
		try {
			if (signal.aborted) return undefined;
			const permit = await context.policyChecker.check(url, slot, 'list');
			if (typeof permit === 'string' || !permit.permitted) return undefined;
			const response = await context.send(slot, url, { headers, signal, anonymous });
			return typeof response === 'string' || !response.ok ? undefined : response;
		} finally {
			await context.hosts.release(slot);
		}
	}

	/** The page of a stranger gets at no private network that the user has named for another purpose. */
	const isAllowed = (url: string, page: string): boolean => {
		const [host, own] = [new URL(url).hostname, new URL(page).hostname];
		return host === own || !named.has(host) || sameSite(host, own);
	};

	return (page: string): LoadResource =>
		async (asked, headers, signal) => {
			let url = normaliseUrl(asked);
			if (url === undefined) return undefined;
			// Scripts can be shared with single origins (CORS).
			// What opens the user's own sites is not for the pages of strangers to use.
			const anonymous = !own.has(new URL(page).origin);
			const key = `${anonymous ? '' : 'own '}${headers.origin ?? ''} ${url}`;
			const known = memory.get(key);
			if (known !== undefined) return known;
			for (let hop = 0; url !== undefined && hop <= maxRedirects; hop++) {
				if (!isAllowed(url, page)) return undefined;
				const response = await get(url, headers, signal, anonymous);
				if (response === undefined) return undefined;
				const target = redirectTarget(response);
				if (target === undefined) return memory.keep(key, asResource(response), response);
				url = target.ok ? normaliseUrl(target.url) : undefined;
			}
			return undefined;
		};
}

function sameSite(a: string, b: string): boolean {
	const domain = registrableDomain(a);
	return domain !== undefined && domain === registrableDomain(b);
}

function asResource({ status, headers, body }: FetchSuccess): Resource {
	const names = [...headers].map(([name]) => name.toLowerCase()).filter((name) => kept.test(name));
	return { status, body, headers: Object.fromEntries(names.map((name) => [name, headers.get(name) ?? ''])) };
}

const maxBytes = 64 << 20;
/** Milliseconds. */
const maxAge = 15 * 60_000;

/** Scripts that were loaded a moment ago: all pages of a site have the same, and nothing of it is on a disk. */
class ResourceMemory {
	readonly #now: () => number;
	/** Requesting origin and URL → resource. */
	readonly #known = new BoundedMap<{ readonly resource: Resource; readonly at: number }>(
		Number.POSITIVE_INFINITY,
		maxBytes,
	);

	constructor(now: () => number) {
		this.#now = now;
	}

	get(key: string): Resource | undefined {
		const known = this.#known.get(key);
		if (known !== undefined && this.#now() - known.at <= maxAge) return known.resource;
		this.#known.delete(key);
		return undefined;
	}

	/** Keeps a script, if its server has nothing against it. */
	keep(key: string, resource: Resource, { headers, status }: FetchSuccess): Resource {
		const isScript = /\b(?:java|ecma)script\b|application\/wasm/i.test(headers.get('content-type') ?? '');
		if (status !== 200 || !isScript || /no-store|private/i.test(headers.get('cache-control') ?? '')) return resource;
		this.#known.set(key, { resource, at: this.#now() }, resource.body.length);
		return resource;
	}
}
