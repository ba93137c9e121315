import type { Page } from '@wayleave/extract';
import type { FetchAnswer, FetchSuccess } from '@wayleave/io';
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
import type { Instead, RepresentInput } from './types.ts';
import { verifyAnswer } from './verify-signature.ts';

/** A SOM document of more than this is none (SOM directives §7). */
const mostBytes = 10_000_000;

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
): Promise<Instead | NotScheduled> {
	const { url, permit, context } = input;
	const snapshot = await context.store.snapshot(url);
	const last = context.conditional && snapshot?.representation?.url === offer.url ? snapshot : undefined;
	const conditions = conditionsOf(last?.representation);
	const answer = await request(offer, conditions, lifted, input);
	if (typeof answer === 'string') return answer;
	const facts = { ...(answer.status !== undefined && { status: answer.status }) };
	const meaning = meaningOf(answer, permit.permitted, Object.keys(conditions).length > 0);
	switch (meaning.means) {
		case 'unusable':
			return { detail: `SOM: ${meaning.detail}` };
		case 'final': {
			const evidence = permit.permitted ? {} : { evidence: permit.evidence };
			return { ...facts, learned: { ending: meaning.ending, ...evidence } };
		}
		case 'not-modified':
			return { ...facts, bytes: 0, learned: revalidated(last!, meaning.answer, offer, lifted, input) };
		case 'content':
			return read(meaning.answer, offer, lifted, input);
	}
}

async function request(
	offer: SomOffer,
	conditions: Readonly<Record<string, string>>,
	{ store }: Permitted,
	{ from, slot: home, context }: RepresentInput,
): Promise<FetchAnswer | NotScheduled> {
	const { hostname } = new URL(offer.url);
	const slot = hostname === home.host.name ? home : await context.hosts.holdSoon(hostname);
	if (slot === undefined) return 'held';
	try {
		const headers = { Accept: accepts[offer.format], ...conditions };
		const record = store === 'yes' ? from : undefined;
		return await context.send(slot, offer.url, { headers, maxBytes: mostBytes, record });
	} finally {
		if (slot !== home) await context.hosts.release(slot);
	}
}

async function read(
	answer: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	input: RepresentInput,
): Promise<Instead | NotScheduled> {
	const { from, url, slot, context } = input;
	const verified = await verifyAnswer(answer, url, slot, context);
	if (typeof verified === 'string') return verified;
	if (verified.fault !== undefined) return { detail: `SOM: ${verified.fault}` };
	const { readRepresentation } = await import('./read-representation.ts');
	const now = context.clock.now();
	const reading = readRepresentation(answer.body, {
		url,
		format: offer.format,
		contentType: answer.headers.get('content-type'),
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
	context.onSource?.({ kind, url, body: answer.body, contentType: answer.headers.get('content-type') });
	const terms = termsOf(headersOf(answer, input));
	const permit = withSignals(lifted, terms, page.robots, input);
	if (!permit.permitted) return { learned: { ending: permit.ending, evidence: permit.evidence } };
	const found = context.discovery.links(links, from, mayNotFollow(answer, page, input));
	const representation: Representation = {
		kind,
		why: whyOf(input),
		bytes: answer.body.length,
		tokens,
		url: offer.url,
		...(offer.layers.target && { layer: offer.layers.target }),
		scope: offer.scope,
		...(offer.tokenBudget !== undefined && { tokenBudget: offer.tokenBudget }),
		...(offer.tokenCount !== undefined && { tokenCount: offer.tokenCount }),
		...(verified.keyId !== undefined && { signedBy: verified.keyId }),
		...keepingOf(answer, offer, now),
	};
	const handed = { document, page, policy: permit.note, representation };
	// Validators of the representation are none of the page: they travel with it.
	const learned = { ...emitDocument({ outcome: 'fetched' }, permit, handed, {}, { fetchedAt: now, terms }), found };
	return { learned, status: answer.status, bytes: answer.body.length };
}

function revalidated(
	{ document, page, representation, fetchedAt, terms: before }: Snapshot,
	answer: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	input: RepresentInput,
): ProcessedResponse {
	const { context } = input;
	const terms = termsAfter304(headersOf(answer, input), before);
	const permit = withSignals(lifted, terms, page?.robots, input);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const cache: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };
	const handed = {
		document: fromStore(document, context, cache),
		policy: permit.note,
		representation: { ...representation!, ...keepingOf(answer, offer, context.clock.now()) },
		...(page && { page }),
	};
	return emitDocument({ outcome: 'unchanged', reason: 'not-modified' }, permit, handed, {}, { fetchedAt, terms });
}

/** The terms of the site together with what the answer, and the page where it was seen, say about themselves. */
function withSignals(
	permit: Permitted,
	headers: Terms,
	meta: readonly MetaTag[] = [],
	{ url, pageMeta = [] }: RepresentInput,
): Permit {
	return permit.withPage({ source: url, headers, meta: [...pageMeta, ...meta] });
}

const headersOf = ({ headers }: FetchSuccess, { page }: RepresentInput) => [...(page?.headers ?? []), ...headers];

/** Whether the answer, or the page where it was seen, asks that links are not followed. */
function mayNotFollow(
	answer: FetchSuccess,
	page: Page,
	{ page: seen, pageMeta = [], context }: RepresentInput,
): boolean {
	const both = { ...page, robots: [...(page.robots ?? []), ...pageMeta] };
	return [answer, ...(seen === undefined ? [] : [seen])].some((one) =>
		forbidsFollowing({ answer: one }, both, context),
	);
}

function whyOf({ permit, page }: RepresentInput): Representation['why'] {
	if (!permit.permitted) return 'page-disallowed';
	return page === undefined ? 'announced' : 'preferred';
}

function keepingOf(answer: FetchSuccess, offer: SomOffer, now: number) {
	const lifetime = representationLifetime(answer.headers, offer.freshness, now);
	return { freshUntil: rfc3339(now + lifetime), ...validatorsOf(answer) };
}
