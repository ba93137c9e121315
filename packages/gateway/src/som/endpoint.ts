import { createHash } from 'node:crypto';
import { type Rate, TokenBuckets } from '@wayleave/io/rate';
import { type SigningKey, signRepresentation } from '@wayleave/io/signatures';
import { present } from '@wayleave/protocols';
import {
	type Agent,
	type AskRecord,
	type HostPolicies,
	type PageSignals,
	type PreparedPolicies,
	preparePolicies,
	type Verdict,
} from '@wayleave/protocols/policy';
import { readSomAddress, somDefaults, somMediaTypes } from '@wayleave/protocols/som';
import {
	type AddressFault,
	defaultReadings,
	foldPolicies,
	type PageAddress,
	type Readings,
	readPageUrl,
} from '@wayleave/protocols/url';
import { LRUCache } from 'lru-cache';
import { decideReadings, type FoldableTerms } from '../decide/decide.ts';
import { type Choice, negotiate } from './negotiate.ts';
import { type PageFields, pageLifetime, variesBy } from './page-lifetime.ts';
import { problemResponse } from './problem.ts';
import { type Representation, representationOf } from './represent.ts';
import { createSingleFlight } from './single-flight.ts';

/** A page as the site serves it to a client without cookies and credentials. */
export interface SourcePage {
	status: number;
	/** Decoded text; only used with a 2xx status. */
	html: string;
	/** Validators of the page, for the next `ifNoneMatch`. */
	etag?: string;
	/**
	 * Response headers, names in lower case: the terms of use (`X-Robots-Tag`, `Content-Usage`, …), and `Cache-Control`,
	 * `Expires`, `Age`, `Vary` and `Set-Cookie`, by which the representation may be reused.
	 */
	headers?: PageFields;
	/** The media type, where the resource is not HTML: it has no representation. */
	notHtml?: string;
}

/** Request fields that a page may vary by. */
export interface PageRequest {
	/** `Accept-Language` as the client sent it. */
	readonly acceptLanguage?: string;
}

const defaultRate: Rate = { perMinute: 120, burst: 60 };

export interface SomEndpointOptions {
	/** Pages of this origin are represented, of no other. */
	origin: string;
	/**
	 * Gets a page anonymously, as the site serves it to everybody: its own access control decides.
	 * @param etag validator of the copy at hand; answer with status 304 when it still holds.
	 * @param request what the page may vary by.
	 */
	page(url: string, etag: string | undefined, request?: PageRequest): Promise<SourcePage>;
	/** The terms of the site, as its visitors read them. */
	policies(): HostPolicies;
	/** The client. */
	agent(request: Request): Agent;
	/** How the site reads a path: a page that one of the readings withholds is not represented. Default: `defaultReadings`. */
	readings?: (request: Request) => Readings;
	/** Permissions of this client for a page (robots2 §6). Default: none. */
	/** @param fold for the paths that an answer is limited to: the address is folded too. */
	asks?: (request: Request, url: string, fold?: (scope: string) => string) => readonly AskRecord[];
	/** Names a client for the rate limit: an address, or a verified name. Default: all are one. */
	client?: (request: Request) => string;
	/** Gives what robots.txt disallows as HTML: the mode "block HTML, offer SOM". Default false. */
	offerDisallowed?: boolean;
	/** Comments and reviews are left out unless there is an agreement about them. Default false. */
	userContent?: boolean;
	/** The choice for clients without a preference. */
	defaults?: Partial<Choice>;
	/** Seconds for which a representation may be reused, unless the page allows less. Default 86,400. */
	freshness?: number;
	/** Seconds for which a copy of the page is used without asking the site, unless the page allows less. Default 60. */
	revalidate?: number;
	rate?: Rate;
	/** Characters of HTML. Default 10 million. */
	maxHtml?: number;
	/** Bytes of compiled representations that are kept. Default 64 MB. */
	cacheBytes?: number;
	/** Signs every representation (RFC 9421); its public half belongs into the key directory. */
	signingKey?: SigningKey;
	/** Lets a request in, or answers it (401 and the like). */
	authorize?: (request: Request) => Response | undefined | Promise<Response | undefined>;
	/** Milliseconds since 1970. */
	now?: () => number;
}

type Address = PageAddress & { readonly ignoreCase: boolean };

const addressFaults: Record<AddressFault, string> = {
	'not-a-url': 'the URL of the page must begin with http:// or https:// and a host',
	credentials: 'the URL of the page must not contain a user name',
	'bad-character': 'the URL contains a backslash, a tab, a line break or another character that is not allowed in URLs',
	'bad-escape': 'the path contains a % that is not followed by two hexadecimal digits: write %25',
	'dot-segment': 'the path contains . or .. in a form that servers parse differently',
	'too-ambiguous': 'the path is ambiguous: servers could parse it in too many ways',
};

