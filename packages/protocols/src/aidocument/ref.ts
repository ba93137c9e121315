import { hexOf } from '../internal/hex.ts';
import { maxJsonDepth } from '../internal/json-text.ts';
import { canonicalJson } from './canonical-json.ts';
import type { AIDocument } from './types.ts';

/** SHA-256, synchronous: `node:crypto` has one, and `@noble/hashes` where there is no Node. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The groups that say what a document is; the others say how it was come by. */
export type Fingerprinted = Pick<AIDocument, 'source' | 'identity' | 'content' | 'structure'>;

/**
 * The content-addressed name of a document, `aidoc:sha256:` and 32 hex digits (AIWebIndex 2.0 §4.2 schema).
 *
 * SHA-256 over the canonical JSON of an object with the present ones of the eleven fields that the draft names
 *: it stays the same over cache states and re-crawls of an unchanged page. Refs of other makers are opaque.
 */
export function documentRef(document: Fingerprinted, sha256: Sha256): string {
	const fields = fingerprint(document);
	const text = canonicalJson(fields) ?? canonicalJson(toInterchangeable(fields, 0));
	if (text === undefined) throw new TypeError('the document has values that JSON cannot hold');
	return `aidoc:sha256:${hexOf(sha256(new TextEncoder().encode(text))).slice(0, 32)}`;
}

function fingerprint({ source, identity, content, structure }: Fingerprinted): Record<string, unknown> {
	return {
		url: source.url,
		canonical_url: source.canonical_url,
		title: identity.title,
		description: identity.description,
		language: identity.language,
		content_type: identity.content_type,
		markdown: content.markdown,
		headings: structure.headings,
		links: structure.links,
		images: structure.images,
		structured_data: structure.structured_data,
	};
}

/**
 * Replaces values that canonical JSON does not allow: lone surrogates become U+FFFD, as in UTF-8; numbers beyond
 * all bounds (`1e999`) null, as JSON.stringify writes them; what lies too deep null.
 */
function toInterchangeable(value: unknown, depth: number): unknown {
	if (typeof value === 'string') return value.replace(/\p{Cs}/gu, '\ufffd');
	if (typeof value !== 'object' || value === null)
		return Number.isFinite(value) || typeof value === 'boolean' ? value : null;
	if (depth >= maxJsonDepth) return null;
	if (Array.isArray(value)) return value.map((item) => toInterchangeable(item, depth + 1));
	const members = Object.entries(value).filter(([, member]) => member !== undefined);
	return Object.fromEntries(
		members.map(([name, member]) => [toInterchangeable(name, depth), toInterchangeable(member, depth + 1)]),
	);
}
