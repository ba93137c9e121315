import { parseUrl } from '@wayleave/protocols/url';
import { parseHtml } from './dom/parse.ts';
import { walk } from './dom/walk.ts';
import { namesOnePage } from './metadata/stated-address.ts';

/**
 * The address that a saved page gives itself: its absolute canonical link, else `og:url`, else an absolute `<base>`.
 * `og:url` comes first if the link names the front page of a site or a part of a page. Undefined when it gives none.
 */
export function declaredUrl(html: string): string | undefined {
	const { head } = parseHtml(html);
	let canonical: string | undefined;
	let graph: string | undefined;
	let base: string | undefined;
	walk(head, (node) => {
		if (node.kind !== 'element') return false;
		const { rel, href, property, content } = node.attributes;
		if (node.tag === 'link' && rel?.toLowerCase().split(/\s+/).includes('canonical')) canonical ??= absolute(href);
		if (node.tag === 'meta' && property === 'og:url') graph ??= absolute(content);
		if (node.tag === 'base') base ??= absolute(href);
		return true;
	});
	return [canonical, graph].find((url) => url !== undefined && namesOnePage(url)) ?? canonical ?? graph ?? base;
}

function absolute(address: string | undefined): string | undefined {
	return address !== undefined && /^\s*https?:/i.test(address) ? parseUrl(address.trim())?.href : undefined;
}
