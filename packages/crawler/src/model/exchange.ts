import { randomUUID } from 'node:crypto';
import { type CutExchange, type FetchAnswer, type FetchSuccess, type RawExchange, sha256 } from '@wayleave/io';

/** A request and its answer, as an archive keeps them. */
export interface Exchange {
	/** `WARC-Record-ID` of the answer. */
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
export function toExchange(answer: FetchAnswer, at: number): Exchange | undefined {
	const { url, status } = answer;
	const from = answer.ok ? { ...answer, why: answer.truncated ? ('length' as const) : undefined } : answer.cut;
	if (from?.raw === undefined || status === undefined) return undefined;
	const { raw, address, httpVersion, why } = from;
	const digest = formatDigest(raw.body);
	return { id: newRecordId(), url, at, status, raw, digest, address, httpVersion, ...(why && { truncated: why }) };
}

export const newRecordId = (): string => `<urn:uuid:${randomUUID()}>`;

/** A labelled digest (WARC 1.1 §5.8). */
export const formatDigest = (bytes: Uint8Array): string => `sha256:${Buffer.from(sha256(bytes)).toString('hex')}`;

/**
 * For whom an exchange is kept: a visit, or `policy` for the files in which a site states its terms. What is not said
 * to be kept is not: that is the rule for content that the site does not let us store.
 */
export type RecordFor = object | 'policy';
