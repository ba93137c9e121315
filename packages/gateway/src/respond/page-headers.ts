import { LRUCache } from 'lru-cache';
import type { Config } from '../config/schema.ts';
import type { Offered } from '../decide/offered.ts';
import type { Target } from '../request/target.ts';
import { pageHeaders } from '../terms/page-terms.ts';
import type { Signals } from '../terms/signals.ts';
import { somSettings } from '../terms/som-terms.ts';
import { pages } from './origin-pages.ts';

/** The head of a site's response, before headers about its use are added. */
export interface PageHead {
	readonly status: number;
	/** The value of `Content-Type`; undefined where the response has none. */
	readonly type: string | undefined;
}

/** Gives the headers that the gateway adds to a response of the site; what does not depend on the page is made once. */
export type PageHeaders = (
	target: Target | undefined,
	head: PageHead,
	method: string,
) => Readonly<Record<string, string>>;

/** Stands for the address of the page while the headers are made; no page has it. */
const somewhere = '/wayleave-placeholder';

/**
 * Headers of a response about its use, representations and variants: `pageHeaders` for many pages. A
 * representation is announced only where the endpoint has one: on HTML pages with status 200, for GET and HEAD, that the
 * policy opens to at least one kind of client.
 */
export function preparePageHeaders(config: Config, signals: Signals, manifest: boolean, offered: Offered): PageHeaders {
	const { origin } = config;
	const som = somSettings(config);
	const plain = pageHeaders({ signals, manifest }, origin + somewhere);
	if (som === undefined) return () => plain;
	// Where representations are negotiated, caches have to keep the variants apart.
	const announced = { ...pageHeaders({ signals, manifest, som }, origin + somewhere), vary: 'Accept' };
	const parts = announced.link.split(encodeURIComponent(origin + somewhere));
	const headersFor = (target: Target) =>
		offered(target) ? { ...announced, link: parts.join(encodeURIComponent(origin + target.raw)) } : plain;
	const known = new LRUCache<string, Readonly<Record<string, string>>>({ max: maxPages });
	return (target, { status, type }, method) => {
		if (target === undefined || status !== 200 || (method !== 'GET' && method !== 'HEAD')) return plain;
		if (type === undefined || !isPage(type)) return plain;
		const { raw, readings, ignoreCase } = target;
		// Other readings of the same address depend on the request, so only the plain one can be remembered.
		if (readings.length > 1 || readings[0] !== raw || ignoreCase || raw.length > maxAddress) return headersFor(target);
		const kept = known.get(raw);
		if (kept !== undefined) return kept;
		const headers = headersFor(target);
		// A copy: V8 would keep the whole request for a part of its text.
		known.set(Buffer.from(raw).toString(), headers);
		return headers;
	};
}

/** Pages whose headers are remembered, about a kilobyte each. */
const maxPages = 1000;
/** Characters of an address that is remembered. */
const maxAddress = 200;

let lastType = '';
let lastIsPage = false;

/** Most responses have the type of the response before, and comparing it is cheaper than matching it. */
function isPage(type: string): boolean {
	if (type !== lastType) {
		lastIsPage = pages.test(type);
		lastType = type;
	}
	return lastIsPage;
}
