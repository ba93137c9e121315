import type { Page } from '@wayleave/extract';
import { sha256 } from '@wayleave/io';
import type { AIDocument, CacheInfo, CacheStatus } from '@wayleave/protocols/aidocument';
import { rfc3339 } from '../base/time.ts';
import { feedsOf, headerRelations } from '../discover/page-links.ts';
import { emitDocument, forbidsFollowing, fromStore, isEmpty, isReadOtherwise } from '../documents/emit-document.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import { restated, validatorsOfCopy } from '../documents/stored-copy.ts';
import type { Ending } from '../model/outcome.ts';
import type { Representation } from '../model/representation.ts';
import type { PageReading, PageSource } from '../read/read-page.ts';
import { type ContentKind, endingOfStatus, kindOfContent, statedType } from '../response/classify.ts';
import { signalsOf, termsAfter304, termsOf } from '../response/policy-headers.ts';
import { isConditional, validatorsOf } from '../response/validators.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Snapshot } from '../store/roles/pages.ts';
import type { CrawlContext } from './crawl-context.ts';
import { readLinkedFeed } from './linked-feed.ts';
import type { RedirectArrived } from './redirect-result.ts';

/** Stages 6 to 8: classifies the response, reads the page, finds its links. */
export async function processResponse(
	from: FrontierUrl,
	journey: RedirectArrived,
	context: CrawlContext,
): Promise<ProcessedResponse> {
	const { answer, last, url } = journey;
	if (answer.status === 304) {
		if (!isConditional(last)) return failed('304-without-request');
		return revalidated(journey, await context.store.snapshot(url), context);
	}
	const refused = endingOfStatus(answer);
	if (refused !== undefined) return { ending: refused };
	// It may lead on all the same: by `Refresh`.
	if (answer.body.length === 0)
		return { ...failed('no-content'), found: findings(from, journey, { links: [], page: {} }, context) };
	const feed = await readLinkedFeed(from, journey, context);
	if (feed !== undefined) return feed;
	const contentType = statedType(answer.headers);
	const kind = kindOfContent(contentType, answer.body);
	if (kind === undefined) return failed('unsupported-type', contentType ?? 'none stated');
	const bodyHash = sha256(answer.body);
	const isSame = last?.bodyHash !== undefined && Buffer.compare(last.bodyHash, bodyHash) === 0;
	const snapshot = isSame ? await context.store.snapshot(url) : undefined;
	if (snapshot !== undefined && !isReadOtherwise(snapshot, context)) return sameContent(journey, snapshot, context);
	const detail = answer.malformed === undefined ? {} : { detail: `a header line was ignored: ${answer.malformed}` };
	const ending = snapshot === undefined ? ({ outcome: 'fetched', ...detail } as const) : sameEnding;
	const reading = await read(journey, kind, context).catch((error: unknown) => error as Error);
	// What went wrong may quote what the site does not let be kept.
	const keeps = journey.permit.store === 'yes';
	return reading instanceof Error
		? failed('extraction-failed', keeps ? reading.message : undefined)
		: fresh(from, journey, { ...reading, kind }, { ending, bodyHash }, context);
}

function failed(
	reason: 'no-content' | 'needs-rendering' | '304-without-request' | 'unsupported-type' | 'extraction-failed',
	detail?: string,
): ProcessedResponse {
	return { ending: { outcome: 'failed', reason, ...(detail !== undefined && { detail }) } };
}

export function read(journey: RedirectArrived, kind: ContentKind, context: CrawlContext): Promise<PageReading> {
	const { answer, url } = journey;
	const contentType = statedType(answer.headers);
	context.onSource?.({ kind, url, body: answer.body, contentType });
	const source: PageSource = {
		kind,
		body: answer.body,
		contentType,
		contentLanguage: answer.headers.get('content-language'),
		economics: context.settings.economics,
		favor: context.settings.favor,
		fetched: {
			url,
			fetchedAt: rfc3339(context.clock.now()),
			statusCode: answer.status,
			renderMode: 'static',
			freshnessPolicy: context.freshnessPolicy,
			cache: withBody(context),
		},
	};
	if (kind !== 'html' || context.renderer === undefined) return context.read(source);
	return context.renderer.read({
		source,
		contentSecurityPolicy: answer.headers.get('content-security-policy'),
		permits: ({ page }) => judge(journey, page).permitted,
		onRendered: (given) => context.onSource?.({ kind, url, ...given }),
	});
}

