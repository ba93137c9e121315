import type { Page } from '@wayleave/extract';
import type { FetchResult, FetchSuccess } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import type { CacheInfo } from '@wayleave/protocols/aidocument';
import type { MetaTag } from '@wayleave/protocols/policy';
import type { SomOffer } from '@wayleave/protocols/som';
import { rfc3339 } from '../base/time.ts';
import { emitDocument, forbidsFollowing, fromStore } from '../documents/emit-document.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Representation } from '../model/representation.ts';
import type { Permit, Permitted } from '../policy/policy-checker.ts';
import type { NotScheduled } from '../politeness/host-slot.ts';
import { type Terms, termsAfter304, termsOf } from '../response/policy-headers.ts';
import { conditionsOf, validatorsOf } from '../response/validators.ts';
import type { Snapshot } from '../store/roles/pages.ts';
import { meaningOf } from './classify-response.ts';
import { representationLifetime } from './lifetime.ts';
import type { RepresentInput, RepresentResult } from './types.ts';
import { verifyResponse } from './verify-signature.ts';

/** A larger document is not accepted as SOM (SOM directives §7). */
const maxOfferBytes = 10_000_000;

const accepts = {
	'SOM/1.0': 'application/som+json, application/json;q=0.9, */*;q=0.1',
	markdown: 'text/markdown, */*;q=0.1',
	'accessibility-tree': 'application/json, */*;q=0.1',
} as const;

/** Requests what is offered, and reads it. `lifted`: the permission for this representation of the page. */
export async function fetchOffer(
	offer: SomOffer,
	lifted: Permitted,
	input: RepresentInput,
): Promise<RepresentResult | NotScheduled> {
	const { url, permit, context } = input;
	const snapshot = await context.store.pages.snapshot(url);
	const last = context.conditional && snapshot?.representation?.url === offer.url ? snapshot : undefined;
	const conditions = conditionsOf(last?.representation);
	const response = await request(offer, conditions, lifted, input);
	if (typeof response === 'string') return response;
	const facts = { ...(response.status !== undefined && { status: response.status }) };
	const meaning = meaningOf(response, permit.permitted, Object.keys(conditions).length > 0);
	switch (meaning.means) {
		case 'unusable':
			return { detail: `SOM: ${meaning.detail}` };
		case 'final': {
			const evidence = permit.permitted ? {} : { evidence: permit.evidence };
			return { ...facts, processed: { ending: meaning.ending, ...evidence } };
		}
		case 'not-modified':
			if (last === undefined) return { detail: 'SOM: 304 in response to a request without conditions' };
			return { ...facts, bytes: 0, processed: revalidated(last, meaning.response, offer, lifted, input) };
		case 'content':
			return read(meaning.response, offer, lifted, input);
	}
}

async function request(
	offer: SomOffer,
	conditions: Readonly<Record<string, string>>,
	{ store }: Permitted,
	{ from, slot: home, context }: RepresentInput,
): Promise<FetchResult | NotScheduled> {
	const { hostname } = new URL(offer.url);
	const slot = hostname === home.host.name ? home : await context.hosts.holdSoon(hostname);
	if (slot === undefined) return 'held';
	try {
		const headers = { Accept: accepts[offer.format], ...conditions };
		const record = store === 'yes' ? from : undefined;
		return await context.send(slot, offer.url, { headers, maxBytes: maxOfferBytes, record });
	} finally {
		if (slot !== home) await context.hosts.release(slot);
	}
}

async function read(
	response: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	input: RepresentInput,
): Promise<RepresentResult | NotScheduled> {
	const { from, url, slot, context } = input;
	const verified = await verifyResponse(response, url, slot, context);
	if (typeof verified === 'string') return verified;
	if (verified.fault !== undefined) return { detail: `SOM: ${verified.fault}` };
	const { readRepresentation } = await import('./read-representation.ts');
	const now = context.clock.now();
	const reading = readRepresentation(response.body, {
		url,
		format: offer.format,
		contentType: response.headers.get('content-type'),
		fetched: {
			url,
			fetchedAt: rfc3339(now),
			freshnessPolicy: context.freshnessPolicy,
			cache: {
				status: context.freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss',
				origin_contacted: true,
				body_fetched: true,
			},
		},
	});
	if (reading.fault !== undefined) return { detail: `SOM: ${reading.fault}` };
	const { document, page, links, kind, tokens } = reading;
	context.onSource?.({ kind, url, body: response.body, contentType: response.headers.get('content-type') });
	const terms = termsOf(headersOf(response, input));
	const permit = withSignals(lifted, terms, page.robots, input);
	if (!permit.permitted) return { processed: { ending: permit.ending, evidence: permit.evidence } };
	const found = context.discovery.links(links, from, mayNotFollow(response, page, input));
	const representation: Representation = {
		kind,
		why: whyOf(input),
		bytes: response.body.length,
		tokens,
		url: offer.url,
		...(offer.layers.target && { layer: offer.layers.target }),
		scope: offer.scope,
		...present({ tokenBudget: offer.tokenBudget, tokenCount: offer.tokenCount, signedBy: verified.keyId }),
		...keepingOf(response, offer, now),
	};
	const emitted = { document, page, policy: permit.note, representation };
	// Validators of the representation are not those of the page: they stay with it.
	const processed = { ...emitDocument({ outcome: 'fetched' }, permit, emitted, {}, { fetchedAt: now, terms }), found };
	return { processed, status: response.status, bytes: response.body.length };
}

function revalidated(
	{ document, page, representation, fetchedAt, terms: before }: Snapshot,
	response: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	input: RepresentInput,
): ProcessedResponse {
	const { context } = input;
	const terms = termsAfter304(headersOf(response, input), before);
	const permit = withSignals(lifted, terms, page?.robots, input);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const cache: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };
	const emitted = {
		document: fromStore(document, context, cache),
		policy: permit.note,
		...(representation && {
			representation: { ...representation, ...keepingOf(response, offer, context.clock.now()) },
		}),
		...(page && { page }),
	};
	return emitDocument({ outcome: 'unchanged', reason: 'not-modified' }, permit, emitted, {}, { fetchedAt, terms });
}

/** The terms of the site together with what the response, and the page where it was seen, say about themselves. */
function withSignals(
	permit: Permitted,
	headers: Terms,
	meta: readonly MetaTag[] = [],
	{ url, pageMeta = [] }: RepresentInput,
): Permit {
	return permit.withPage({ source: url, headers, meta: [...pageMeta, ...meta] });
}

const headersOf = ({ headers }: FetchSuccess, { page }: RepresentInput) => [...(page?.headers ?? []), ...headers];

/** Whether the response, or the page where it was seen, asks that links are not followed. */
function mayNotFollow(
	response: FetchSuccess,
	page: Page,
	{ page: seen, pageMeta = [], context }: RepresentInput,
): boolean {
	const both = { ...page, robots: [...(page.robots ?? []), ...pageMeta] };
	return [response, ...(seen === undefined ? [] : [seen])].some((one) =>
		forbidsFollowing({ response: one }, both, context),
	);
}

function whyOf({ permit, page }: RepresentInput): Representation['why'] {
	if (!permit.permitted) return 'page-disallowed';
	return page === undefined ? 'announced' : 'preferred';
}

function keepingOf(response: FetchSuccess, offer: SomOffer, now: number) {
	const lifetime = representationLifetime(response.headers, offer.freshness, now);
	return { freshUntil: rfc3339(now + lifetime), ...validatorsOf(response) };
}
