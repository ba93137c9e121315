import { isPublicAddress } from '@wayleave/io';

/**
 * Which hosts may be on a private network: those that the user has named, and no others. One that is public when it is
 * first looked up stays so: whoever names a site of the web does not mean what its name may be made to point to later
 * (DNS rebinding).
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
