import { buildAgentIdentity } from '../identity/index.ts';
import type { DirectiveName } from './directives.ts';
import { type HeaderFields, headerList, headerValues } from './header-fields.ts';
import { matchScope } from './scope.ts';

/** The identity that asks: the implementation and its category. */
export interface AskIdentity {
	readonly name: string;
	readonly version: string;
	readonly category: string;
}

export interface AskRequest {
	readonly method: 'HEAD';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

export const askPath = '/.well-known/robots2-ask';

/**
 * The request that asks a site for a permission (robots2.txt 0.2.1 §6): the identity with its category stands in
 * the header, name and version in the query. No HTTP cache may answer it.
 *
 * @param page any URL of the site that is asked.
 * @throws IdentityError when a part of the identity could break a header.
 */
export function buildAskRequest(page: string | URL, directive: DirectiveName, identity: AskIdentity): AskRequest {
	const identified = buildAgentIdentity(identity);
	const agent = `${encodeURIComponent(identity.name)}/${encodeURIComponent(identity.version)}`;
	return {
		method: 'HEAD',
		url: new URL(`${askPath}?directive=${directive}&agent=${agent}`, page).href,
		headers: { 'X-Agent-Identity': identified, 'Cache-Control': 'no-cache' },
	};
}

/** The decision of a site. `maxAge` is its lifetime in seconds. */
export type AskAnswer =
	| { readonly decision: 'allow'; readonly scopes: readonly string[]; readonly maxAge: number }
	/** Good for one use of one directive on one URL, never again. */
	| { readonly decision: 'allow-once'; readonly scopes: readonly string[]; readonly maxAge: 0 }
	| { readonly decision: 'deny'; readonly why: 'denied' | 'no-endpoint' | 'unparseable'; readonly maxAge: number }
	/** Not now. `retryAfter` is the header as it came: seconds or a date. */
	| { readonly decision: 'later'; readonly retryAfter?: string; readonly maxAge: 0 };

/** "Agents SHOULD cache allow responses for no more than 24 hours". */
const maxAllowAge = 24 * 3600;
/** Our own limit for a refusal, so that a site can change its mind. */
const maxDenyAge = 3600;

/**
 * Reads the answer to an ask: all but a 200 with exactly one known decision is a refusal, 429 and 503 mean later
 * (robots2.txt 0.2.1 §6).
 */
export function readAskResponse(response: { readonly status: number; readonly headers: HeaderFields }): AskAnswer {
	const { status, headers } = response;
	if (status === 429 || status === 503) {
		const [retryAfter] = headerValues(headers, 'retry-after');
		return { decision: 'later', maxAge: 0, ...(retryAfter !== undefined && { retryAfter }) };
	}
	// A refusal is kept for a while even where it came with no-store: asking again for each page would be worse.
	const maxAge = Math.min(freshness(headers) || maxDenyAge, maxDenyAge);
	if (status !== 200)
		return { decision: 'deny', why: status === 404 || status === 405 ? 'no-endpoint' : 'unparseable', maxAge };
	const decisions = new Set(headerList(headers, 'x-robots2-decision').map((value) => value.toLowerCase()));
	const [decision] = decisions.size === 1 ? decisions : [];
	const scopes = headerList(headers, 'x-robots2-scope');
	if (decision === 'allow') return { decision, scopes, maxAge: Math.min(freshness(headers), maxAllowAge) };
	if (decision === 'allow-once') return { decision, scopes, maxAge: 0 };
	return { decision: 'deny', why: decision === 'deny' ? 'denied' : 'unparseable', maxAge };
}

/** Whether an answer lets the directive be acted upon at `url`; outside of its scopes it is a refusal. */
export function answerAllows(answer: AskAnswer, url: string | URL): boolean {
	if (answer.decision !== 'allow' && answer.decision !== 'allow-once') return false;
	return answer.scopes.length === 0 || answer.scopes.some((scope) => matchScope(scope, url));
}

/** Seconds that the answer says it is fresh for; infinite where it does not say. */
function freshness(headers: HeaderFields): number {
	const directives = headerList(headers, 'cache-control').map((value) => value.toLowerCase());
	if (directives.includes('no-store') || directives.includes('no-cache')) return 0;
	const ages = directives.flatMap((value) => /^max-age="?(\d+)"?$/.exec(value)?.[1] ?? []).map(Number);
	const age = Number(headerList(headers, 'age').find((value) => /^\d+$/.test(value)) ?? 0);
	return Math.max(0, Math.min(...ages) - age);
}
