import { fullEndpoint } from './request.ts';
import { readHttpUrl } from './values.ts';

/** Tells the registrable domain of a host, private suffixes included; undefined for addresses and suffixes. */
export type RegistrableDomain = (host: string) => string | undefined;

/**
 * How an endpoint stands to the site that names it. `foreign`: it is used only with a proof, or when the operator
 * opts in. On `same-origin` the site's robots.txt names it and thereby exempts it; elsewhere the robots.txt
 * of the endpoint's own origin is asked too.
 */
export type SomEndpointRelation = 'same-origin' | 'same-domain' | 'foreign';

/** Undefined when either is not an http or https URL. */
export function somEndpointRelation(
	endpoint: string,
	siteUrl: string,
	registrableDomain: RegistrableDomain,
): SomEndpointRelation | undefined {
	const there = readHttpUrl(endpoint);
	const here = readHttpUrl(siteUrl);
	if (there === undefined || here === undefined) return undefined;
	if (there.origin === here.origin) return 'same-origin';
	const domain = registrableDomain(here.hostname);
	const isRelated =
		there.hostname === here.hostname || (domain !== undefined && registrableDomain(there.hostname) === domain);
	return isRelated ? 'same-domain' : 'foreign';
}

/** Places where a site can prove a foreign endpoint; one is enough. */
export function somProofPlaces(siteUrl: string): { readonly txt: string; readonly file: string } | undefined {
	const site = readHttpUrl(siteUrl);
	return (
		site && { txt: `_som-endpoint.${site.hostname}`, file: `https://${site.hostname}/.well-known/som-endpoint.txt` }
	);
}

/** The line that proves an endpoint, in the TXT record and in the file alike. Undefined for what is no URL. */
export function formatSomProof(endpoint: string): string | undefined {
	const url = readHttpUrl(endpoint);
	return url && `som-endpoint=${url.origin}`;
}

/**
 * Whether a proof names the endpoint. `lines` are the TXT records, the strings of each joined, or the lines of the file:
 * `som-endpoint=https://cache.example.net` stands for every endpoint of that origin, a URL with a path for this
 * endpoint alone. Other lines, such as comments, are passed over.
 */
export function provesSomEndpoint(lines: string | readonly string[], endpoint: string): boolean {
	const wanted = fullEndpoint(endpoint);
	const all = typeof lines === 'string' ? lines.split(/\r\n?|\n/) : lines;
	return all.some((line) => {
		const value = /^som-endpoint=(\S+)$/i.exec(line.replace(/^\ufeff/, '').trim())?.[1];
		const named = value === undefined ? undefined : readHttpUrl(value);
		if (wanted === undefined || named === undefined || named.origin !== wanted.origin) return false;
		return named.href === `${named.origin}/` || named.href === wanted.href;
	});
}
