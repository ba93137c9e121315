import type { FetchAnswer, FetchSuccess } from '@wayleave/io';
import type { CacheInfo } from '@wayleave/protocols/aidocument';
import { resolveSom, type SomDeclarations, type SomOffer } from '@wayleave/protocols/som';
import { rfc3339 } from '../engine/requester.ts';
import type { NoTurn } from '../engine/turns.ts';
import { isLoopbackName } from '../loopback.ts';
import type { Permit, Permitted } from '../manners/permission.ts';
import type { HostSlot } from '../manners/slot.ts';
import type { FrontierUrl, Snapshot } from '../store/types.ts';
import { again, forbidsFollowing, handOver, type Learned } from '../visit/learn.ts';
import { conditionsOf, validatorsOf } from '../visit/validators.ts';
import type { World } from '../visit/world.ts';
import { meaningOf } from './answer.ts';
import { representationLifetime } from './lifetime.ts';
import { pageLayers } from './page-layers.ts';
import { isFresh, type Representation } from './representation.ts';
import { verifyAnswer } from './verify.ts';

/** What is offered in the place of a page, and what came of it. */
export interface Instead {
	/** The page is done with; absent where it has to be fetched itself, if that is permitted. */
	readonly learned?: Learned;
	readonly status?: number;
	readonly bytes?: number;
	/** Why an offer was not taken up, for people. */
	readonly detail?: string;
}

/** A page at the point where it is decided how to read it. */
export interface Occasion {
	readonly from: FrontierUrl;
	/** Of the page, at this hop. */
	readonly url: string;
	readonly slot: HostSlot;
	readonly permit: Permit;
	/** The page itself, where it has been fetched to see what it announces. */
	readonly page?: FetchSuccess;
	readonly world: World;
}

/** A SOM document of more than this is none (SOM directives §7). */
const mostBytes = 10_000_000;

const accepts = {
	'SOM/1.0': 'application/som+json, application/json;q=0.9, */*;q=0.1',
	markdown: 'text/markdown, */*;q=0.1',
	'accessibility-tree': 'application/json, */*;q=0.1',
} as const;

/**
 * Reads a page by the representation that its site offers, where there is one to be used: the only way to a page that
 * robots.txt forbids (AMB-04), and otherwise as the caller prefers.
 */
export async function represent(occasion: Occasion): Promise<Instead | NoTurn> {
	const { url, slot, permit, page, world } = occasion;
	if (!permit.permitted && permit.ending.reason !== 'robots-disallow') return {};
	const { prefer } = world.settings;
	if (permit.permitted && (prefer === 'html' || prefer === 'markdown')) return {};
	const robots = await world.permissions.som(url, slot);
	if (typeof robots === 'string') return robots;
	// What a page announces overrules robots.txt: who prefers SOM looks at the page first, unless a copy is fresh.
	if (permit.permitted && prefer === 'som' && page === undefined) return (await reuse(occasion)) ?? {};
	const layers = page === undefined ? {} : pageLayers(page, url);
	return take({ ...layers, robots: robots ?? {} }, occasion);
}

async function take(declarations: SomDeclarations, occasion: Occasion): Promise<Instead | NoTurn> {
	const { url, slot, permit, world } = occasion;
	const { hostname, protocol } = new URL(url);
	// On this machine nobody listens in between.
	const allowHttp = world.settings.som.allowHttp || (protocol === 'http:' && isLoopbackName(hostname));
	const { offer, refusal } = resolveSom(declarations, url, { pageDisallowed: !permit.permitted, allowHttp });
	if (refusal !== undefined) return { detail: `SOM: ${refusal}` };
	if (offer === undefined) return {};
	// A Disallow of robots.txt is lifted, and nothing else (AMB-05).
	const lifted = permit.permitted ? permit : await world.permissions.ask(url, slot, 'som');
	if (typeof lifted === 'string') return lifted;
	if (!lifted.permitted) return { learned: { ending: lifted.ending, evidence: lifted.evidence } };
	const trust = await world.trust.judge(offer, url, slot, world);
	if (typeof trust === 'string') return trust;
	if (!trust.trusted) return { detail: `SOM: ${trust.detail}` };
	return (await reuse(occasion, lifted)) ?? (await fetchOffer(offer, lifted, occasion));
}

