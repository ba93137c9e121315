import type { Element } from '../dom/node.ts';
import type { MarkedItem } from '../types.ts';
import type { Collected } from './collect.ts';
import { type Item, typesOf } from './json-ld.ts';
import { visibleText } from './visible-text.ts';

/** Pages that mark more than this have lists of many things. */
const MAX_PROPERTIES = 3000;
/** Properties of a link that mean where it leads; of all others its text is meant, whatever the standards say. */
const ADDRESS = /^(?:url|item|sameas|license|image|logo|mainentityofpage|contenturl|thumbnailurl)$/;

/**
 * The items that a page marks in its text by microdata or RDFa lite, in the form of JSON-LD: those that are no property
 * of another. (HTML §5.2 "The microdata model"; RDFa Lite 1.1 §2.)
 */
export function itemsInMarkup({ marked, scopes }: Collected): Item[] {
	const items = new Map<Element, Record<string, unknown>>(scopes.map((scope) => [scope, newItem(scope)]));
	const owned = new Set<Element>();
	for (const { element, names } of marked.slice(0, MAX_PROPERTIES)) {
		const owner = ownerOf(element, items);
		if (owner === undefined) continue;
		owned.add(element);
		for (const name of names) {
			const key = NAMES.get(name) ?? name;
			const value = items.get(element) ?? valueIn(element, name);
			if (value !== '') owner[key] = [...((owner[key] as unknown[] | undefined) ?? []), value];
		}
	}
	return scopes.filter((scope) => !owned.has(scope)).map((scope) => items.get(scope)!);
}

/** Properties whose names are no single lower-case word, as JSON-LD writes them. */
const NAMES = new Map(
	['itemListElement', 'mainEntity', 'mainEntityOfPage', 'datePublished', 'dateModified', 'contentUrl'].map((name) => [
		name.toLowerCase(),
		name,
	]),
);

function newItem({ attributes }: Element): Record<string, unknown> {
	const type = (attributes.itemtype ?? attributes.typeof ?? '').trim().split(/\s+/)[0]!;
	const id = attributes.itemid ?? attributes.resource ?? attributes.href;
	const name = typesOf({ '@type': type })[0];
	// Pages choose the keys: nothing may be inherited.
	const item: Record<string, unknown> = Object.create(null);
	if (name !== undefined) item['@type'] = name;
	if (id !== undefined) item['@id'] = id;
	return item;
}

function ownerOf(element: Element, items: ReadonlyMap<Element, Record<string, unknown>>) {
	for (let at = element.parent; at !== null; at = at.parent) {
		const item = items.get(at);
		if (item !== undefined) return item;
	}
	return undefined;
}

function valueIn(element: Element, name: string): string {
	const { tag, attributes } = element;
	if (attributes.content !== undefined) return attributes.content;
	if (tag === 'link' || (tag === 'a' && ADDRESS.test(name))) return attributes.href ?? '';
	if (tag === 'img') return attributes.src ?? attributes['data-src'] ?? '';
	return attributes.datetime ?? visibleText(element, 300);
}

/** Types that describe the subject of a page, not the page itself. */
const THINGS =
	/^(?:Product|ProductGroup|Offer|Recipe|Event|\w+Event|JobPosting|Book|Movie|Course|SoftwareApplication|\w*Business|Restaurant|Hotel|Place|Person|Review|HowTo|VideoObject|Dataset|Organization)$/;
/** The most items kept per page, and the longest text of one. */
const MAX_THINGS = 50;
const MAX_TEXT = 2_000;

/** The items that a page describes by microdata or RDFa; a property with one value is not a list. */
export function thingsInMarkup(items: readonly Item[], scopes: readonly Element[]): MarkedItem[] {
	const isMicrodata = scopes.some(({ attributes }) => attributes.itemscope !== undefined);
	const source = isMicrodata ? 'microdata' : 'rdfa';
	return items
		.filter((item) => THINGS.test(typesOf(item)[0] ?? ''))
		.slice(0, MAX_THINGS)
		.map((item) => ({ source, ...(simplified(item) as Record<string, unknown> & { '@type': string }) }));
}

function simplified(value: unknown): unknown {
	if (Array.isArray(value)) return value.length === 1 ? simplified(value[0]) : value.map(simplified);
	if (typeof value === 'string') return value.slice(0, MAX_TEXT);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, simplified(member)]));
}
