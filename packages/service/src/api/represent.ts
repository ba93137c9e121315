import { chunkerFor, type PolicyNote } from '@wayleave/crawler';
import { countTokens } from '@wayleave/extract/tokens';
import { present } from '@wayleave/protocols';
import Negotiator from 'negotiator';
import { version } from '../config/version.ts';
import type { Served } from '../documents/served.ts';
import { ServiceError } from '../problems/problem.ts';
import { entityTag } from '../routes/entity-tag.ts';

/** Formats of a document. `result` has the document with its terms and metadata. */
export const forms = {
	'application/json': 'document',
	'application/vnd.wayleave.result+json': 'result',
	'text/markdown': 'markdown',
	'application/som+json': 'som',
} as const;

export type MediaType = keyof typeof forms;
export type Form = (typeof forms)[MediaType];

const mediaTypes = Object.keys(forms) as MediaType[];

/** The types that have a place for chunks and fields. */
const resultTypes: readonly MediaType[] = ['application/vnd.wayleave.result+json'];

/**
 * The form that a request wants most.
 *
 * @param beside the member of the request that asks for more than the document has, if there is one
 * @throws ServiceError `not-acceptable`
 */
export function wantedType(accept: string | undefined, beside: 'chunk_tokens' | 'fields' | undefined): MediaType {
	const available = beside === undefined ? mediaTypes : resultTypes;
	const type = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaType([...available]);
	if (type === undefined) {
		const names = available.join(', ');
		const detail = beside === undefined ? `available are ${names}` : `with ${beside} only ${names} is available`;
		throw new ServiceError('not-acceptable', { detail });
	}
	return type as MediaType;
}

/** The same with the document in chunks, if the caller wants them. The copy is not kept: it would be one per budget. */
export async function withChunks(served: Served, tokens: number | undefined): Promise<Served> {
	if (tokens === undefined) return served;
	const addChunks = await chunkerFor({ tokens });
	return { ...served, result: addChunks(served.result) };
}

/** A document in one form. It depends on the result alone, so all callers share it. */
export interface Representation {
	readonly body: Uint8Array<ArrayBuffer>;
	/** With the entity tag. */
	readonly headers: Readonly<Record<string, string>>;
	/** The headers of an answer 304. */
	readonly unchanged: Readonly<Record<string, string>>;
	/** The strong tag (RFC 9110 §8.8.3). */
	readonly etag: string;
}

/**
 * Representations of results that are still in the cache of documents. A result that the site, its owner or the store
 * changes is another object, with representations of its own.
 */
const made = new WeakMap<Served['result'], Map<MediaType, Both>>();

/** Under a strong entity tag and under the same as a weak one. */
interface Both {
	readonly strong: Representation;
	readonly weak: Representation;
}

/** The answer with a document. @throws ServiceError `not-acceptable` where the page makes no such form */
export function represent(served: Served, type: MediaType): Both {
	let known = made.get(served.result);
	if (known === undefined) {
		known = new Map();
		made.set(served.result, known);
	}
	let both = known.get(type);
	if (both === undefined) {
		const strong = makeRepresentation(served, type);
		both = { strong, weak: weakened(strong) };
		known.set(type, both);
	}
	return both;
}

function weakened(strong: Representation): Representation {
	const etag = `W/${strong.etag}`;
	return { ...strong, headers: { ...strong.headers, etag }, unchanged: { ...strong.unchanged, etag } };
}

function makeRepresentation(served: Served, type: MediaType): Representation {
	const { policy } = served.result;
	const text = bodyOf(served, forms[type]);
	const etag = entityTag(snapshotOf(served, type));
	const unchanged = {
		vary: 'accept, authorization',
		// The caller's own copy, to be asked about every time.
		'cache-control': 'private, no-cache',
		link: '</aidocument.schema.json>; rel="describedby"',
		'x-content-type-options': 'nosniff',
		...headersOf(served),
		...(type === 'text/markdown' && { 'x-markdown-tokens': String(tokensOf(served, text)) }),
		...(policy && { 'wayleave-policy': policyField(policy) }),
		etag,
	};
	const contentType = type === 'text/markdown' ? 'text/markdown; charset=utf-8' : type;
	return {
		body: new TextEncoder().encode(text),
		headers: { 'content-type': contentType, ...unchanged },
		unchanged,
		etag,
	};
}

function bodyOf({ result, som }: Served, form: Form): string {
	switch (form) {
		case 'document':
			return JSON.stringify(result.document);
		case 'result':
			return JSON.stringify(resultLine(result));
		case 'markdown':
			return result.document?.content.markdown ?? '';
		case 'som':
			if (som === undefined)
				throw new ServiceError('not-acceptable', {
					detail: 'SOM documents are made from HTML pages only',
					url: result.url,
				});
			return som;
	}
}

/** Tokens of the Markdown (cl100k_base), so that a caller can check whether it fits before reading it. */
function tokensOf({ result: { document } }: Served, text: string): number {
	return document?.economics?.output_tokens_approx ?? countTokens(text);
}

/** The headers about a page, not about the call: one snapshot has one tag in each format. */
function snapshotOf({ result: { url, document, policy, page, chunks }, som }: Served, type: MediaType): string {
	const { source, content, identity } = document ?? {};
	const cuts = chunks?.map(({ id }) => id);
	return JSON.stringify([
		type,
		version,
		url,
		source?.fetched_at,
		identity,
		content?.markdown,
		policy,
		som,
		cuts,
		page?.fields?.schema,
	]);
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
	chunks,
}: Served['result']) {
	const { fields, ...rest } = page ?? {};
	return {
		url,
		outcome,
		...present({ reason, redirected_to: redirectedTo, document, policy }),
		...(page && { page: rest }),
		...present({ representation, fields, chunks }),
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

/** Obligations for using the page, as a structured dictionary (RFC 9651): `read=allow, attribution`. */
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
