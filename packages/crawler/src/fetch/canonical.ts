import { withoutRoute } from '../addresses/routes.ts';
import type { SiteKnowledge } from '../addresses/site-knowledge.ts';
import { partsOf } from '../addresses/url-parts.ts';
import { aliasOf } from '../discover/discovery.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import type { Signature } from '../documents/page-signature.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { Result } from '../model/result.ts';
import type { HostSlot } from '../politeness/host-slot.ts';
import { isAlike } from '../read/minhash.ts';
import { proseOf } from '../read/prose.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import type { Snapshot } from '../store/roles/pages.ts';
import type { CrawlContext } from './crawl-context.ts';
import { followRedirects } from './follow-redirects.ts';
import { processResponse } from './process-response.ts';
import type { RedirectArrived } from './redirect-result.ts';
import { compareTexts } from './study-page.ts';

/** Milliseconds that a visit waits for another one that reads the same page. */
const patience = 60_000;

/** The canonical target of a page, read by the same visit. */
export interface Named {
	readonly url: string;
	readonly chain: RedirectArrived;
	readonly processed: ProcessedResponse;
}

export interface Canonical {
	readonly ending: Ending;
	/** Undefined if it was already known. */
	readonly named?: Named;
	/** Parts of the address that the canonical address lacks. */
	readonly settled: readonly string[];
}

/**
 * Whether a page is only another address of its canonical target. A canonical link is a hint, and many templates get it
 * wrong: it counts only if the target exists on the same host, names no third page, and has the same text. Otherwise
 * both are pages.
 */
export async function followCanonical(
	from: FrontierUrl,
	home: HostSlot,
	chain: RedirectArrived,
	processed: ProcessedResponse,
	site: SiteKnowledge,
	context: CrawlContext,
): Promise<Canonical | undefined> {
	const { signature } = processed;
	const url = canonicalOf(processed.emitted ?? {}, chain.url);
	if (signature === undefined || url === undefined || from.seed || chain.url !== from.url) return undefined;
	// The same for all routes of an application: it says nothing of this one.
	if (url === withoutRoute(from.url)) return undefined;
	const { scope, discovery, store } = context;
	if (new URL(url).host !== new URL(from.url).host || scope.check(url) !== undefined || discovery.leftOut(url))
		return undefined;
	const parts = partsOf(from.url).filter(({ name }) => !partsOf(url).some((other) => other.name === name));
	const conclude = (isSame: boolean, named?: Named): Canonical | undefined => {
		for (const part of parts) site.compare(part, isSame, { bare: part.rest === url, said: true });
		site.followed(isSame);
		if (!isSame) return undefined;
		site.addAlias();
		const ending = aliasOf(url, 'which it names as canonical');
		return { ending, settled: parts.map(({ name }) => name), ...(named && { named }) };
	};
	// Another visit may be reading it.
	await context.claims.free(url, patience, from.url);
	const [known] = await store.pages.comparable([], [url]);
	if (known?.outcome === 'fetched' || known?.outcome === 'unchanged') {
		const snapshot = await store.pages.snapshot(url);
		if (snapshot !== undefined && canonicalOf(snapshot, url) !== undefined) return undefined;
		const verdict = compareTexts(signature, known);
		return conclude(verdict === undefined ? hasSameText(url, processed, snapshot) : verdict !== 'other');
	}
	if (known?.outcome !== undefined || !site.trustsCanonicals) return undefined;
	const named = await visitNamed(url, from, home, context);
	if (named === undefined) return undefined;
	const isSame = isSameText(signature, named.processed.signature) && namesNoOther(named);
	if (!isSame) context.claims.release(url);
	return conclude(isSame, named);
}

/** The canonical address of a page, if it is a different one and the only one. */
function canonicalOf({ document, page }: Pick<Result, 'document' | 'page'>, own: string): string | undefined {
	const tags = (page?.links ?? []).filter(({ rel }) => rel.toLowerCase().split(/\s+/).includes('canonical'));
	const named = new Set([document?.source.canonical_url, ...tags.map(({ url }) => url)].flatMap((url) => url ?? []));
	const [first, ...more] = [...named].map((url) => normaliseUrl(url));
	return more.length > 0 || first === own ? undefined : first;
}

function namesNoOther({ url, processed }: Named): boolean {
	const canonical = canonicalOf(processed.emitted ?? {}, url);
	return canonical === undefined;
}

const isSameText = (a: Signature, b: Signature | undefined): boolean => {
	if (b === undefined) return false;
	return a.minHash !== undefined && b.minHash !== undefined
		? isAlike(a.minHash, b.minHash)
		: a.prose.hash === b.prose.hash && a.prose.words === b.prose.words;
};

/** Short texts must be equal to count as the same. */
function hasSameText(url: string, { emitted }: ProcessedResponse, snapshot: Snapshot | undefined): boolean {
	if (snapshot === undefined || emitted?.document === undefined) return false;
	const [own, other] = [emitted.document, snapshot.document].map(({ identity, content }) =>
		proseOf(identity.title ?? '', content.markdown, url),
	);
	return own !== undefined && own.words > 0 && own.hash === other?.hash;
}

/** Fetches the page like a redirect target; undefined if it could not be read now. */
async function visitNamed(
	url: string,
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
): Promise<Named | undefined> {
	if (!context.claims.take(url, from.url)) return undefined;
	try {
		const known = await context.store.frontier.find(url);
		context.duplicates.forget(from.url);
		const { last: _, ...rest } = from;
		const target: FrontierUrl = { ...rest, url, foundOn: from.url, ...(known?.last && { last: known.last }) };
		// Its history begins when it is visited on its own.
		const chain = await followRedirects(target, home, { ...context, changes: undefined }, from);
		if (typeof chain !== 'string' && chain.arrived === true && chain.url === url && chain.response.status === 200) {
			const processed = await processResponse(target, chain, context);
			if (processed.signature !== undefined) return { url, chain, processed };
		}
	} catch (error) {
		context.claims.release(url);
		throw error;
	}
	context.claims.release(url);
	return undefined;
}