interface Copy extends SourcePage {
	hash: string;
	at: number;
	/** Seconds for which the page may be reused; undefined where it does not say. */
	lifetime: number | undefined;
}

/** Why a page has no representation: its own status, or that it is not HTML, or too long. */
type Unrepresented = Pick<SourcePage, 'status' | 'notHtml' | 'headers'> & { readonly tooLarge?: boolean };

/** Seconds that must pass before a client's `Cache-Control: no-cache` makes the gateway ask the site again. */
const forcedRevalidation = 5;
/** Variants of pages that differ by `Accept-Language`; of more than these the address alone is remembered. */
const maxVarying = 10_000;

/** A Web-standard handler that gives SOM, Markdown or the accessibility tree of the pages of a site (SOM directives §4). */
export function somEndpoint(options: SomEndpointOptions): (request: Request) => Promise<Response> {
	return createSomEndpoint(options).handle;
}

/** The endpoint, and its way to convert a page where there is anything to convert. */
export function createSomEndpoint(options: SomEndpointOptions) {
	const endpoint = new Endpoint(options);
	return {
		handle: async (request: Request): Promise<Response> => {
			const response = await endpoint.handle(request);
			return response instanceof Response ? response : passOn(response);
		},
		/** As `handle`; undefined where the page is not a public HTML page with status 200. */
		convert: async (request: Request): Promise<Response | undefined> => {
			const response = await endpoint.handle(request);
			return response instanceof Response ? response : undefined;
		},
	};
}

