import { createHash } from 'node:crypto';
import type { SigningKey } from '@wayleave/io';
import { signRepresentation } from '@wayleave/io';
import {
	type Agent,
	type AskRecord,
	type HostPolicies,
	type PreparedPolicies,
	preparePolicies,
	type Verdict,
} from '@wayleave/protocols/policy';
import { readSomRequest, somDefaults, somMediaTypes } from '@wayleave/protocols/som';
import { LRUCache } from 'lru-cache';
import { createRateLimiter, createSingleFlight, type Rate } from './limits.ts';
import { type Choice, negotiate } from './negotiate.ts';
import { problemResponse } from './problem.ts';
import { type Representation, representationOf } from './represent.ts';

/** A page as the site gives it to somebody without cookies and credentials. */
export interface SourcePage {
	status: number;
	/** Decoded text; only used with a 2xx status. */
	html: string;
	/** Validators of the page, for the next `ifNoneMatch`. */
	etag?: string;
	/** Response headers that tell terms of use (`X-Robots-Tag`, `Content-Usage`, …). */
	headers?: Readonly<Record<string, string>>;
}

export interface SomEndpointOptions {
	/** Pages of this origin are represented, of no other. */
	origin: string;
	/**
	 * Gets a page anonymously, as the site serves it to everybody: its own access control decides.
	 * @param etag validator of the copy at hand; answer with status 304 when it still holds.
	 */
	page(url: string, etag: string | undefined): Promise<SourcePage>;
	/** The terms of the site, as its visitors read them. */
	policies(): HostPolicies;
	/** Who asks. */
	agent(request: Request): Agent;
	/** What has been answered to the asks of this client, and holds for a page (robots2 §6). Default: nothing. */
	asks?: (request: Request, url: string) => readonly AskRecord[];
	/** Names a client for the rate limit: an address, or a verified name. Default: all are one. */
	client?: (request: Request) => string;
	/** Gives what robots.txt disallows as HTML: the mode "block HTML, offer SOM" (AMB-04). Default false. */
	offerDisallowed?: boolean;
	/** Comments and reviews are left out unless there is an agreement about them. Default false. */
	userContent?: boolean;
	/** What is served to whoever states no preference. */
	defaults?: Partial<Choice>;
	/** Seconds that a representation may be reused. Default 86,400. */
	freshness?: number;
	/** Seconds that a copy of the page is taken without asking the site. Default 60. */
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

interface Copy extends SourcePage {
	hash: string;
	at: number;
}

/** A Web-standard handler that gives SOM, Markdown or the accessibility tree of the pages of a site (SOM directives §4). */
export function somEndpoint(options: SomEndpointOptions): (request: Request) => Promise<Response> {
	const endpoint = new Endpoint(options);
	return (request) => endpoint.handle(request);
}

class Endpoint {
	private readonly options: SomEndpointOptions;
	private readonly now: () => number;
	private readonly copies = new LRUCache<string, Copy>({
		maxSize: 64 * 1024 * 1024,
		sizeCalculation: (copy, url) => copy.html.length + url.length + 100,
	});
	private readonly compiled: LRUCache<string, Representation>;
	private readonly fetchOnce = createSingleFlight<Copy>();
	private readonly compileOnce = createSingleFlight<Representation>();
	private readonly limiter: ReturnType<typeof createRateLimiter>;

	constructor(options: SomEndpointOptions) {
		this.options = options;
		this.now = options.now ?? Date.now;
		this.limiter = createRateLimiter(options.rate ?? { perMinute: 120, burst: 60 }, this.now);
		this.compiled = new LRUCache({
			maxSize: options.cacheBytes ?? 64 * 1024 * 1024,
			sizeCalculation: ({ body }, key) => body.length + key.length + 100,
		});
	}

	/** One request: may it ask, what does it want, may it have it, give it. */
	async handle(request: Request): Promise<Response> {
		if (request.method !== 'GET' && request.method !== 'HEAD') {
			return problemResponse(405, 'method-not-allowed', 'Only GET and HEAD', { headers: { allow: 'GET, HEAD' } });
		}
		const refused = (await this.options.authorize?.(request)) ?? this.limit(request);
		if (refused !== undefined) return refused;
		const query = new URL(request.url).search;
		const asked = readSomRequest(query);
		if (asked.refusal !== undefined) {
			return problemResponse(400, asked.refusal, 'Say which page: ?url= and its percent-encoded address');
		}
		if (new URL(asked.url).origin !== this.options.origin) {
			return problemResponse(404, 'other-origin', `Only pages of ${this.options.origin} are represented here`);
		}
		const wanted = negotiate(new URLSearchParams(query), request.headers.get('accept'), this.defaults());
		if ('refusal' in wanted) {
			const status = wanted.refusal === 'not-acceptable' ? 406 : 400;
			return problemResponse(status, wanted.refusal, 'No such representation', { detail: wanted.detail });
		}
		return await this.answer(request, asked.url, wanted.choice);
	}

