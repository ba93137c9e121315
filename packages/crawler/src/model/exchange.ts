import { randomUUID } from 'node:crypto';
import { sha256 } from '@wayleave/io/hash';
import type { CutExchange, FetchResult, FetchSuccess, RawExchange } from '@wayleave/io/http';

/** A request and its response, as an archive keeps them. */
export interface Exchange {
	/** `WARC-Record-ID` of the response. */
	readonly id: string;
	readonly url: string;
	/** When the request went out; milliseconds since 1970. */
	readonly at: number;
	readonly status: number;
	readonly raw: RawExchange;
	/** Of the body as it is kept. */
	readonly digest: string;
	/** The address that answered. */
	readonly address: string;
	readonly httpVersion: FetchSuccess['httpVersion'];
	/** Why the body is incomplete, if it is (`WARC-Truncated`). */
	readonly truncated?: CutExchange['why'];
	/** The earlier record with the same content, where there is one. */
	repeats?: Capture;
}

/** The record of an archive that holds the content of a page. */
export interface Capture {
	readonly id: string;
	/** RFC 3339. */
	readonly at: string;
	readonly digest: string;
	/** The archive that it is in. */
	readonly archive: string;
}

/** Undefined if nothing was received. @param at when the request was sent */
export function toExchange(response: FetchResult, at: number): Exchange | undefined {
	const { url, status } = response;
	const from = response.ok ? { ...response, why: response.truncated ? ('length' as const) : undefined } : response.cut;
	if (from?.raw === undefined || status === undefined) return undefined;
	const { raw, address, httpVersion, why } = from;
	const digest = formatDigest(raw.body);
	return { id: newRecordId(), url, at, status, raw, digest, address, httpVersion, ...(why && { truncated: why }) };
}

export const newRecordId = (): string => `<urn:uuid:${randomUUID()}>`;

/** A labelled digest (WARC 1.1 §5.8). */
export const formatDigest = (bytes: Uint8Array): string => `sha256:${Buffer.from(sha256(bytes)).toString('hex')}`;

/**
 * The owner of an archived exchange: a visit, or `policy` for the policy files of a site. Anything not marked
 * is not archived: that is the rule for content that the site does not let us store.
 */
export type RecordFor = object | 'policy';
