/**
 * A record inside a value, from a lost line break: a known key after white space, or with its colon and white space
 * after it, which a path, a name or an address cannot contain; or a key in its usual spelling before a path, `*` or an
 * address.
 */
const record =
	/\s(?:user-agent|disallow|allow|sitemap|crawl-delay|host|license|noindex|content-signal|content-usage|clean-param)\s*:|(?:user-agent|disallow|allow|sitemap|crawl-delay):\s|(?:User-agent|Disallow|Allow):[/*]|Sitemap:https?:/i;

/** The record inside a value, as far as it is complete; undefined if there is none. */
export function lostRecord(value: string): string | undefined {
	const at = value.search(record);
	if (at < 0) return undefined;
	const lost = value.slice(at).trim();
	return lost.length <= 80 ? lost : `${lost.slice(0, 79)}…`;
}
