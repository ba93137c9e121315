import type { Document, Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { withoutNulls } from '../metadata/lenient-json.ts';
import type { SomLinkElement, SomStructuredData } from './types.ts';

const metaNames: ReadonlySet<string> = new Set(
	'description author keywords robots viewport generator theme-color charset'.split(' '),
);
const rels: ReadonlySet<string> = new Set([
	'canonical',
	'icon',
	'shortcut icon',
	'apple-touch-icon',
	'manifest',
	'alternate',
	'amphtml',
	'preconnect',
	'dns-prefetch',
	'author',
	'license',
	'search',
]);

/** Structured data of the page (SOM-SPEC §2.2); undefined if there is none. */
export function readStructuredData(document: Document): SomStructuredData | undefined {
	const found = {
		json_ld: [] as Record<string, unknown>[],
		open_graph: {} as Record<string, string>,
		twitter_card: {} as Record<string, string>,
		meta: {} as Record<string, string>,
		links: [] as SomLinkElement[],
	};
	walk(document.html, (node) => {
		if (node.kind !== 'element') return false;
		if (node.tag === 'meta') readMeta(node, found);
		else if (node.tag === 'link') readLink(node, found.links);
		else if (node.tag === 'script') readJsonLd(node, found.json_ld);
		return node.tag !== 'script';
	});
	const filled = Object.entries(found).filter(([, value]) => Object.keys(value).length > 0);
	return filled.length === 0 ? undefined : (Object.fromEntries(filled) as SomStructuredData);
}

function readMeta(
	meta: Element,
	found: { open_graph: Record<string, string>; twitter_card: Record<string, string>; meta: Record<string, string> },
): void {
	const { name, property, content, charset } = meta.attributes;
	if (charset !== undefined) found.meta.charset ??= charset;
	if (content === undefined) return;
	const key = (property ?? name ?? '').trim().toLowerCase();
	if (key.startsWith('og:')) found.open_graph[key] ??= content;
	else if (key.startsWith('twitter:')) found.twitter_card[key] ??= content;
	else if (metaNames.has(key)) found.meta[key] ??= content;
}

function readLink(link: Element, links: SomLinkElement[]): void {
	const { rel, href, type, hreflang } = link.attributes;
	const name = rel?.trim().toLowerCase().replace(/\s+/g, ' ') ?? '';
	if (!href || !rels.has(name)) return;
	links.push({ rel: name, href, ...(type ? { type } : {}), ...(hreflang ? { hreflang } : {}) });
}

function readJsonLd(script: Element, blocks: Record<string, unknown>[]): void {
	if (script.attributes.type?.split(';')[0]?.trim().toLowerCase() !== 'application/ld+json') return;
	try {
		const data: unknown = JSON.parse(withoutNulls(textContent(script)));
		for (const block of Array.isArray(data) ? data : [data]) {
			if (typeof block === 'object' && block !== null && !Array.isArray(block))
				blocks.push(block as Record<string, unknown>);
		}
	} catch {
		// A block that is not JSON carries no data. `extract` reads the broken ones leniently; SOM wants objects only.
	}
}
