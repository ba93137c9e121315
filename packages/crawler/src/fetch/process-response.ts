import type { Page } from '@wayleave/extract';
import { sha256 } from '@wayleave/io/hash';
import { present } from '@wayleave/protocols';
import type { AIDocument, CacheInfo, CacheStatus } from '@wayleave/protocols/aidocument';
import { type FileKind, isFileKind } from '@wayleave/protocols/file-types';
import { rfc3339 } from '../base/time.ts';
import { feedsOf, headerRelations } from '../discover/page-links.ts';
import { emitDocument, forbidsFollowing, fromStore, isReadOtherwise } from '../documents/emit-document.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import { restated, validatorsOfCopy } from '../documents/stored-copy.ts';
import { isKnownHash } from '../model/body-hash.ts';
import { isEmptyDocument } from '../model/document-json.ts';
import type { Ending } from '../model/outcome.ts';
import type { Representation } from '../model/representation.ts';
import { UnreadableFileError } from '../read/convert-file.ts';
import type { PageReading } from '../read/read-page.ts';
import {
	type ContentKind,
	describeUnread,
	endingOfStatus,
	kindOfContent,
	kindOfFile,
	statedType,
} from '../response/classify.ts';
import { signalsOf, termsAfter304, termsOf } from '../response/policy-headers.ts';
import { isConditional, validatorsOf } from '../response/validators.ts';
import type { FrontierUrl, NewUrl } from '../store/roles/frontier.ts';
import type { Snapshot } from '../store/roles/pages.ts';
import { withAlternates } from './alternates.ts';
import type { CrawlContext } from './crawl-context.ts';
import { readLinkedFeed } from './linked-feed.ts';
import type { RedirectArrived } from './redirect-result.ts';

/** Stages 6 to 8: classifies the response, reads the page, finds its links. */
export async function processResponse(
	from: FrontierUrl,
	chain: RedirectArrived,
	context: CrawlContext,
): Promise<ProcessedResponse> {
	const { response, last, url } = chain;
	if (response.status === 304) {
		if (!isConditional(last)) return failed('304-without-request');
		return revalidated(chain, await context.store.pages.snapshot(url), context);
	}
	const refused = endingOfStatus(response);
	if (refused !== undefined) return { ending: refused };
	// It may lead on all the same: by `Refresh`.
	if (response.body.length === 0)
		return { ...failed('no-content'), found: findings(from, chain, { links: [], page: {} }, context) };
	const feed = await readLinkedFeed(from, chain, context);
	if (feed !== undefined) return feed;
	const contentType = statedType(response.headers);
	const kind = kindOfContent(contentType, response.body) ?? kindOfFile(contentType, response.body);
	if (kind === undefined) return failed('unsupported-type', describeUnread(contentType));
	const bodyHash = sha256(response.body);
	const isSame = last?.bodyHash !== undefined && isKnownHash(last.bodyHash, bodyHash);
	const snapshot = isSame ? await context.store.pages.snapshot(url) : undefined;
	if (snapshot !== undefined && !isReadOtherwise(snapshot, context)) return sameContent(chain, snapshot, context);
	const detail = response.malformed === undefined ? {} : { detail: `a header line was ignored: ${response.malformed}` };
	const ending = snapshot === undefined ? ({ outcome: 'fetched', ...detail } as const) : sameEnding;
	const reading = await read(chain, kind, context).catch((error: unknown) => error as Error);
	// Error details may quote content that the site does not allow to be stored.
	const keeps = chain.permit.store === 'yes';
	if (reading instanceof UnreadableFileError)
		return { ending: { outcome: 'failed', reason: reading.reason, detail: reading.message } };
	return reading instanceof Error
		? failed('extraction-failed', keeps ? reading.message : undefined)
		: fresh(from, chain, { ...reading, kind }, { ending, bodyHash }, context);
}

function failed(
	reason: 'no-content' | 'needs-rendering' | '304-without-request' | 'unsupported-type' | 'extraction-failed',
	detail?: string,
): ProcessedResponse {
	return { ending: { outcome: 'failed', reason, ...(detail !== undefined && { detail }) } };
}

export function read(
	chain: RedirectArrived,
	kind: ContentKind | FileKind,
	context: CrawlContext,
): Promise<PageReading> {
	const { response, url } = chain;
	const contentType = statedType(response.headers);
	context.onSource?.({ kind, url, body: response.body, contentType });
	const source = {
		body: response.body,
		contentType,
		contentLanguage: response.headers.get('content-language'),
		economics: context.settings.economics,
		favor: context.settings.favor,
		fields: context.settings.fields,
		fetched: {
			url,
			fetchedAt: rfc3339(context.clock.now()),
			statusCode: response.status,
			renderMode: 'static' as const,
			freshnessPolicy: context.freshnessPolicy,
			cache: withBody(context),
		},
	};
	if (isFileKind(kind)) return context.readFile({ ...source, kind });
	if (kind !== 'html' || context.renderer === undefined) return context.read({ ...source, kind });
	return context.renderer.read({
		source: { ...source, kind },
		contentSecurityPolicy: response.headers.get('content-security-policy'),
		permits: ({ page }) => judge(chain, page).permitted,
		onRendered: (given) => context.onSource?.({ kind, url, ...given }),
	});
}

