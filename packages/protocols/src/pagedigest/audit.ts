import { hexOf } from '../internal/hex.ts';
import type { Digest, ManifestEntry } from './types.ts';

/** Hashes bytes; Node and edge runtimes have their own. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The answer to a GET of a listed URL with `Accept-Encoding: identity`, redirects not followed. */
export interface AuditedResponse {
	readonly status: number;
	/** The body as it came over the wire. */
	readonly body: Uint8Array;
	/** Whether the body was cut short, by a limit or by the connection. */
	readonly truncated?: boolean;
	/** The value of the `Content-Encoding` header. */
	readonly contentEncoding?: string | null;
	/** The value of the `Vary` header. */
	readonly vary?: string | null;
}

/** Why an audit proves nothing. */
export type InconclusiveReason = 'no-digest' | 'status' | 'truncated' | 'encoded' | 'varies';

export type AuditVerdict =
	| { readonly verdict: 'match' }
	| { readonly verdict: 'mismatch'; readonly expected: Digest; readonly actual: Digest }
	| { readonly verdict: 'inconclusive'; readonly reason: InconclusiveReason };

/**
 * Compares what was served with what the manifest claims (pagedigest §5.2). Only the plain 200 representation is
 * hashed: redirects, errors, encoded bodies and answers that vary by client prove nothing.
 */
export function auditDigest(entry: ManifestEntry, response: AuditedResponse, sha256: Sha256): AuditVerdict {
	const { digest: expected } = entry;
	if (expected === undefined) return { verdict: 'inconclusive', reason: 'no-digest' };
	const reason = whyInconclusive(response);
	if (reason !== undefined) return { verdict: 'inconclusive', reason };
	const actual = digestOf(response.body, sha256);
	return actual === expected ? { verdict: 'match' } : { verdict: 'mismatch', expected, actual };
}

function whyInconclusive(response: AuditedResponse): InconclusiveReason | undefined {
	if (response.status !== 200) return 'status';
	if (response.truncated === true) return 'truncated';
	if (names(response.contentEncoding).some((name) => name !== 'identity')) return 'encoded';
	if (names(response.vary).some((name) => name !== 'accept-encoding')) return 'varies';
	return undefined;
}

function names(header: string | null | undefined): string[] {
	const parts = (header ?? '').toLowerCase().split(',');
	return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The digest of a body, as manifests write it. */
export function digestOf(body: Uint8Array, sha256: Sha256): Digest {
	return `sha256:${hexOf(sha256(body))}`;
}

/**
 * Draws the URLs to audit among those that the manifest let us skip: each with probability `rate`, so that the
 * draws spread over the whole site (pagedigest §5.2). `random` gives numbers from 0 up to, not including, 1.
 */
export function sampleAudits(
	skipped: Iterable<string>,
	entries: ReadonlyMap<string, ManifestEntry>,
	rate: number,
	random: () => number,
): string[] {
	const drawn: string[] = [];
	if (!(rate > 0)) return drawn;
	for (const key of skipped) if (entries.get(key)?.digest !== undefined && random() < rate) drawn.push(key);
	return drawn;
}
