import { LRUCache } from 'lru-cache';
import type { Identity } from './identity.ts';
import type { Visit } from './visit.ts';

/**
 * Purposes of requests. Rules apply only to `agent`, `assistant` and `anonymous`; all others
 * are people and machines that serve them.
 */
export const purposes = {
	agent: 'a crawler or another automatic client that identifies itself',
	assistant: 'fetches one page at the request of a person',
	anonymous: 'no User-Agent at all',
	feed: 'a feed reader',
	federation: 'another server of a federated network',
	prefetch: 'a browser that prefetches a page',
	'link-checker': 'checks whether links still work',
	other: 'browsers, and tools that do not identify themselves',
} as const;

export type Purpose = keyof typeof purposes;

const feedTypes = /application\/(?:rss|atom|feed)\b/i;
/** Product names of feed readers in a User-Agent. */
const feedReaders =
	/\b(?:feedly|inoreader|miniflux|freshrss|newsblur|tiny tiny rss|netnewswire|feedbin|commafeed|feedparser|liferea|thunderbird|newsboat|simplepie|universalfeedparser|the old reader)/i;
/** Media types of ActivityPub; JSON-LD counts only with its profile. */
const activity = /application\/(?:activity\+json|ld\+json;[^,]*activitystreams)/i;
/** Discovery documents of federated servers: WebFinger, NodeInfo and host-meta. */
const federatedPath = /^\/(?:\.well-known\/(?:webfinger|nodeinfo|host-meta)|nodeinfo\/)/;
/** Product names of link checkers in a User-Agent. */
const linkCheckers =
	/\b(?:w3c-checklink|linkchecker|lychee|linkinator|xenu|dead ?link|broken ?link|htmlproofer|muffet)/i;

/** Says what a request is for. A User-Agent alone never makes a client an agent: what it claims to be does. */
export function purposeOf(visit: Visit, identity: Identity): Purpose {
	if (identity.name !== undefined) return identity.userTriggered ? 'assistant' : 'agent';
	const userAgent = visit.header('user-agent');
	if (userAgent === undefined || userAgent.trim() === '') return 'anonymous';
	if (isPrefetch(visit)) return 'prefetch';
	const accept = visit.header('accept') ?? '';
	if (activity.test(accept) || federatedPath.test(visit.target) || isDelivery(visit)) return 'federation';
	return feedTypes.test(accept) ? 'feed' : purposeOfTool(userAgent);
}

/** Most requests come from one of a few browsers. */
const tools = new LRUCache<string, Purpose>({ max: 1000 });

function purposeOfTool(userAgent: string): Purpose {
	const known = tools.get(userAgent);
	if (known !== undefined) return known;
	const found = feedReaders.test(userAgent) ? 'feed' : linkCheckers.test(userAgent) ? 'link-checker' : 'other';
	if (userAgent.length < 1000) tools.set(userAgent, found);
	return found;
}

/** Whether the client loads what its user has not asked for yet (`Sec-Purpose`, and what older browsers send). */
export function isPrefetch(visit: Visit): boolean {
	const purpose = visit.header('sec-purpose') ?? visit.header('purpose') ?? visit.header('x-moz');
	return purpose !== undefined && /prefetch|prerender|preview/i.test(purpose);
}

/** A signed message to an inbox. */
function isDelivery(visit: Visit): boolean {
	return visit.method === 'POST' && visit.header('signature') !== undefined && /\/inbox(?:$|\?)/.test(visit.target);
}
