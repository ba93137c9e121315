import { registrableDomain } from '@wayleave/io/dns';
import type { Ending, Reason } from '../model/outcome.ts';

export type ScopeKind = 'host' | 'domain' | 'prefix';

/** The URLs that a crawl follows. */
export interface Scope {
	/** Undefined when the URL is in scope. */
	check(url: string): Reason | undefined;
	/** Takes the place to which a seed was redirected into the scope; returns false when it is there already. */
	widen(url: string): boolean;
	/** How often it has been widened. */
	readonly version: number;
	/** Names the places, for comparison with the scope of another run. */
	readonly key: string;
}

/** The scope around the seeds, and around what their redirects have widened it by in earlier runs. */
export function createScope(kind: ScopeKind, seeds: readonly string[], scopeExpansions: readonly string[] = []): Scope {
	const places = new Set([...seeds, ...scopeExpansions].map(placeOf[kind]));
	const reason = outside[kind];
	let version = 0;
	return {
		key: `${kind} ${[...new Set(seeds.map(placeOf[kind]))].sort().join(' ')}`,
		check: (url) => (within[kind](url, places) ? undefined : reason),
		widen: (url) => {
			if (within[kind](url, places)) return false;
			places.add(placeOf[kind](url));
			version++;
			return true;
		},
		get version() {
			return version;
		},
	};
}

/** Whether a URL was left out because of the scope, and not for what it is. */
export const isOutside = ({ reason }: Partial<Ending>): boolean => outsideReasons.has(reason);

const outside = { host: 'other-host', domain: 'other-domain', prefix: 'outside-prefix' } as const;

const outsideReasons: ReadonlySet<Reason | undefined> = new Set(Object.values(outside));

const placeOf: Record<ScopeKind, (url: string) => string> = {
	// The port counts unless it is the usual one: http and https of a host are one place, two local servers are two.
	host: (url) => new URL(url).host,
	domain: (url) => {
		const { hostname } = new URL(url);
		return registrableDomain(hostname) ?? hostname;
	},
	prefix: (url) => {
		const { host, pathname } = new URL(url);
		return host + folderOf(pathname);
	},
};

/** `/docs/intro.html` stands for `/docs/`, but `/docs` for itself and what is below it. */
function folderOf(path: string): string {
	const last = path.slice(path.lastIndexOf('/') + 1);
	if (last === '') return path;
	return last.includes('.') ? path.slice(0, -last.length) : `${path}/`;
}

const within: Record<ScopeKind, (url: string, places: ReadonlySet<string>) => boolean> = {
	host: (url, places) => places.has(placeOf.host(url)),
	domain: (url, places) => places.has(placeOf.domain(url)),
	prefix: (url, places) => {
		const { host, pathname } = new URL(url);
		const path = `${host}${pathname}`;
		if (places.has(`${path}/`)) return true;
		// Every folder above the page: as many look-ups as the path is deep, however many places there are.
		for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
			if (places.has(path.slice(0, end + 1))) return true;
			if (end <= host.length) return false;
		}
		return false;
	},
};
