import { createResolver, type Resolver, registrableDomain } from '@wayleave/io/dns';
import { provesSomEndpoint, type SomOffer, somEndpointRelation, somProofPlaces } from '@wayleave/protocols/som';
import { BoundedMap } from '../base/bounded-map.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { EndpointContext } from './endpoint-context.ts';

/** A proof, or that there is none, is believed for so long. */
const proofLifetime = 60 * 60 * 1000;
const rememberedProofs = 2000;

/** Whether an endpoint may speak for a site. */
export type Trust = { readonly trusted: true } | { readonly trusted: false; readonly detail: string };

const trusted: Trust = { trusted: true };

/** Decides whether an offer may be taken up: whose endpoint it is, and what the robots.txt of its own origin says. */
export class EndpointTrust {
	readonly #resolver: Pick<Resolver, 'resolveTxt'>;
	readonly #proofs = new BoundedMap<{ proved: boolean; until: number }>(rememberedProofs);

	constructor(resolver: Pick<Resolver, 'resolveTxt'> = createResolver()) {
		this.#resolver = resolver;
	}

	/** @param slot of the host of the page */
	async judge(offer: SomOffer, url: string, slot: HostSlot, context: EndpointContext): Promise<Trust | NotScheduled> {
		const relation = somEndpointRelation(offer.endpoint, url, registrableDomain);
		if (relation === undefined) return { trusted: false, detail: 'the endpoint is not an http(s) URL' };
		// Being named in a robots.txt exempts from that very file.
		if (relation === 'same-origin' && offer.layers.target === 'robots') return trusted;
		if (relation === 'foreign' && !context.settings.som.allowForeign) {
			const proved = await this.#proves(offer.endpoint, url, slot, context);
			if (typeof proved === 'string') return proved;
			if (!proved)
				return {
					trusted: false,
					detail: `${new URL(offer.endpoint).host} has not proved that it may serve SOM for this site`,
				};
		}
		return this.#isPermitted(offer.url, slot, context);
	}

	/** The endpoint lies on an origin with rules of its own, or is named by a page only. */
	async #isPermitted(url: string, home: HostSlot, context: EndpointContext): Promise<Trust | NotScheduled> {
		const { hostname } = new URL(url);
		const slot = hostname === home.host.name ? home : await context.hosts.holdSoon(hostname);
		if (slot === undefined) return 'held';
		try {
			const permit = await context.policyChecker.check(url, slot);
			if (typeof permit === 'string') return permit;
			if (permit.permitted) return trusted;
			return {
				trusted: false,
				detail: `the policy of the endpoint's origin forbids it: ${permit.ending.reason ?? 'no'}`,
			};
		} finally {
			if (slot !== home) await context.hosts.release(slot);
		}
	}

	async #proves(
		endpoint: string,
		url: string,
		slot: HostSlot,
		context: EndpointContext,
	): Promise<boolean | NotScheduled> {
		const { host } = new URL(url);
		const key = `${host} ${endpoint}`;
		const known = this.#proofs.get(key);
		if (known !== undefined && known.until > context.clock.now()) return known.proved;
		const proved = await this.#lookUp(endpoint, url, slot, context);
		if (typeof proved === 'string') return proved;
		this.#proofs.set(key, { proved, until: context.clock.now() + proofLifetime });
		return proved;
	}

	/** Either place will do. */
	async #lookUp(
		endpoint: string,
		url: string,
		slot: HostSlot,
		context: EndpointContext,
	): Promise<boolean | NotScheduled> {
		const places = somProofPlaces(url);
		if (places === undefined) return false;
		const txt = await this.#resolver.resolveTxt(places.txt);
		if (txt.ok && provesSomEndpoint(txt.records, endpoint)) return true;
		const file = await context.files.load(places.file, slot);
		if (typeof file === 'string') return file;
		return file.status === 200 && provesSomEndpoint(new TextDecoder().decode(file.body), endpoint);
	}
}
