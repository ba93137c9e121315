import { withoutRoute } from '../addresses/routes.ts';
import { measuredForm, type SiteKnowledge } from '../addresses/site-knowledge.ts';
import { aliasOf } from '../discover/discovery.ts';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending, Reason } from '../model/outcome.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import { proseOf } from '../read/prose.ts';
import type { FrontierUrl, KnownUrl } from '../store/roles/frontier.ts';
import type { CrawlContext } from './crawl-context.ts';
import { followRedirects } from './follow-redirects.ts';
import type { LeftOut } from './left-out.ts';
import type { RedirectResult } from './redirect-result.ts';

/** Milliseconds that a route waits for the visit of its page, to be compared with it; the page may be rendering. */
const patience = 90_000;

/** Without a browser a route cannot be told from its page: it waits for a crawl that renders. */
export const needsBrowser: Ending = {
	outcome: 'deferred',
	reason: 'needs-rendering',
	detail: 'a route after # needs --render and a browser',
};

/** Decides by what is known of its page whether a route is worth rendering. */
export async function leaveOutRoute(
	{ url, depth, dates, last, seed }: FrontierUrl,
	site: SiteKnowledge,
	{ claims, store, discovery }: CrawlContext,
): Promise<LeftOut | undefined> {
	const page = withoutRoute(url);
	await claims.free(page, patience, url);
	const known = await store.frontier.find(page);
	const target = known?.redirectedTo;
	if (target !== undefined && !seed) {
		const other = withoutRoute(target) + url.slice(page.length);
		if (other === url || discovery.check(other, depth) !== undefined) return undefined;
		return { ending: aliasOf(other, 'where its page leads'), found: [discovery.page(other, depth, dates)] };
	}
	const ending = known && endingOfPage(known);
	if (ending !== undefined) return { ending, found: [] };
	if (seed || last !== undefined || site.hasRoutes !== false || site.skipRoute()) return undefined;
	return { ending: aliasOf(page, 'its routes show the page itself'), found: [discovery.page(page, depth, dates)] };
}

/** Failures of what the page shows, which say nothing of its routes. */
const ofContent: ReadonlySet<Reason | undefined> = new Set(['no-content', 'needs-rendering', 'extraction-failed']);

/** How a route ends with its page: both are one request. */
function endingOfPage({ outcome, reason }: KnownUrl): Ending | undefined {
	const isLost = outcome === 'gone' || outcome === 'refused' || outcome === 'failed' || outcome === 'deferred';
	if (!isLost || ofContent.has(reason)) return undefined;
	return { outcome, ...(reason && { reason }), detail: 'as its page' };
}

/**
 * Goes to the page of a route. The route itself is never sent: a response that another route of the page got a moment
 * ago is used again, as a browser would.
 */
export async function followRouteRedirects(
	from: FrontierUrl,
	home: HostSlot,
	context: CrawlContext,
): Promise<RedirectResult | NotScheduled> {
	const page = withoutRoute(from.url);
	const route = from.url.slice(page.length);
	const { last: _, ...rest } = from;
	const send: CrawlContext['send'] = async (slot, url, options = {}) => {
		const isShared = url === page && options.cookie === undefined;
		const kept = isShared ? context.routes.response(page) : undefined;
		if (kept !== undefined) return kept;
		const response = await context.send(slot, url, options);
		if (isShared && typeof response !== 'string' && response.ok && response.status === 200)
			context.routes.keep(page, response);
		return response;
	};
	// Manifests and stored validators are about the page, not about what its scripts show.
	const chain = await followRedirects(
		{ ...rest, url: page, route },
		home,
		{ ...context, send, changes: undefined },
		from,
	);
	if (typeof chain === 'string') return chain;
	const revokedUrls = chain.revokedUrls.flatMap((url) => (url === page ? [page, from.url] : url));
	if (chain.url === page) {
		const own = { ...chain, url: from.url, revokedUrls };
		return own.arrived === false && own.leadsTo !== undefined ? { ...own, leadsTo: own.leadsTo + route } : own;
	}
	const target = withoutRoute(chain.url) + route;
	const { claims, scopeExpansions } = chain;
	// The target gets a visit of its own.
	const moved = { arrived: false as const, url: target, claims, scopeExpansions, revokedUrls };
	if (chain.arrived === false && chain.ending.reason !== 'redirected') return { ...moved, ending: chain.ending };
	return { ...moved, ending: { outcome: 'fetched', reason: 'redirected' }, leadsTo: target };
}

