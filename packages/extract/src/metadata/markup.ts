import type { Element } from '../dom/node.ts';
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
export function itemsInMarkup(found: Collected): Item[] {
	return scopedItems(found).map(({ item }) => item);
}

/** The same with the syntax of each. */
export function scopedItems({ marked, scopes }: Collected): { item: Item; source: 'microdata' | 'rdfa' }[] {
	const items = new Map<Element, Record<string, unknown>>(scopes.map((scope) => [scope, newItem(scope)]));
	const owned = new Set<Element>();
	for (const { element, names, spelled } of marked.slice(0, MAX_PROPERTIES)) {
		const owner = ownerOf(element, items);
		if (owner === undefined) continue;
		owned.add(element);
		for (const [i, name] of names.entries()) {
			const key = NAMES.get(name) ?? spelled[i]!;
			const value = items.get(element) ?? valueIn(element, name);
			if (value !== '') owner[key] = [...((owner[key] as unknown[] | undefined) ?? []), value];
		}
	}
	return scopes
		.filter((scope) => !owned.has(scope))
		.map((scope) => ({
			item: items.get(scope)!,
			source: scope.attributes.itemscope === undefined ? 'rdfa' : 'microdata',
		}));
}

/** The spelling of schema.org: pages write some in lower case. */
const NAMES = new Map(
	[
		...['itemListElement', 'mainEntity', 'mainEntityOfPage', 'datePublished', 'dateModified', 'contentUrl', 'sameAs'],
		...['priceCurrency', 'lowPrice', 'highPrice', 'itemCondition', 'priceValidUntil', 'productID', 'aggregateRating'],
		...['ratingValue', 'reviewCount', 'ratingCount', 'recipeIngredient', 'recipeInstructions', 'recipeYield'],
		...['cookTime', 'prepTime', 'totalTime', 'startDate', 'endDate', 'eventStatus', 'eventAttendanceMode'],
		...['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry', 'datePosted'],
		...['validThrough', 'employmentType', 'hiringOrganization', 'jobLocation', 'baseSalary'],
	].map((name) => [name.toLowerCase(), name]),
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