class Endpoint {
	readonly #options: SomEndpointOptions;
	readonly #now: () => number;
	readonly #copies = new LRUCache<string, Copy>({
		maxSize: 64 * 1024 * 1024,
		sizeCalculation: (copy, url) => copy.html.length + url.length + 100,
	});
	readonly #compiled: LRUCache<string, Representation>;
	/** Pages whose response varied by `Accept-Language`. */
	readonly #varying = new LRUCache<string, true>({ maxSize: maxVarying, sizeCalculation: () => 1 });
	readonly #fetchOnce = createSingleFlight<Copy>();
	readonly #compileOnce = createSingleFlight<Representation>();
	readonly #buckets: TokenBuckets;

	constructor(options: SomEndpointOptions) {
		this.#options = options;
		this.#now = options.now ?? Date.now;
		this.#buckets = new TokenBuckets(this.#now);
		this.#compiled = new LRUCache({
			maxSize: options.cacheBytes ?? 64 * 1024 * 1024,
			sizeCalculation: ({ body }, key) => body.length + key.length + 100,
		});
	}

	/** One request: may it ask, what does it want, may it have it, give it. */
	async handle(request: Request): Promise<Response | Unrepresented> {
		if (request.method !== 'GET' && request.method !== 'HEAD') {
			return problemResponse(405, 'method-not-allowed', 'Use GET or HEAD', { headers: { allow: 'GET, HEAD' } });
		}
		const refused = (await this.#options.authorize?.(request)) ?? this.#limit(request);
		if (refused !== undefined) return refused;
		const query = new URL(request.url).search;
		const asked = readSomAddress(query);
		if (asked.refusal !== undefined) {
			return problemResponse(
				400,
				asked.refusal,
				'The query parameter "url" is missing: pass the percent-encoded URL of the page as ?url=',
			);
		}
		const readings = this.#options.readings?.(request) ?? defaultReadings;
		// Judged as it was sent: what a parser makes of it may look harmless.
		const page = readPageUrl(asked.sent, readings);
		if (typeof page === 'string') {
			return problemResponse(400, page, 'The URL is ambiguous or not valid', {
				detail: addressFaults[page],
			});
		}
		if (page.origin !== this.#options.origin) {
			return problemResponse(404, 'other-origin', `This endpoint serves only pages of ${this.#options.origin}`);
		}
		const wanted = negotiate(new URLSearchParams(query), request.headers.get('accept'), this.#defaults());
		if ('refusal' in wanted) {
			const status = wanted.refusal === 'not-acceptable' ? 406 : 400;
			return problemResponse(status, wanted.refusal, 'No such representation', { detail: wanted.detail });
		}
		return await this.#respondFor(request, { ...page, ignoreCase: readings.ignoreCase }, wanted.choice);
	}

	async #respondFor(request: Request, address: Address, choice: Choice): Promise<Response | Unrepresented> {
		const url = new URL(address.origin + address.raw).href;
		const terms = foldableTerms(this.#options.policies());
		const denied = this.#deny(request, terms, address, undefined);
		if (denied !== undefined) return denied;
		const page = await this.#copyOf(url, request);
		if (page.status < 200 || page.status > 299 || page.notHtml !== undefined) return page;
		if (page.html.length > (this.#options.maxHtml ?? 10_000_000)) return { status: page.status, tooLarge: true };
		const deniedByPage = this.#deny(request, terms, address, { source: url, headers: page.headers ?? {} });
		if (deniedByPage !== undefined) return deniedByPage;
		const representation = await this.#represent(url, page, choice);
		return await this.#respond(request, representation, choice, page);
	}

	/** The same decision as for the page itself; a Disallow of robots.txt is lifted where the operator offers SOM instead. */
	#deny(
		request: Request,
		policies: FoldableTerms<PreparedPolicies>,
		address: Address,
		page: PageSignals | undefined,
	): Response | undefined {
		const options = this.#options;
		const agent = options.agent(request);
		for (const use of ['crawl', 'read'] as const) {
			const verdict = decideReadings(address, policies, agent, (terms, path, fold) => {
				const url = address.origin + path;
				const asks = options.asks?.(request, url, fold);
				return terms.decide(use, url, {
					...(options.offerDisallowed ? { representation: 'som' as const } : {}),
					...present({ asks, page }),
				});
			});
			if (verdict !== undefined && !verdict.permitted) return forbidden(verdict);
		}
		return undefined;
	}

	#limit(request: Request): Response | undefined {
		const wait = this.#buckets.take(this.#options.client?.(request) ?? '', this.#options.rate ?? defaultRate);
		if (wait === 0) return undefined;
		const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
		return problemResponse(429, 'rate-limited', 'Too many requests', { headers });
	}

	#defaults(): Choice {
		return { scope: somDefaults.scope, format: somDefaults.format, ...this.#options.defaults };
	}

	async #copyOf(url: string, request: Request): Promise<Copy> {
		const acceptLanguage = request.headers.get('accept-language') ?? undefined;
		const key = this.#varying.has(url) ? `${url}\n${acceptLanguage ?? ''}` : url;
		const known = this.#copies.get(key);
		if (known !== undefined && this.#now() - known.at < this.#usableFor(known, request) * 1000) return known;
		const load = async () => {
			const page = await this.#options.page(url, known?.etag, { ...(acceptLanguage && { acceptLanguage }) });
			return this.#keep(url, acceptLanguage, page, known);
		};
		let isMine = false;
		const copy = await this.#fetchOnce(key, () => {
			isMine = true;
			return load();
		});
		// A response that no cache may keep belongs to the request that caused it.
		return isMine || copy.lifetime !== 0 ? copy : await load();
	}

	/** Seconds for which a copy is used without asking the site. */
	#usableFor({ lifetime }: Copy, request: Request): number {
		const wantsNew = /\b(?:no-cache|no-store|max-age\s*=\s*0+\b)/i.test(
			request.headers.get('cache-control') ?? request.headers.get('pragma') ?? '',
		);
		const usable = Math.min(this.#options.revalidate ?? 60, lifetime ?? Number.POSITIVE_INFINITY);
		return wantsNew ? Math.min(usable, forcedRevalidation) : usable;
	}

	#keep(url: string, acceptLanguage: string | undefined, page: SourcePage, known: Copy | undefined): Copy {
		const at = this.#now();
		const isSame = page.status === 304 && known !== undefined;
		// A 304 brings the headers that hold from now on (RFC 9111 §4.3.4).
		const headers = isSame ? { ...known.headers, ...page.headers } : page.headers;
		const lifetime = headers && pageLifetime(headers, at);
		const copy: Copy = isSame
			? { ...known, ...(headers && { headers }), at, lifetime }
			: { ...page, at, lifetime, hash: hash(page.html) };
		const byLanguage = headers !== undefined && variesBy(headers).includes('accept-language');
		const key = byLanguage ? `${url}\n${acceptLanguage ?? ''}` : url;
		if (byLanguage) this.#varying.set(url, true);
		// The next caller asks again for a page that failed, and for one that may not be kept.
		if (copy.status < 500 && lifetime !== 0) this.#copies.set(key, copy);
		else this.#copies.delete(key);
		return copy;
	}

	async #represent(url: string, page: Copy, choice: Choice): Promise<Representation> {
		const key = `${page.hash} ${choice.scope} ${choice.format} ${choice.tokenBudget ?? ''} ${url}`;
		const known = this.#compiled.get(key);
		if (known !== undefined) return known;
		return await this.#compileOnce(key, async () => {
			const made = await representationOf(page.html, url, choice, this.#options.userContent ?? false);
			this.#compiled.set(key, made);
			return made;
		});
	}

	async #respond(request: Request, representation: Representation, choice: Choice, page: Copy): Promise<Response> {
		const lifetime = this.#lifetimeOf(page);
		const headers: Record<string, string> = {
			etag: representation.etag,
			'cache-control': lifetime === 0 ? 'no-store' : `public, max-age=${lifetime}`,
			vary: ['Accept', 'User-Agent', 'X-Agent-Identity', ...variesBy(page.headers ?? {})].join(', '),
		};
		if (matches(request.headers.get('if-none-match'), representation.etag)) {
			return new Response(null, { status: 304, headers });
		}
		headers['content-type'] =
			choice.format === 'markdown' ? `${somMediaTypes.markdown}; charset=utf-8` : somMediaTypes[choice.format];
		headers['x-content-type-options'] = 'nosniff';
		headers['x-som-tokens'] = String(representation.tokens);
		if (choice.format === 'markdown') headers['x-markdown-tokens'] = String(representation.tokens);
		if (this.#options.signingKey !== undefined) {
			const created = Math.floor(this.#now() / 1000);
			// A signature that has expired on arrival proves nothing: a form that may not be kept is signed for a minute.
			const times = { created, expires: created + Math.max(lifetime, 60) };
			const message = { status: 200, targetUri: request.url, body: representation.body };
			Object.assign(headers, await signRepresentation(message, this.#options.signingKey, times));
		}
		headers['content-length'] = String(representation.body.length);
		return new Response(request.method === 'HEAD' ? null : representation.body, { status: 200, headers });
	}

	/** Seconds for which a representation may be reused: never longer than its page (RFC 9111 §5.2). */
	#lifetimeOf({ lifetime, at }: Copy): number {
		const freshness = this.#options.freshness ?? somDefaults.freshness;
		if (lifetime === undefined) return freshness;
		const left = Math.max(0, Math.floor(lifetime - (this.#now() - at) / 1000));
		return Math.min(freshness, left);
	}
}

const foldedPolicies = new WeakMap<HostPolicies, Map<boolean, HostPolicies | undefined>>();

/** The policies, prepared for an agent when they are needed first. */
function foldableTerms(policies: HostPolicies): FoldableTerms<PreparedPolicies> {
	const prepared = new Map<HostPolicies, PreparedPolicies>();
	const prepare = (each: HostPolicies, agent: Agent) => {
		const known = prepared.get(each) ?? preparePolicies(each, agent);
		prepared.set(each, known);
		return known;
	};
	return {
		for: (agent) => prepare(policies, agent),
		folded(ignoreCase) {
			const known = foldedPolicies.get(policies) ?? new Map<boolean, HostPolicies | undefined>();
			foldedPolicies.set(policies, known);
			if (!known.has(ignoreCase)) known.set(ignoreCase, foldPolicies(policies, ignoreCase));
			const folded = known.get(ignoreCase);
			return folded && { for: (agent) => prepare(folded, agent) };
		},
	};
}

/** The page's own status, without its text: a page that needs a login needs one here. */
function passOn({ status, notHtml, headers, tooLarge }: Unrepresented): Response {
	if (tooLarge) return problemResponse(502, 'page-too-large', 'The page is larger than the limit of this endpoint');
	if (notHtml !== undefined) {
		const detail = `The URL has ${notHtml}; only HTML pages have representations.`;
		return problemResponse(404, 'no-representation', 'The page has no representation', { detail });
	}
	if (status >= 400 && status < 500)
		return problemResponse(status, `page-${status}`, `The page responds with status ${status}`);
	if (status >= 300 && status < 400)
		return problemResponse(404, 'page-redirects', 'The page has moved: request its new URL');
	const retry = headers?.['retry-after'];
	return problemResponse(status === 503 ? 503 : 502, 'page-failed', 'The page is not available', {
		detail: `The site responds with status ${status}.`,
		...(retry !== undefined && { headers: { 'retry-after': retry } }),
	});
}

function forbidden(verdict: Verdict): Response {
	const code = verdict.effect === 'ask' ? 'ask-first' : 'not-permitted';
	return problemResponse(403, code, `The site does not permit ${verdict.use} to this agent`, {
		evidence: verdict.because,
	});
}

function matches(field: string | null, etag: string): boolean {
	if (field === null) return false;
	return field.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url');
}