	private async answer(request: Request, url: string, choice: Choice): Promise<Response> {
		const prepared = preparePolicies(this.options.policies(), this.options.agent(request));
		const asks = this.options.asks?.(request, url);
		const denied = this.deny(prepared, url, undefined, asks);
		if (denied !== undefined) return denied;
		const page = await this.copyOf(url);
		if (page.status < 200 || page.status > 299) return passOn(page.status);
		if (page.html.length > (this.options.maxHtml ?? 10_000_000)) {
			return problemResponse(502, 'page-too-large', 'The page is larger than what is compiled here');
		}
		const deniedByPage = this.deny(prepared, url, page, asks);
		if (deniedByPage !== undefined) return deniedByPage;
		const representation = await this.represent(url, page, choice);
		return await this.respond(request, representation, choice);
	}

	/** The same decision as for the page itself; a Disallow of robots.txt is lifted where the operator offers SOM instead. */
	private deny(
		prepared: PreparedPolicies,
		url: string,
		page: SourcePage | undefined,
		asks: readonly AskRecord[] | undefined,
	): Response | undefined {
		const occasion = {
			...(this.options.offerDisallowed ? { representation: 'som' as const } : {}),
			...(asks === undefined ? {} : { asks }),
			...(page?.headers === undefined ? {} : { page: { source: url, headers: page.headers } }),
		};
		for (const use of ['crawl', 'read'] as const) {
			const verdict = prepared.decide(use, url, occasion);
			if (!verdict.permitted) return forbidden(verdict);
		}
		return undefined;
	}

	private limit(request: Request): Response | undefined {
		const wait = this.limiter.take(this.options.client?.(request) ?? '');
		if (wait === 0) return undefined;
		const headers = { 'retry-after': String(Math.ceil(wait / 1000)) };
		return problemResponse(429, 'rate-limited', 'Too many requests', { headers });
	}

	private defaults(): Choice {
		return { scope: somDefaults.scope, format: somDefaults.format, ...this.options.defaults };
	}

	private async copyOf(url: string): Promise<Copy> {
		const known = this.copies.get(url);
		if (known !== undefined && this.now() - known.at < (this.options.revalidate ?? 60) * 1000) return known;
		return await this.fetchOnce(url, async () => {
			const page = await this.options.page(url, known?.etag);
			const copy =
				page.status === 304 && known !== undefined
					? { ...known, at: this.now() }
					: { ...page, at: this.now(), hash: hash(page.html) };
			// What could not be had is asked for again by the next caller.
			if (copy.status < 500) this.copies.set(url, copy);
			return copy;
		});
	}

	private async represent(url: string, page: Copy, choice: Choice): Promise<Representation> {
		const key = `${page.hash} ${choice.scope} ${choice.format} ${choice.tokenBudget ?? ''} ${url}`;
		const known = this.compiled.get(key);
		if (known !== undefined) return known;
		return await this.compileOnce(key, async () => {
			const made = await representationOf(page.html, url, choice, this.options.userContent ?? false);
			this.compiled.set(key, made);
			return made;
		});
	}

	private async respond(request: Request, representation: Representation, choice: Choice): Promise<Response> {
		const headers: Record<string, string> = {
			etag: representation.etag,
			'cache-control': `public, max-age=${this.options.freshness ?? somDefaults.freshness}`,
			vary: 'Accept, User-Agent, X-Agent-Identity',
		};
		if (matches(request.headers.get('if-none-match'), representation.etag)) {
			return new Response(null, { status: 304, headers });
		}
		headers['content-type'] =
			choice.format === 'markdown' ? `${somMediaTypes.markdown}; charset=utf-8` : somMediaTypes[choice.format];
		headers['x-content-type-options'] = 'nosniff';
		headers['x-som-tokens'] = String(representation.tokens);
		if (this.options.signingKey !== undefined) {
			const created = Math.floor(this.now() / 1000);
			const times = { created, expires: created + (this.options.freshness ?? somDefaults.freshness) };
			const message = { status: 200, targetUri: request.url, body: representation.body };
			Object.assign(headers, await signRepresentation(message, this.options.signingKey, times));
		}
		headers['content-length'] = String(representation.body.length);
		return new Response(request.method === 'HEAD' ? null : representation.body, { status: 200, headers });
	}
}

/** The page's own answer, without its text: what needs a login there needs one here. */
function passOn(status: number): Response {
	if (status >= 400 && status < 500) return problemResponse(status, `page-${status}`, `The page answers ${status}`);
	if (status >= 300 && status < 400)
		return problemResponse(404, 'page-redirects', 'The page has moved: ask for its new address');
	return problemResponse(502, 'page-failed', 'The page could not be had', { detail: `status ${status}` });
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
