import { createHash } from 'node:crypto';
import type { PolicyNote } from '@wayleave/crawler';
import { countTokens } from '@wayleave/extract/tokens';
import { parseDate } from '@wayleave/io';
import Negotiator from 'negotiator';
import { version } from '../../version.ts';
import type { Served } from '../documents/served.ts';
import { ServiceError } from '../problem.ts';

/** As what a document goes out. `result` has the document and what travels beside it (AMB-12). */
export const forms = {
	'application/json': 'document',
	'application/vnd.wayleave.result+json': 'result',
	'text/markdown': 'markdown',
	'application/som+json': 'som',
} as const;

export type MediaType = keyof typeof forms;
export type Form = (typeof forms)[MediaType];

const mediaTypes = Object.keys(forms) as MediaType[];

/** The form that a request wants most. @throws ServiceError `not-acceptable` */
export function wantedType(accept: string | undefined): MediaType {
	const type = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaType(mediaTypes);
	if (type === undefined)
		throw new ServiceError('not-acceptable', { detail: `available are ${mediaTypes.join(', ')}` });
	return type as MediaType;
}

/** Bodies that were made of results that are still at hand. */
const made = new WeakMap<Served['result'], Map<MediaType, Body>>();

interface Body {
	readonly text: string;
	/** Once somebody has asked. */
	etag?: string;
	tokens?: number;
}

/** A document in one form, with the headers of the answer and its entity tag. */
export interface Representation {
	readonly body: string;
	readonly headers: Headers;
	readonly etag: string;
}

/** The body and headers of an answer. @throws ServiceError `not-acceptable` where the page makes no such form */
export function represent(served: Served, type: MediaType): Representation {
	const { result } = served;
	const body = bodyFor(served, type);
	return {
		body: body.text,
		get etag() {
			body.etag ??= entityTag(snapshotOf(served, type));
			return body.etag;
		},
		headers: new Headers({
			'content-type': type === 'text/markdown' ? 'text/markdown; charset=utf-8' : type,
			vary: 'accept, authorization',
			// The caller's own copy, to be asked about every time.
			'cache-control': 'private, no-cache',
			link: '</aidocument.schema.json>; rel="describedby"',
			'x-content-type-options': 'nosniff',
			...headersOf(served),
			...(type === 'text/markdown' && { 'x-markdown-tokens': String(tokensOf(served, body)) }),
			...(result.policy && { 'wayleave-policy': policyField(result.policy) }),
		}),
	};
}

function bodyFor(served: Served, type: MediaType): Body {
	const bodies = made.get(served.result) ?? new Map<MediaType, Body>();
	made.set(served.result, bodies);
	const body = bodies.get(type) ?? { text: bodyOf(served, forms[type]) };
	bodies.set(type, body);
	return body;
}

function bodyOf({ result, som }: Served, form: Form): string {
	switch (form) {
		case 'document':
			return JSON.stringify(result.document);
		case 'result':
			return JSON.stringify(resultLine(result));
		case 'markdown':
			return result.document!.content.markdown;
		case 'som':
			if (som === undefined)
				throw new ServiceError('not-acceptable', { detail: 'the page is not HTML', url: result.url });
			return som;
	}
}

/** Tokens of the Markdown (cl100k_base), so that a caller can check whether it fits before reading it. */
function tokensOf({ result: { document } }: Served, body: Body): number {
	body.tokens ??= document?.economics?.output_tokens_approx ?? countTokens(body.text);
	return body.tokens;
}

/** The headers about a page, not about the call: one snapshot has one tag in each format. */
function snapshotOf({ result: { url, document, policy }, som }: Served, type: MediaType): string {
	const { source, content, identity } = document ?? {};
	return JSON.stringify([type, version, url, source?.fetched_at, identity, content?.markdown, policy, som]);
}

/** A result as in a file of results: the document alone and valid by itself, everything else beside it. */
export function resultLine({
	url,
	outcome,
	reason,
	redirectedTo,
	document,
	policy,
	page,
	representation,
}: Served['result']) {
	return {
		url,
		outcome,
		...(reason && { reason }),
		...(redirectedTo && { redirected_to: redirectedTo }),
		...(document && { document }),
		...(policy && { policy }),
		...(page && { page }),
		...(representation && { representation }),
	};
}

function headersOf({ result: { outcome, reason, document } }: Served): Record<string, string> {
	const fetchedAt = document?.source.fetched_at;
	return {
		'wayleave-outcome': reason === undefined ? outcome : `${outcome}; reason=${reason}`,
		...(document && { 'wayleave-cache': document.cache.status }),
		...(fetchedAt !== undefined && { 'last-modified': new Date(fetchedAt).toUTCString() }),
	};
}

/** What the site asks of whoever uses the page, as a structured dictionary (RFC 9651): `read=allow, attribution`. */
export function policyField({ uses, obligations = {}, limits = {} }: PolicyNote): string {
	const members = Object.entries({ ...uses, ...obligations, ...limits }).map(([name, value]) => {
		const key = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
		if (value === true) return key;
		if (typeof value === 'number') return `${key}=${value}`;
		const text = String(value);
		return /^[A-Za-z*][\w\-.:*/]*$/.test(text)
			? `${key}=${text}`
			: `${key}="${text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\"]/g, '\\$&')}"`;
	});
	return members.join(', ');
}

/** A strong entity tag (RFC 9110 §8.8.3). */
export function entityTag(body: string): string {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether what the client has is what it would be given (RFC 9110 §13.2.2). */
export function isKnown(
	request: { header(name: string): string | undefined },
	etag: string,
	modified?: string | null,
): boolean {
	if (request.header('if-none-match') !== undefined) return hasTag(request, etag);
	const since = parseDate(request.header('if-modified-since') ?? '');
	return modified != null && Math.floor(Date.parse(modified) / 1000) * 1000 <= since;
}

/** Whether `If-None-Match` contains this entity tag. */
export function hasTag(request: { header(name: string): string | undefined }, etag: string): boolean {
	const tags = (request.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
	return tags.includes('*') || tags.includes(etag);
}
