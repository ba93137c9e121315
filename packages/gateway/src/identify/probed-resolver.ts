import type { Resolver } from '@wayleave/io/dns';

/** A name that exists as long as the DNS does: the first of the root servers (RFC 1035, IANA root hints). */
const surelyExists = 'a.root-servers.net';
/** Milliseconds for which it is believed that the resolver works, and that it does not. */
const goodFor = 3_600_000;
const badFor = 60_000;

/**
 * A resolver whose "no such name" is only believed while it knows a name that surely exists. In a closed network a
 * resolver may answer so to everything, and then every search engine would pass for an impostor.
 *
 * @param now milliseconds since 1970.
 */
export function createProbedResolver(resolver: Resolver, now: () => number = Date.now): Resolver {
	let known: { readonly works: Promise<boolean>; until: number } | undefined;
	const works = (): Promise<boolean> => {
		if (known !== undefined && known.until > now()) return known.works;
		const asked = resolver.resolve4(surelyExists).then(({ ok }) => ok);
		const probe = { works: asked, until: now() + badFor };
		known = probe;
		void asked.then((ok) => {
			if (ok) probe.until = now() + goodFor;
		});
		return asked;
	};
	return {
		...resolver,
		async resolvePtr(address) {
			const found = await resolver.resolvePtr(address);
			if (found.ok || (found.reason !== 'not-found' && found.reason !== 'no-data')) return found;
			if (await works()) return found;
			return { ok: false, reason: 'failed', detail: `the DNS does not resolve ${surelyExists} either` };
		},
	};
}
