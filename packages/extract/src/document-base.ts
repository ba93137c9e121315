import { parseHtml } from './dom/parse.ts';
import { walk } from './dom/walk.ts';
import { baseUrlOf } from './metadata/urls.ts';

/**
 * The address that relative links of a page start from: its first `<base>` with an address, else the page's own.
 *
 * @param url of the page, absolute
 */
export function documentBase(html: string, url: string): string {
	// Few pages have one, and only these are read.
	if (!/<base\b/i.test(html)) return url;
	let base: string | undefined;
	walk(parseHtml(html).head, (node) => {
		if (node.kind !== 'element') return false;
		if (node.tag === 'base') base ??= node.attributes.href;
		return true;
	});
	return baseUrlOf(base, url);
}
