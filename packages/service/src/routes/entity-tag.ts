import { createHash } from 'node:crypto';
import { parseDate } from '@wayleave/io/http';

/** A strong entity tag (RFC 9110 §8.8.3). */
export function entityTag(body: string): string {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether what the client has is what it would be given (RFC 9110 §13.2.2). */
export function isKnown(headers: Headers, etag: string, modified?: string | null): boolean {
	if (headers.get('if-none-match') !== null) return hasTag(headers, etag);
	const date = headers.get('if-modified-since');
	if (date === null || modified == null) return false;
	const since = parseDate(date);
	return Math.floor(Date.parse(modified) / 1000) * 1000 <= since;
}

/** Whether `If-None-Match` contains this entity tag. */
export function hasTag(headers: Headers, etag: string): boolean {
	const field = headers.get('if-none-match');
	if (field === null) return false;
	const tags = field.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
	return tags.includes('*') || tags.includes(etag);
}
