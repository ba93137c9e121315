import { fileRecordKeys, groupRecordKeys } from '../policy/vocabularies/names.ts';

const recordKeys = [...groupRecordKeys, ...fileRecordKeys];

/**
 * A record inside a value, from a lost line break: a known key after white space, or with its colon and white space
 * after it, which a path, a name or an address cannot contain; or a key in its usual spelling before a path, `*` or an
 * address.
 */
const record = new RegExp(
	[
		`\\s(?:user-agent|disallow|allow|sitemap|crawl-delay|host|noindex|clean-param|${recordKeys.join('|')})\\s*:`,
		'(?:user-agent|disallow|allow|sitemap|crawl-delay):\\s',
		'(?:User-agent|Disallow|Allow):[/*]',
		'Sitemap:https?:',
	].join('|'),
	'i',
);

/** The record inside a value, as far as it is complete; undefined if there is none. */
export function lostRecord(value: string): string | undefined {
	const at = value.includes(':') ? value.search(record) : -1;
	if (at < 0) return undefined;
	const lost = value.slice(at).trim();
	return lost.length <= 80 ? lost : `${lost.slice(0, 79)}…`;
}
