import { present } from '@wayleave/protocols';
import { Addresses } from '../addresses.ts';
import type { Document, Element } from '../dom/node.ts';
import type { Extraction, Page, PageType } from '../types.ts';
import { alternatesOf } from './alternates.ts';
import { type Collected, collect } from './collect.ts';
import { type Item, isItem, type JsonLd, mergeStructuredData, readJsonLd, textOf } from './json-ld.ts';
import { languageOf } from './language.ts';
import { isArticle, mainItem } from './main-item.ts';
import { scopedItems } from './markup.ts';
import {
	breadcrumbsOf,
	discoveryLinks,
	feedsOf,
	hasRel,
	imageOf,
	licenseOf,
	refreshOf,
	robotsOf,
	siteNameOf,
} from './page.ts';
import { authorsOf } from './people.ts';
import { jsonLdProblems } from './problems.ts';
import { datesOf } from './published.ts';
import { Shown } from './shown.ts';
import { addressInstead } from './stated-address.ts';
import { furtherOf, headingsOf, imagesOf, linksOf } from './structure.ts';
import { structuredItems } from './structured.ts';
import { cleanText, comparable } from './text.ts';
import { bestTitle, identityTitle } from './title.ts';
import { baseUrlOf, hostOf } from './urls.ts';

export interface MetadataOptions {
	/** Content-Language header of the response. */
	readonly contentLanguage?: string;
	/** The main text, asked for only when nothing declares the language. */
	readonly mainText?: () => string;
	/** The type of the page. */
	readonly contentType?: PageType | undefined;
	/** The author of the first post, if the page is a thread. */
	readonly starter?: string | undefined;
}

/** All of an extraction that does not depend on what the main content is. */
export type Metadata = Omit<Extraction, 'url' | 'contentType' | 'markdown' | 'text'> & {
	/** Relative ones start from `<base>`, else from the page's own. */
	readonly addresses: Addresses;
};

/**
 * Reads what a page says about itself, in one walk: AIDocument fields to the letter of the draft, everything else
 * as `page`. Sources: JSON-LD, microdata, RDFa, Open Graph, Dublin Core, meta tags, at last what it shows.
 *
 * @param url of the page: absolute, after redirects
 */
export function readMetadata(document: Document, url: string, options: MetadataOptions = {}): Metadata {
	const found = collect(document);
	const data = readJsonLd(found.jsonLd);
	const addresses = new Addresses(baseUrlOf(found.base, url));
	const language = languageOf(
		[
			document.html.attributes.lang,
			document.html.attributes['xml:lang'],
			document.body.attributes.lang,
			options.contentLanguage,
			found.metas.get('content-language')?.[0],
		],
		options.mainText ?? (() => ''),
	);
	return present({
		addresses,
		title: identityTitle(found),
		description: descriptionOf(found),
		language,
		canonicalUrl: canonicalOf(found, addresses),
		headings: headingsOf(found),
		links: linksOf(found, addresses, url),
		further: some(furtherOf(found, addresses)),
		images: imagesOf(found, addresses),
		structuredData: mergeStructuredData(data),
		hasJsonLd: data.declared,
		page: pageOf(document, found, data, addresses, url, language ?? '', options.contentType, options.starter),
	});
}

/** People and dates on these pages belong to the listed items. */
const lists: ReadonlySet<PageType | undefined> = new Set<PageType>(['home', 'listing', 'collection', 'product']);