async function fresh(
	from: FrontierUrl,
	journey: RedirectArrived,
	reading: PageReading & { readonly kind: ContentKind },
	{ ending, bodyHash }: { readonly ending: Ending; readonly bodyHash: Uint8Array },
	context: CrawlContext,
): Promise<ProcessedResponse> {
	const { document, kind, likeness, prose } = reading;
	const terms = termsOf(journey.answer.headers);
	const permit = judge(journey, reading.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	if (reading.furtherLinks !== undefined) context.onLinksLeft?.(journey.url, reading.furtherLinks);
	const found = findings(from, journey, reading, context);
	// A document without text is not a success: the outcome says what is missing, and the crawler still follows its links.
	if (isEmpty(document))
		return { ...withoutText(reading), found, handed: { page: reading.page }, secret: permit.store !== 'yes' };
	const isKept = likeness !== undefined && permit.store === 'yes';
	const twin = isKept ? await context.duplicates.find(journey.url, likeness, prose?.hash) : undefined;
	const page = twin === undefined ? reading.page : { ...reading.page, nearDuplicateOf: twin.url };
	const kept = {
		document,
		page,
		policy: permit.note,
		representation: pageRepresentation(journey, kind, document, context),
	};
	// What the server says of the page says nothing of what its scripts bring: it is rendered again next time.
	const isRendered = document.source.render_mode === 'rendered';
	const content = {
		...(isRendered ? {} : { ...validatorsOf(journey.answer), bodyHash }),
		likeness: isKept ? { value: likeness, ...(twin && { twin: twin.url }), ...(prose && { prose: prose.hash }) } : null,
	};
	const capture = context.recorder?.capture(journey.answer, undefined);
	const made = { fetchedAt: context.clock.now(), capture, favor: context.settings.favor, terms };
	const signature = prose && { likeness, prose, bodyHash, twin };
	return { ...emitDocument(ending, permit, kept, content, made), found, ...(signature && { signature }) };
}

/** In a browser, the page's scripts have run. */
function withoutText({ document, dependsOnScripts }: PageReading): ProcessedResponse {
	const mode = document.source.render_mode;
	if (dependsOnScripts !== true || mode === 'rendered') return failed('no-content');
	const isTried = mode === 'static_after_render_failure';
	return failed('needs-rendering', isTried ? 'the browser could not render the page' : undefined);
}

/** Stage 8: what the text of the page, its head and the headers of the response lead to. */
function findings(
	from: FrontierUrl,
	journey: RedirectArrived,
	{ links, page }: Pick<PageReading, 'links' | 'page'>,
	context: CrawlContext,
): NewUrl[] {
	const nofollow = forbidsFollowing(journey, page, context);
	const { pages, lists } = headerRelations(journey.answer.headers, journey.url);
	const found = context.discovery.links([...links, ...pages], from, nofollow);
	// Feeds are those of the site where they are named on its front page; those of single pages hold its comments.
	const isFront = from.seed || new URL(journey.url).pathname === '/';
	return isFront && !nofollow ? [...found, ...context.discovery.lists([...feedsOf(page), ...lists])] : found;
}

/** The page itself was read, not another representation of it. */
function pageRepresentation(
	{ answer, unusable }: RedirectArrived,
	kind: ContentKind,
	{ economics }: AIDocument,
	{ settings }: CrawlContext,
): Representation {
	const why = unusable !== undefined ? 'not-usable' : settings.prefer === kind ? 'preferred' : 'not-offered';
	return {
		kind,
		why,
		...(unusable !== undefined && { detail: unusable }),
		bytes: answer.body.length,
		...(economics && { tokens: economics.raw_html_tokens_approx }),
	};
}

/** 304: the snapshot stands as it was, `fetched_at` too (AMB-21). */
function revalidated(
	journey: RedirectArrived,
	snapshot: Snapshot | undefined,
	context: CrawlContext,
): ProcessedResponse {
	const ending: Ending = { outcome: 'unchanged', reason: 'not-modified' };
	const content = validatorsOf(journey.answer);
	if (snapshot === undefined) return { ending, content };
	const terms = termsAfter304(journey.answer.headers, snapshot.terms);
	const permit = judge(journey, snapshot.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const cache: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };
	const capture = context.recorder?.capture(journey.answer, snapshot.capture) ?? snapshot.capture;
	const document = fromStore(snapshot.document, context, cache);
	const kept = { document, policy: permit.note, ...storedMetadata(snapshot) };
	const both = { ...validatorsOfCopy(snapshot), ...content };
	const made = { fetchedAt: snapshot.fetchedAt, capture, favor: snapshot.favor };
	const learned = emitDocument(ending, permit, kept, both, made);
	// The stored bytes stay, unless the site does not let us keep them any longer, or on other terms.
	if (permit.store !== 'yes') return learned;
	const { checkedAt: _, ...copy } = restated(snapshot, permit.note, terms) ?? {};
	return { ...learned, content: { ...copy, ...content } };
}

const sameEnding = { outcome: 'unchanged', reason: 'same-content' } as const satisfies Ending;

function sameContent(journey: RedirectArrived, snapshot: Snapshot, context: CrawlContext): ProcessedResponse {
	const terms = termsOf(journey.answer.headers);
	const permit = judge(journey, snapshot.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const at = context.clock.now();
	const document = fromStore(snapshot.document, context, withBody(context), rfc3339(at));
	const kept = { document, policy: permit.note, ...storedMetadata(snapshot) };
	const content = { ...validatorsOf(journey.answer), ...(snapshot.bodyHash && { bodyHash: snapshot.bodyHash }) };
	const capture = context.recorder?.capture(journey.answer, snapshot.capture) ?? snapshot.capture;
	const made = { fetchedAt: at, capture, favor: snapshot.favor, terms };
	return emitDocument(sameEnding, permit, kept, content, made);
}

/** Metadata stored with a document. */
export const storedMetadata = ({ page, representation }: Snapshot) => ({
	...(page && { page }),
	...(representation && { representation }),
});

/** The terms of the site together with what the page says about itself. */
export function judge(
	{ url, answer, permit }: RedirectArrived,
	page: Page | undefined,
	terms = termsOf(answer.headers),
) {
	return permit.withPage(signalsOf(url, page, terms));
}

function withBody({ freshnessPolicy }: CrawlContext): CacheInfo {
	const status: CacheStatus = freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss';
	return { status, origin_contacted: true, body_fetched: true };
}
