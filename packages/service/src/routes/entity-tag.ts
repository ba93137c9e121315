import { createHash } from 'node:crypto';
import { parseDate } from '@wayleave/io/http';

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
	const date = request.header('if-modified-since');
	if (date === undefined || modified == null) return false;
	const since = parseDate(date);
	return Math.floor(Date.parse(modified) / 1000) * 1000 <= since;
}

/** Whether `If-None-Match` contains this entity tag. */
export function hasTag(request: { header(name: string): string | undefined }, etag: string): boolean {
	const field = request.header('if-none-match');
	if (field === undefined) return false;
	const tags = field.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
	return tags.includes('*') || tags.includes(etag);
}
