import { getDomain } from 'tldts';

/**
 * The registrable domain of a host name by the public suffix list with its private part: `a.b.example.co.uk`
 * belongs to `example.co.uk`, `me.github.io` to itself. Undefined for IP addresses and for public suffixes.
 */
export function registrableDomain(host: string): string | undefined {
	return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? undefined;
}