async function fresh(
	from: FrontierUrl,
	chain: RedirectArrived,
	reading: PageReading & { readonly kind: ContentKind | FileKind },
	{ ending, bodyHash }: { readonly ending: Ending; readonly bodyHash: Uint8Array },
	context: CrawlContext,
): Promise<ProcessedResponse> {
	const { document, kind, minHash, prose } = reading;
	const terms = termsOf(chain.response.headers);
	const permit = judge(chain, reading.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	if (reading.furtherLinks !== undefined) context.onLinksLeft?.(chain.url, reading.furtherLinks);
	const about = await withAlternates(reading.page, from, chain, reading.kind, context);
	const found = findings(from, chain, { links: reading.links, page: about }, context);
	// A document without text is not a success: the outcome says what is missing, and the crawler still follows its links.
	if (isEmptyDocument(document))
		return { ...withoutText(reading), found, emitted: { page: about }, secret: permit.store !== 'yes' };
	const isKept = minHash !== undefined && permit.store === 'yes';
	const twin = isKept ? await context.duplicates.find(chain.url, minHash, prose?.hash) : undefined;
	const page = twin === undefined ? about : { ...about, nearDuplicateOf: twin.url };
	const kept = {
		document,
		page,
		policy: permit.note,
		representation: pageRepresentation(chain, kind, document, context),
	};
	// Validators of the server do not cover the output of scripts: the page is rendered again next time.
	const isRendered = document.source.render_mode === 'rendered';
	const content = {
		...(isRendered ? {} : { ...validatorsOf(chain.response), bodyHash }),
		minHash: isKept ? { value: minHash, ...(twin && { twin: twin.url }), ...(prose && { prose: prose.hash }) } : null,
	};
	const capture = context.recorder?.capture(chain.response, undefined);
	const made = { fetchedAt: context.clock.now(), capture, favor: context.settings.favor, terms };
	const signature = prose && { minHash, prose, bodyHash, twin };
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
	chain: RedirectArrived,
	{ links, page }: Pick<PageReading, 'links' | 'page'>,
	context: CrawlContext,
): NewUrl[] {
	const nofollow = forbidsFollowing(chain, page, context);
	const { pages, lists } = headerRelations(chain.response.headers, chain.url);
	const alternates = (page.alternates ?? []).map(({ url }) => url);
	const found = context.discovery.links([...links, ...pages, ...alternates], from, nofollow);
	// Feeds are those of the site where they are named on its front page; those of single pages hold its comments.
	const isFront = from.seed || new URL(chain.url).pathname === '/';
	return isFront && !nofollow ? [...found, ...context.discovery.lists([...feedsOf(page), ...lists])] : found;
}

/** The page itself was read, not another representation of it. */
function pageRepresentation(
	{ response, unusable }: RedirectArrived,
	kind: ContentKind | FileKind,
	{ economics }: AIDocument,
	{ settings }: CrawlContext,
): Representation {
	const why = unusable !== undefined ? 'not-usable' : settings.prefer === kind ? 'preferred' : 'not-offered';
	return {
		kind,
		why,
		...(unusable !== undefined && { detail: unusable }),
		bytes: response.body.length,
		...(economics && { tokens: economics.raw_html_tokens_approx }),
	};
}

/** 304: the snapshot stands as it was, `fetched_at` too. */
function revalidated(chain: RedirectArrived, snapshot: Snapshot | undefined, context: CrawlContext): ProcessedResponse {
	const ending: Ending = { outcome: 'unchanged', reason: 'not-modified' };
	const content = validatorsOf(chain.response);
	if (snapshot === undefined) return { ending, content };
	const terms = termsAfter304(chain.response.headers, snapshot.terms);
	const permit = judge(chain, snapshot.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const cache: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };
	const capture = context.recorder?.capture(chain.response, snapshot.capture) ?? snapshot.capture;
	const document = fromStore(snapshot.document, context, cache);
	const kept = { document, policy: permit.note, ...storedMetadata(snapshot) };
	const both = { ...validatorsOfCopy(snapshot), ...content };
	const made = { fetchedAt: snapshot.fetchedAt, capture, favor: snapshot.favor };
	const processed = emitDocument(ending, permit, kept, both, made);
	// The stored bytes stay, unless the site does not let us keep them any longer, or on other terms.
	if (permit.store !== 'yes') return processed;
	const { checkedAt: _, ...copy } = restated(snapshot, permit.note, terms) ?? {};
	return { ...processed, content: { ...copy, ...content } };
}

const sameEnding = { outcome: 'unchanged', reason: 'same-content' } as const satisfies Ending;

function sameContent(chain: RedirectArrived, snapshot: Snapshot, context: CrawlContext): ProcessedResponse {
	const terms = termsOf(chain.response.headers);
	const permit = judge(chain, snapshot.page, terms);
	if (!permit.permitted) return { ending: permit.ending, evidence: permit.evidence };
	const at = context.clock.now();
	const document = fromStore(snapshot.document, context, withBody(context), rfc3339(at));
	const kept = { document, policy: permit.note, ...storedMetadata(snapshot) };
	const content = { ...validatorsOf(chain.response), ...(snapshot.bodyHash && { bodyHash: snapshot.bodyHash }) };
	const capture = context.recorder?.capture(chain.response, snapshot.capture) ?? snapshot.capture;
	const made = { fetchedAt: at, capture, favor: snapshot.favor, terms };
	return emitDocument(sameEnding, permit, kept, content, made);
}

/** Metadata stored with a document. */
export const storedMetadata = ({ page, representation }: Snapshot) => present({ page, representation });

/** The terms of the site together with what the page says about itself. */
export function judge(
	{ url, response, permit }: RedirectArrived,
	page: Page | undefined,
	terms = termsOf(response.headers),
) {
	return permit.withPage(signalsOf(url, page, terms));
}

function withBody({ freshnessPolicy }: CrawlContext): CacheInfo {
	const status: CacheStatus = freshnessPolicy === 'force_refresh' ? 'refreshed' : 'miss';
	return { status, origin_contacted: true, body_fetched: true };
}