/** The result of rendering a route. */
export interface RouteFindings {
	/** It is another address of a page, or says nothing of one. */
	readonly ending?: Ending;
	/** Names under which later routes with the same text find it. */
	readonly names: readonly string[];
	readonly reopen: readonly Reason[];
}

/** Compares what a route shows with its page, and with the other routes of the page. */
export async function studyRoute(
	url: string,
	processed: ProcessedResponse,
	site: SiteKnowledge,
	context: CrawlContext,
): Promise<RouteFindings> {
	const { emitted, signature, secret = false } = processed;
	const { document } = emitted ?? {};
	const nothing = { names: [], reopen: [] };
	if (document === undefined || signature === undefined) return nothing;
	if (document.source.render_mode === 'static_after_render_failure')
		return {
			...nothing,
			ending: { outcome: 'failed', reason: 'needs-rendering', detail: 'the browser could not render the page' },
		};
	const page = withoutRoute(url);
	const text = textOf(signature.prose);
	const name = `# ${text} ${page}`;
	const isStatic = document.source.render_mode !== 'rendered';
	const other = isStatic ? page : await sameText({ page, url, text, name }, context);
	if (other !== undefined) {
		const { prose } = signature;
		const form = measuredForm(url);
		if (form !== undefined)
			site.count(form, { fresh: false, numbered: false, hash: prose.masked, verbatim: prose.verbatim });
		// The start of an application shows what its page shows.
		if (!isStart(url)) site.seeRoute(false);
		site.addAlias();
		const why = isStatic ? 'it shows the same without scripts' : 'it shows the same text';
		return { ...nothing, ending: aliasOf(other, why) };
	}
	const isCompared = (await context.store.frontier.find(page))?.outcome !== undefined;
	const heals = isCompared && site.seeRoute(true);
	return { names: secret ? [] : [name], reopen: heals ? ['alias'] : [] };
}

/** Remembers what a page shows, and its response, for its routes. */
export function notePage(
	page: string,
	chain: RedirectResult,
	{ emitted, signature }: ProcessedResponse,
	context: CrawlContext,
): void {
	if (context.renderer?.hasBrowser !== true || chain.arrived !== true) return;
	if (signature !== undefined && emitted?.document !== undefined)
		context.routes.note(page, page, textOf(signature.prose));
	if (chain.response.status === 200) context.routes.keep(page, chain.response);
}

/** `#/`, `#!`, `#!/`. */
const isStart = (url: string): boolean => /^[^#]*#[/!]\/?$/.test(url);

const textOf = ({ hash, words }: { readonly hash: number; readonly words: number }): string => `${hash} ${words}`;

interface Shown {
	readonly page: string;
	readonly url: string;
	readonly text: string;
	readonly name: string;
}

async function sameText(
	{ page, url, text, name }: Shown,
	{ routes, store }: CrawlContext,
): Promise<string | undefined> {
	const noted = routes.note(page, url, text);
	if (noted !== undefined) return noted;
	const known = await store.pages.comparable([name], [page]);
	for (const other of known) {
		if (other.url === url || (other.outcome !== 'fetched' && other.outcome !== 'unchanged')) continue;
		// A name may be of a text that the page no longer has.
		const snapshot = await store.pages.snapshot(other.url);
		if (snapshot === undefined) continue;
		const { identity, content } = snapshot.document;
		if (textOf(proseOf(identity.title ?? '', content.markdown, other.url)) === text) return other.url;
	}
	return undefined;
}
