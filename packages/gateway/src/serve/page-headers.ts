import type { Config } from '../config/schema.ts';
import { pageHeaders } from '../terms/page-terms.ts';
import type { Signals } from '../terms/signals.ts';
import { somSettings } from '../terms/som-terms.ts';
import type { Offered } from './offered.ts';
import { pages } from './origin-pages.ts';
import type { Target } from './target.ts';

/** What is known of a response of the site when the headers about its use are added to it. */
export interface PageHead {
	readonly status: number;
	/** The value of `Content-Type`; undefined where the response has none. */
	readonly type: string | undefined;
	readonly method: string;
}

/** Gives the headers that the gateway adds to a response of the site; what does not depend on the page is made once. */
export type PageHeaders = (target: Target | undefined, head: PageHead) => Readonly<Record<string, string>>;

/** Stands for the address of the page while the headers are made; no page has it. */
const somewhere = '/wayleave-placeholder';

/**
 * What a response says about its use, its representations and its variants: `pageHeaders` for many pages. A
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
	return (target, head) => {
		if (target === undefined || !hasRepresentation(head) || !offered(target)) return plain;
		return { ...announced, link: parts.join(encodeURIComponent(origin + target.raw)) };
	};
}

function hasRepresentation({ status, type, method }: PageHead): boolean {
	return status === 200 && (method === 'GET' || method === 'HEAD') && type !== undefined && pages.test(type);
}
