import { metaNames } from '@wayleave/protocols/policy/names';
import type { Addresses } from '../addresses.ts';
import { relBit, typeBit } from '../dom/attribute-bits.ts';
import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import type { Page } from '../types.ts';
import { type Collected, holdsNothing } from './collect.ts';
import { type Item, isItem, type JsonLd, textOf, typesOf, valuesOf } from './json-ld.ts';
import { cleanText, comparable } from './text.ts';
import { visibleText } from './visible-text.ts';

/** The name of the site: og:site_name, linked data, application names. */
export function siteNameOf(
	{ metas }: Pick<Collected, 'metas'>,
	data: JsonLd,
	item: Item | undefined,
): string | undefined {
	const website = data.items.find((other) => typesOf(other).includes('WebSite'));
	const publisher = valuesOf(data, item, 'publisher').find(isItem);
	return (
		cleanText(metas.get('og:site_name')?.[0]) ??
		cleanText(textOf(data, website, 'name')) ??
		cleanText(textOf(data, publisher, 'name')) ??
		cleanText(metas.get('application-name')?.[0]) ??
		cleanText(metas.get('apple-mobile-web-app-title')?.[0]) ??
		cleanText(metas.get('dc.publisher')?.[0] ?? metas.get('dcterms.publisher')?.[0])
	);
}

/** The picture that stands for the page. */
export function imageOf(
	{ metas, linkTags }: Pick<Collected, 'metas' | 'linkTags'>,
	data: JsonLd,
	item: Item | undefined,
	addresses: Addresses,
): string | undefined {
	const candidates = [
		...(metas.get('og:image:secure_url') ?? []),
		...(metas.get('og:image') ?? []),
		...(metas.get('og:image:url') ?? []),
		...(metas.get('twitter:image') ?? []),
		...(metas.get('twitter:image:src') ?? []),
		...valuesOf(data, item, 'image').map((image) =>
			isItem(image) ? (textOf(data, image, 'url') ?? textOf(data, image, 'contentUrl')) : image,
		),
		...linkTags.filter((link) => hasRel(link, 'image_src')).map(({ attributes }) => attributes.href),
	];
	for (const candidate of candidates) {
		const url = typeof candidate === 'string' ? addresses.absolute(candidate) : undefined;
		if (url !== undefined) return url;
	}
	return undefined;
}

export function licenseOf(
	{ linkTags, anchors, metas }: Pick<Collected, 'linkTags' | 'anchors' | 'metas'>,
	data: JsonLd,
	item: Item | undefined,
	addresses: Addresses,
): string | undefined {
	const isLicense = (element: Element): boolean => hasRel(element, 'license');
	const linked = linkTags.find(isLicense) ?? anchors.find(isLicense);
	const values = [
		linked?.attributes.href,
		textOf(data, item, 'license'),
		textOf(data, valuesOf(data, item, 'license').find(isItem), 'url'),
		metas.get('dcterms.license')?.[0],
	];
	return (
		values.map((value) => addresses.absolute(value)).find((url) => url !== undefined) ??
		commonsLicense(anchors, addresses) ??
		cleanText(metas.get('dc.rights')?.[0] ?? metas.get('dcterms.rights')?.[0])
	);
}

/** The only Creative Commons licence that the page links to: of several each holds for a part. */
function commonsLicense(anchors: readonly Element[], addresses: Addresses): string | undefined {
	const links = new Set<string>();
	for (const { attributes } of anchors) if (commons.test(attributes.href!)) links.add(attributes.href!);
	return links.size === 1 ? addresses.absolute([...links][0]) : undefined;
}

/** Licence URLs of Creative Commons. */
const commons = /^(?:https?:)?\/\/(?:www\.)?creativecommons\.org\/(?:licenses|publicdomain)\/[\w-]+/i;

export function relsOf({ attributes }: Element): string[] {
	return (attributes.rel ?? '')
		.toLowerCase()
		.split(/\s+/)
		.filter((rel) => rel !== '');
}

export function hasRel(element: Element, rel: string): boolean {
	if ((element.attributeBits & relBit) === 0) return false;
	const { rel: all } = element.attributes;
	// Most have one that is something else.
	return all !== undefined && all.length >= rel.length && relsOf(element).includes(rel);
}

/** Media types of feeds, with the older ones that pages still use. */
const feed =
	/^application\/(?:rss|atom|feed)\+(?:xml|json)$|^application\/(?:rdf\+xml|x\.atom\+xml|x-atom\+xml)$|^text\/xml$/i;

/** `<link rel=alternate>` with the media type of a feed; `<a>` may say the same. */
export function feedsOf({ linkTags, anchors }: Collected, addresses: Addresses): NonNullable<Page['feeds']> {
	const feeds = new Map<string, NonNullable<Page['feeds']>[number]>();
	for (const link of [...linkTags, ...anchors]) {
		if ((link.attributeBits & typeBit) === 0) continue;
		const { type } = link.attributes;
		if (type === undefined || !feed.test(type.trim()) || !hasRel(link, 'alternate')) continue;
		const { href, title } = link.attributes;
		const url = addresses.absolute(href);
		if (url === undefined || feeds.has(url)) continue;
		feeds.set(url, { url, ...(title?.trim() && { title: title.trim() }), type: type.trim().toLowerCase() });
	}
	return [...feeds.values()];
}

