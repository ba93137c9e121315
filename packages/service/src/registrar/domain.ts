import { domainToASCII } from 'node:url';
import { registrableDomain } from '@wayleave/io/dns';

/** Faults of a text that should name a domain. */
export type DomainFault = 'not-a-name' | 'address' | 'public-suffix';

export const domainFaults = {
	'not-a-name': 'it is not a domain name such as example.com',
	address: 'an IP address is not a domain',
	'public-suffix': 'this is a public suffix, under which anyone can register domains',
} as const satisfies Record<DomainFault, string>;

/** Reads the name of a domain that can have an owner: lower-case, international names as `xn--`. */
export function readDomain(text: string): { readonly domain: string } | { readonly fault: DomainFault } {
	if (/[/?#@\\%]|\S\s+\S/.test(text)) return { fault: 'not-a-name' };
	const name = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
	if (/^[\d.]+$|^\[|:/.test(name)) return { fault: 'address' };
	// RFC 1035 §2.3.4: 63 characters a label, 253 in all; the last label starts with a letter.
	if (name.length > 253 || !/^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z][a-z0-9-]*$/.test(name))
		return { fault: 'not-a-name' };
	return registrableDomain(name) === undefined ? { fault: 'public-suffix' } : { domain: name };
}

/** Whether what stands at one host can speak for another: without a registrable domain only for itself. */
export function isSameOwner(host: string, other: string): boolean {
	const domain = registrableDomain(host);
	return host === other || (domain !== undefined && registrableDomain(other) === domain);
}
