import { isPublicAddress } from '@wayleave/io/http';

/**
 * Hosts that may be on a private network: only those that the user named. One that is public when it is first looked up
 * stays so: a user who names a public site does not mean the private address that its name may point to later (DNS
 * rebinding).
 */
export function mayBePrivate(seeds: readonly string[]): (host: string, addresses: readonly string[]) => boolean {
	/** By host that was named: whether it is public; undefined until it is looked up. */
	const named = new Map<string, boolean | undefined>(seeds.map((url) => [new URL(url).hostname, undefined]));
	return (host, addresses) => {
		if (!named.has(host)) return false;
		const isPublic = named.get(host) ?? addresses.some(isPublicAddress);
		named.set(host, isPublic);
		return !isPublic;
	};
}
