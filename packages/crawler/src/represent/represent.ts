import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { present } from '@wayleave/protocols';
import type { CacheInfo } from '@wayleave/protocols/aidocument';
import { resolveSom, type SomDeclarations } from '@wayleave/protocols/som';
import { fromStore } from '../documents/emit-document.ts';
import { isFresh } from '../model/representation.ts';
import type { Permit } from '../policy/policy-checker.ts';
import type { NotScheduled } from '../politeness/host-slot.ts';
import { signalsOf } from '../response/policy-headers.ts';
import { fetchOffer } from './fetch-offer.ts';
import type { RepresentInput, RepresentResult } from './types.ts';

/**
 * Reads a page by the representation that its site offers, where there is one to be used: the only way to a page that
 * robots.txt forbids, and otherwise as the caller prefers.
 */
export async function represent(input: RepresentInput): Promise<RepresentResult | NotScheduled> {
	const { url, slot, permit, page, context } = input;
	if (!permit.permitted && permit.ending.reason !== 'robots-disallow') return {};
	const { prefer } = context.settings;
	if (permit.permitted && (prefer === 'html' || prefer === 'markdown')) return {};
	const robots = await context.policyChecker.som(url, slot);
	if (typeof robots === 'string') return robots;
	// A page's announcement overrides robots.txt: with `prefer: 'som'` the page comes first, unless a copy is fresh.
	if (permit.permitted && prefer === 'som' && page === undefined) return (await reuse(input)) ?? {};
	if (page === undefined) return take({ robots: robots ?? {} }, input);
	const { pageLayers } = await import('./page-layers.ts');
	const { declarations, meta } = pageLayers(page, url);
	return take({ ...declarations, robots: robots ?? {} }, { ...input, pageMeta: meta });
}

async function take(declarations: SomDeclarations, input: RepresentInput): Promise<RepresentResult | NotScheduled> {
	const { url, slot, permit, context } = input;
	const { hostname, protocol } = new URL(url);
	// On this machine no other party can listen in.
	const allowHttp = context.settings.som.allowHttp || (protocol === 'http:' && isLoopbackName(hostname));
	const { offer, refusal } = resolveSom(declarations, url, { pageDisallowed: !permit.permitted, allowHttp });
	if (refusal !== undefined) return { detail: `SOM: ${refusal}` };
	if (offer === undefined) return {};
	// A Disallow of robots.txt is lifted, and nothing else.
	const lifted = permit.permitted ? permit : await context.policyChecker.check(url, slot, 'som');
	if (typeof lifted === 'string') return lifted;
	if (!lifted.permitted) return { processed: { ending: lifted.ending, evidence: lifted.evidence } };
	const trust = await context.trust.judge(offer, url, slot, context);
	if (typeof trust === 'string') return trust;
	if (!trust.trusted) return { detail: `SOM: ${trust.detail}` };
	return (await reuse(input, lifted)) ?? (await fetchOffer(offer, lifted, input));
}

/** The stored copy, while it may be used without a request (SOM directives §4.2.4). */
async function reuse(
	{ url, permit, context }: RepresentInput,
	lifted: Permit = permit,
): Promise<RepresentResult | undefined> {
	if (!context.settings.reuse || !lifted.permitted) return undefined;
	const snapshot = await context.store.pages.snapshot(url);
	const { representation } = snapshot ?? {};
	if (snapshot === undefined || representation === undefined || !isFresh(representation, context.clock.now()))
		return undefined;
	const cache: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };
	const { page, document } = snapshot;
	// The terms may be others by now.
	const now = lifted.withPage(signalsOf(url, page, snapshot.terms ?? []));
	if (!now.permitted || now.store !== 'yes') return undefined;
	const emitted = present({
		document: fromStore(document, context, cache),
		policy: now.note,
		representation,
		page,
	});
	return { processed: { ending: { outcome: 'unchanged', reason: 'cached' }, emitted } };
}
