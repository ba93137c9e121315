import type { SchemaReader } from '@wayleave/extract/fields';
import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import { KnownTexts } from '../documents/known-texts.ts';
import type { Served } from '../documents/served.ts';
import { type Callers, callerAtHand } from '../keys/access.ts';
import type { Caller } from '../keys/caller.ts';
import type { Scope } from '../keys/scopes.ts';
import { announcesJson } from '../routes/json-body.ts';
import type { Recorder } from '../routes/observe.ts';
import type { ServiceDeps } from '../routes/route-module.ts';
import { fetchedResponse, storedResponse } from './document-response.ts';
import { withFields } from './fields.ts';
import type { MediaType } from './represent.ts';

/** The meaning of `GET /v1/document`. */
export interface CachedCall {
	readonly url: string;
	readonly tokens: number | undefined;
	readonly type: MediaType;
}

/** The meaning of `POST /v1/aidocument`. */
export interface FetchCall extends CachedCall {
	readonly freshnessPolicy: FreshnessPolicy;
	/** RFC 3339: the caller has the state fetched up to then. */
	readonly since: string | undefined;
	readonly fields: SchemaReader | undefined;
}

/** Paths of the two routes. */
export const paths = { cached: '/v1/document', fetch: '/v1/aidocument' } as const;

type Deps = Pick<ServiceDeps, 'config' | 'clock' | 'documents' | 'limits'> & {
	readonly callers: Callers;
	readonly record: Recorder;
};

/** A document that is sent to a caller at once. */
interface Ready {
	readonly caller: Caller;
	readonly served: Served;
}

/**
 * Responds to requests for documents that were served before, without the router and its middleware: their meaning is
 * known, and the key, the preferences of the owner and the document are in memory. Each of these is checked for every
 * request. Until the response is certain, nothing is counted: the routes serve all other requests, refusals, and keys with a
 * quota, for which the database is asked. They are the reference for what a response contains
 * (docs/decisions/0028-repeated-requests.md).
 */
export class RepeatedRequests {
	/** By `textOf` the `Accept` field and the URL of the request. The routes add what they found valid. */
	readonly cached = new KnownTexts<CachedCall>();
	/** By `textOf` the `Accept` field and the body. */
	readonly fetches = new KnownTexts<FetchCall>();
	readonly #deps: Deps;
	/** Bodies that were read here, for the routes. */
	readonly #bodies = new WeakMap<Request, Promise<string>>();

	constructor(deps: Deps) {
		this.#deps = deps;
	}

	/** Undefined if the routes have to serve the request. */
	respond(request: Request): Response | Promise<Response | undefined> | undefined {
		try {
			if (request.method === 'GET') return this.#get(request);
			if (request.method === 'POST' && isAt(request.url, paths.fetch)) return this.#post(request);
		} catch {
			// The routes refuse the request for the same reason.
		}
		return undefined;
	}

	/** The body of a request, if it was read before the routes got it. */
	bodyOf(request: Request): Promise<string> | undefined {
		return this.#bodies.get(request);
	}

	#get(request: Request): Response | undefined {
		const { headers, method, url } = request;
		const call = this.cached.get(textOf(headers.get('accept'), url));
		if (call === undefined) return undefined;
		const start = performance.now();
		const caller = this.#callerOf(headers, 'documents:read');
		const ready = caller && this.#prepare(call, caller);
		if (ready === undefined) return undefined;
		const response = storedResponse(ready.served, { headers, type: call.type, fields: this.#fieldsFor(ready.caller) });
		return this.#recorded(response, { method, route: paths.cached, start, caller: ready.caller });
	}

	#post(request: Request): Promise<Response | undefined> | undefined {
		const { headers } = request;
		if (!announcesJson(headers, this.#deps.config.bodyLimit)) return undefined;
		const start = performance.now();
		const caller = this.#callerOf(headers, 'documents:fetch');
		if (caller === undefined) return undefined;
		const body = request.text();
		const leave = () => {
			this.#bodies.set(request, body);
			return undefined;
		};
		return body.then((text) => this.#postAgain(text, { headers, caller, start }) ?? leave()).catch(leave);
	}

	#postAgain(
		text: string,
		{ headers, caller, start }: { headers: Headers; caller: Caller; start: number },
	): Response | undefined {
		const call = this.fetches.get(textOf(headers.get('accept'), text));
		if (call === undefined || call.fields !== undefined || call.freshnessPolicy !== 'cache_first') return undefined;
		const ready = this.#prepare(call, caller);
		const served = ready && this.#deps.documents.deliver(ready.served);
		if (served === undefined) return undefined;
		const { type, since } = call;
		const wanted = { headers, type, since, fields: this.#fieldsFor(caller) };
		const response = fetchedResponse(served, wanted, this.#deps);
		return this.#recorded(response, { method: 'POST', route: paths.fetch, start, caller });
	}

	/** The caller, if it is known, may have what it asks for, and has no quota. @throws ServiceError */
	#callerOf(headers: Headers, scope: Scope): Caller | undefined {
		const { callers, limits } = this.#deps;
		const caller = callerAtHand(callers, headers);
		const mayHave = caller?.quota === undefined && caller?.scopes.has(scope) && limits.hasRequest(caller);
		return mayHave ? caller : undefined;
	}

	/** Takes a request from the limit of the caller if the document is at hand. @throws ServiceError */
	#prepare({ url, tokens, type }: CachedCall, caller: Caller): Ready | undefined {
		const { documents, limits } = this.#deps;
		if (tokens !== undefined || type === 'application/som+json') return undefined;
		const found = documents.atHand(url);
		if (found === undefined || !limits.tryRequest(caller)) return undefined;
		return { caller, served: withFields(found, undefined) };
	}

	#fieldsFor(caller: Caller): Readonly<Record<string, string>> | undefined {
		return caller.rate === undefined ? undefined : this.#deps.limits.rateFields(caller);
	}

	#recorded(
		response: Response,
		{ method, route, start, caller }: { method: string; route: string; start: number; caller: Caller },
	): Response {
		this.#deps.record({ method, path: route, route, status: response.status, start, key: caller.id });
		return response;
	}
}

/** All of a request that says what it wants. @param request its URL or its body */
export const textOf = (accept: string | null | undefined, request: string): string => `${accept ?? ''}\n${request}`;

/** Whether a URL has this path, and no query. */
const isAt = (url: string, path: string): boolean =>
	url.endsWith(path) && url.indexOf('/', 8) === url.length - path.length;