function pageOf(
	document: Document,
	found: Collected,
	data: JsonLd,
	addresses: Addresses,
	url: string,
	language: string,
	contentType: PageType | undefined,
	starter: string | undefined,
): Page {
	const titles = [
		identityTitle(found),
		found.title,
		...found.headings.filter(({ level }) => level === 1).map(({ text }) => text),
	];
	const item = mainItem(
		data,
		url,
		titles.filter((title) => title !== undefined),
	);
	// Markup in the text only fills gaps.
	const scoped = scopedItems(found);
	const markup: JsonLd = { ...data, items: scoped.map(({ item }) => item), byId: new Map() };
	const marked = mainItem(
		markup,
		url,
		titles.filter((one) => one !== undefined),
	);
	const isList = lists.has(contentType) && !isArticle(item) && !isArticle(marked);
	const siteName = siteNameOf(found, data, item) ?? siteNameOf(nothing, markup, marked);
	const title =
		bestTitle(found, data, item, siteName, hostOf(url), contentType === 'home') ??
		cleanText(textOf(markup, marked, 'headline'));
	const heading = headingOf(found, title) ?? found.main;
	const shown = new Shown(document, heading, found.names, contentType === 'forum');
	return present({
		address: contentType === 'home' ? undefined : addressOf(found, data, item, addresses, url, title),
		title,
		author: authorsOf({ found, data, item, shown, siteName, isList, starter, language }),
		...datesOf({ found, data, item, shown, language, url, isList, isThread: contentType === 'forum' }),
		siteName,
		image: imageOf(found, data, item, addresses) ?? imageOf(nothing, markup, marked, addresses),
		license: licenseOf(found, data, item, addresses) ?? licenseOf(nothing, markup, marked, addresses),
		feeds: some(feedsOf(found, addresses)),
		breadcrumbs: some(breadcrumbsOf(found, data, markup, addresses)),
		structuredData: some(structuredItems(data, scoped)),
		robots: some(robotsOf(found)),
		links: some(discoveryLinks(found, addresses)),
		alternates: some(alternatesOf(found, addresses)),
		refresh: refreshOf(found, addresses),
		problems: some(jsonLdProblems(data)),
	});
}

/** Of an image or a licence that is marked in the text, the mark is the only source. */
const nothing = { metas: new Map<string, string[]>(), linkTags: [], anchors: [] };

/** The heading that says the title, else the first one of the highest level. */
function headingOf({ headings }: Collected, title: string | undefined): Element | undefined {
	const level = (wanted: number) => headings.find((heading) => heading.level === wanted);
	return (headings.find(({ text }) => text === title) ?? level(1) ?? level(2))?.element;
}

/** `meta name=description`, else `og:description`; empty ones are passed over. */
function descriptionOf({ metas }: Collected): string | undefined {
	const values = [...(metas.get('description') ?? []), ...(metas.get('og:description') ?? [])];
	return values.map((value) => cleanText(value)).find((text) => text !== undefined);
}

/** Resolved, http(s) only. */
function canonicalOf({ linkTags }: Collected, addresses: Addresses): string | undefined {
	const tag = linkTags.find((link) => hasRel(link, 'canonical') && link.attributes.href?.trim());
	return addresses.absolute(tag?.attributes.href);
}

/** Without a canonical link: the address that Open Graph states, or JSON-LD with the title of the page. */
function addressOf(
	found: Collected,
	data: JsonLd,
	item: Item | undefined,
	addresses: Addresses,
	url: string,
	title: string | undefined,
): string | undefined {
	const names = [textOf(data, item, 'headline'), textOf(data, item, 'name')];
	const isPage =
		title !== undefined && names.some((name) => name !== undefined && comparable(name) === comparable(title));
	const main = item?.mainEntityOfPage;
	const linked = isPage
		? [textOf(data, item, 'url'), typeof main === 'string' ? main : isItem(main) ? main['@id'] : undefined]
		: [];
	const stated = [found.metas.get('og:url')?.[0], ...linked].map((address) =>
		typeof address === 'string' ? addresses.absolute(address) : undefined,
	);
	return addressInstead(canonicalOf(found, addresses), url, stated);
}

function some<T>(list: T[]): T[] | undefined {
	return list.length > 0 ? list : undefined;
}

export { charsetProblem, type PageProblem, type PageProblemCode, pageProblems } from './problems.ts';