/** The stored copy, while it may be used without a request (SOM directives §4.2.4). */
async function reuse({ url, permit, world }: Occasion, lifted: Permit = permit): Promise<Instead | undefined> {
	if (!world.settings.reuse || !lifted.permitted) return undefined;
	const snapshot = await world.store.snapshot(url);
	const { representation } = snapshot ?? {};
	if (snapshot === undefined || representation === undefined || !isFresh(representation, world.clock.now()))
		return undefined;
	const cache: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };
	const { page, document } = snapshot;
	const handed = {
		document: again(document, world, cache),
		policy: lifted.note,
		representation,
		...(page && { page }),
	};
	return { learned: { ending: { outcome: 'unchanged', reason: 'cached' }, handed } };
}

async function fetchOffer(offer: SomOffer, lifted: Permitted, occasion: Occasion): Promise<Instead | NoTurn> {
	const { url, permit, world } = occasion;
	const snapshot = await world.store.snapshot(url);
	const last = snapshot?.representation?.url === offer.url ? snapshot : undefined;
	const conditions = conditionsOf(last?.representation);
	const answer = await request(offer, conditions, occasion);
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
			return { ...facts, bytes: 0, learned: revalidated(last!, meaning.answer, offer, lifted, occasion) };
		case 'content':
			return read(meaning.answer, offer, lifted, occasion);
	}
}

async function request(
	offer: SomOffer,
	conditions: Readonly<Record<string, string>>,
	{ slot: home, world }: Occasion,
): Promise<FetchAnswer | NoTurn> {
	const { hostname } = new URL(offer.url);
	const slot = hostname === home.host.name ? home : await world.hosts.hold(hostname);
	if (slot === undefined) {
		return { ok: false, url: offer.url, reason: 'aborted', detail: 'another process holds the host' };
	}
	try {
		const headers = { Accept: accepts[offer.format], ...conditions };
		return await world.send(slot, offer.url, { headers, maxBytes: mostBytes });
	} finally {
		if (slot !== home) await world.hosts.release(slot);
	}
}

async function read(
	answer: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	occasion: Occasion,
): Promise<Instead | NoTurn> {
	const { from, url, slot, world } = occasion;
	const verified = await verifyAnswer(answer, url, slot, world);
	if (typeof verified === 'string') return verified;
	if (verified.fault !== undefined) return { detail: `SOM: ${verified.fault}` };
	const { readRepresentation } = await import('./read-representation.ts');
	const now = world.clock.now();
	const reading = readRepresentation(answer.body, {
		url,
		format: offer.format,
		contentType: answer.headers.get('content-type'),
		fetched: {
			url,
			fetchedAt: rfc3339(now),
			freshnessPolicy: world.freshnessPolicy,
			cache: {
				status: world.freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss',
				origin_contacted: true,
				body_fetched: true,
			},
		},
	});
	if (reading.fault !== undefined) return { detail: `SOM: ${reading.fault}` };
	const { document, page, links, kind, tokens } = reading;
	world.onSource?.({ kind, url, body: answer.body, contentType: answer.headers.get('content-type') });
	const permit = withAnswer(lifted, answer, page.robots);
	if (!permit.permitted) return { learned: { ending: permit.ending, evidence: permit.evidence } };
	const found = world.discovery.links(links, from, forbidsFollowing({ answer }, page, world));
	const representation: Representation = {
		kind,
		why: whyOf(occasion),
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
	const learned = { ...handOver({ outcome: 'fetched' }, permit, handed, {}, now), found };
	return { learned, status: answer.status, bytes: answer.body.length };
}

function revalidated(
	{ document, page, representation, fetchedAt }: Snapshot,
	answer: FetchSuccess,
	offer: SomOffer,
	lifted: Permitted,
	occasion: Occasion,
): Learned {
	const { world } = occasion;
	const permit = withAnswer(lifted, answer, page?.robots);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const cache: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };
	const handed = {
		document: again(document, world, cache),
		policy: permit.note,
		representation: { ...representation!, ...keepingOf(answer, offer, world.clock.now()) },
		...(page && { page }),
	};
	return handOver({ outcome: 'unchanged', reason: 'not-modified' }, permit, handed, {}, fetchedAt);
}

/** The terms of the site together with what the answer says about itself. */
function withAnswer(permit: Permitted, { url, headers }: FetchSuccess, meta: { name: string; content: string }[] = []) {
	return permit.withPage({ source: url, headers, meta });
}

function whyOf({ permit, page }: Occasion): Representation['why'] {
	if (!permit.permitted) return 'page-disallowed';
	return page === undefined ? 'announced' : 'preferred';
}

function keepingOf(answer: FetchSuccess, offer: SomOffer, now: number) {
	const lifetime = representationLifetime(answer.headers, offer.freshness, now);
	return { freshUntil: rfc3339(now + lifetime), ...validatorsOf(answer) };
}
