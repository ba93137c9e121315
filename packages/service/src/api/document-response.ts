import { baseUrl } from '../config/base-url.ts';
import { failureOf } from '../documents/failure.ts';
import type { Served } from '../documents/served.ts';
import { problemResponse } from '../problems/problem.ts';
import { hasTag, isKnown } from '../routes/entity-tag.ts';
import type { ServiceDeps } from '../routes/route-module.ts';
import { type MediaType, type Representation, represent } from './represent.ts';

/** A request for a document in one form. */
export interface Wanted {
	readonly headers: Headers;
	readonly type: MediaType;
	/** RFC 3339: the caller has the state fetched up to then. */
	readonly since?: string | undefined;
	/** Further fields of the response. */
	readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** The response with a stored document. */
export function storedResponse(served: Served, { headers, type, fields }: Wanted): Response {
	const { strong } = represent(served, type);
	return responseOf(strong, isKnown(headers, strong.etag, strong.headers['last-modified']), fields);
}

/** The response with a document from the store or the site, or the reason why there is none. */
export function fetchedResponse(
	served: Served,
	{ headers, type, since, fields }: Wanted,
	{ config, clock }: Pick<ServiceDeps, 'config' | 'clock'>,
): Response {
	const { document } = served.result;
	if (document === undefined) return problemResponse(failureOf(served.result, baseUrl(config), clock.now()), fields);
	// The same snapshot comes as a miss and as a hit: weakly equal (RFC 9110 §8.8.1).
	const { weak } = represent(served, type);
	const isOld = since !== undefined && Date.parse(document.source.fetched_at ?? '') <= Date.parse(since);
	return responseOf(weak, isOld || hasTag(headers, weak.etag), fields);
}

function responseOf(
	{ body, headers, unchanged }: Representation,
	isUnchanged: boolean,
	fields: Wanted['fields'],
): Response {
	const own = isUnchanged ? unchanged : headers;
	return new Response(isUnchanged ? null : body, {
		status: isUnchanged ? 304 : 200,
		headers: fields === undefined ? own : { ...own, ...fields },
	});
}

/** Problems and 304 have none. */
export const hasDocument = ({ status }: Response): boolean => status === 200;
