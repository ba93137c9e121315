import type { Config } from '../config/schema.ts';
import { pageHeaders } from '../terms/page-terms.ts';
import type { Signals } from '../terms/signals.ts';
import { somSettings } from '../terms/som-terms.ts';

/** Says the headers of any page of a site; what does not depend on the page is made once. */
export type PageHeaders = (target: string) => Readonly<Record<string, string>>;

/** Stands for the address of the page while the headers are made; no page has it. */
const somewhere = '/wayleave-placeholder';

/** What a response says about its use, its representations and its variants: `pageHeaders` for many pages. */
export function preparePageHeaders(config: Config, signals: Signals, manifest: boolean): PageHeaders {
	const { origin } = config;
	const som = somSettings(config);
	const general = pageHeaders({ signals, manifest, ...(som !== undefined && { som }) }, origin + somewhere);
	// Where representations are negotiated, caches have to keep the variants apart.
	const headers = som === undefined ? general : { ...general, vary: 'Accept' };
	const parts = headers.link?.split(encodeURIComponent(origin + somewhere)) ?? [];
	if (parts.length < 2) return () => headers;
	return (target) => ({ ...headers, link: parts.join(encodeURIComponent(origin + target)) });
}