/** The way to the page: linked data, microdata, or the links in what is called a breadcrumb. */
export function breadcrumbsOf(
	found: Collected,
	data: JsonLd,
	markup: JsonLd,
	addresses: Addresses,
): NonNullable<Page['breadcrumbs']> {
	for (const source of [data, markup]) {
		const crumbs = declaredBreadcrumbs(source, addresses);
		if (crumbs.length > 0) return crumbs;
	}
	return visibleBreadcrumbs(found, addresses);
}

function declaredBreadcrumbs(data: JsonLd, addresses: Addresses): NonNullable<Page['breadcrumbs']> {
	const list =
		data.items.find((item) => typesOf(item).includes('BreadcrumbList')) ??
		data.items.flatMap((item) => valuesOf(data, item, 'breadcrumb')).filter(isItem)[0];
	const listed = valuesOf(data, list, 'itemListElement').filter(isItem);
	const items = listed.every(({ position }) => Number(position) > 0)
		? listed.toSorted((a, b) => Number(a.position) - Number(b.position))
		: listed;
	return items.flatMap((entry) => {
		const target = valuesOf(data, entry, 'item')[0];
		const name = cleanText(textOf(data, entry, 'name') ?? (isItem(target) ? textOf(data, target, 'name') : undefined));
		const address = isItem(target) ? (target['@id'] ?? textOf(data, target, 'url')) : target;
		return name === undefined ? [] : [crumb(name, typeof address === 'string' ? address : undefined, addresses)];
	});
}

function crumb(name: string, address: string | undefined, addresses: Addresses): { name: string; url?: string } {
	const url = addresses.absolute(address);
	return { name, ...(url !== undefined && { url }) };
}

function visibleBreadcrumbs({ breadcrumbs }: Collected, addresses: Addresses): { name: string; url?: string }[] {
	for (const container of breadcrumbs.slice(0, 3)) {
		const crumbs = anchorsIn(container).flatMap((link) => {
			const name = visibleText(link, 200);
			return name === '' || comparable(name) === '' ? [] : [crumb(name, link.attributes.href, addresses)];
		});
		if (crumbs.length > 0 && crumbs.length < 12) return crumbs;
	}
	return [];
}

function anchorsIn(container: Element): Element[] {
	const anchors: Element[] = [];
	walk(container, (node) => {
		if (node.kind === 'text' || holdsNothing.has(node.tag)) return false;
		if (node.tag === 'a' && node.attributes.href !== undefined) anchors.push(node);
		return true;
	});
	return anchors;
}

/** Names of meta tags that address crawlers: robots, single crawlers, and the vocabularies of policies. */
const robots = new RegExp(
	`^(?:${[
		...metaNames,
		'[\\w-]*bot(?:-[\\w-]+)?|slurp|teoma|bingpreview|google-extended|anthropic-ai|claude-[\\w-]+|chatgpt-user|perplexity-user',
		'content-(?:usage|signal)|som-[\\w-]+|aiwebindex[\\w-]*|ai-[\\w-]*',
	].join('|')})$`,
);

export function robotsOf({ metas }: Collected): NonNullable<Page['robots']> {
	return [...metas].flatMap(([name, contents]) =>
		robots.test(name) ? contents.map((content) => ({ name, content: content.trim() })) : [],
	);
}

/** Relations that lead somewhere; style sheets, icons and hints to browsers do not. */
const noDiscovery =
	/^(?:stylesheet|icon|shortcut|apple-[\w-]+|mask-icon|preload|prefetch|preconnect|dns-prefetch|modulepreload|prerender|manifest|pingback|fluid-icon|nofollow|noopener|noreferrer|external)$/;

export function discoveryLinks({ linkTags }: Collected, addresses: Addresses): NonNullable<Page['links']> {
	return linkTags.flatMap((link) => {
		const { type, hreflang, href } = link.attributes;
		const rels = relsOf(link);
		const url =
			rels.some((rel) => !noDiscovery.test(rel)) && !rels.includes('stylesheet') ? addresses.absolute(href) : undefined;
		if (url === undefined) return [];
		return [
			{
				rel: rels.join(' '),
				url,
				...(type?.trim() && { type: type.trim() }),
				...(hreflang?.trim() && { hreflang: hreflang.trim() }),
			},
		];
	});
}

/** HTML §4.2.5.3, "shared declarative refresh steps": `5; url=/next`. */
export function refreshOf({ refreshes }: Collected, addresses: Addresses): Page['refresh'] {
	for (const { content, noscript } of refreshes) {
		// `5; url=…` as the HTML standard reads it (§4.2.5.3): seconds, then an optional URL.
		const match = /^\s*(\d+(?:\.\d*)?|\.\d+)[\s;,]*(?:url\s*=\s*)?["']?([^"']*)/i.exec(content);
		const url = match === null || match[2]!.trim() === '' ? undefined : addresses.absolute(match[2]);
		if (url !== undefined) return { seconds: Math.floor(Number(match![1])), url, noscript };
	}
	return undefined;
}
