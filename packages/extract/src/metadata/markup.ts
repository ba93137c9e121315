import type { Element } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import type { Collected } from './collect.ts';
import { type Item, typesOf } from './json-ld.ts';
import { visibleText } from './visible-text.ts';

/** Pages that mark more than this have lists of many things. */
const maxProperties = 3000;
/** Properties of a link that mean where it leads; of all others its text is meant, whatever the standards say. */
const address = /^(?:url|item|sameas|license|image|logo|mainentityofpage|contenturl|thumbnailurl)$/;

/**
 * The items that a page marks in its text by microdata or RDFa lite, in the form of JSON-LD, with the syntax of each:
 * those that are not a property of another. (HTML §5.2 "The microdata model"; RDFa Lite 1.1 §2.)
 */
export function scopedItems({ marked, scopes }: Collected): { item: Item; source: 'microdata' | 'rdfa' }[] {
	const items = new Map<Element, Record<string, unknown>>(scopes.map((scope) => [scope, newItem(scope)]));
	const owned = new Set<Element>();
	const referring = referringScopes(scopes);
	for (const { element, names, spelled } of marked.slice(0, maxProperties)) {
		for (const scope of ownersOf(element, items, referring)) {
			const owner = items.get(scope);
			if (owner === undefined || scope === element) continue;
			owned.add(element);
			for (const [i, name] of names.entries()) {
				const key = markupNames.get(name) ?? spelled[i]!;
				const value = items.get(element) ?? valueIn(element, name);
				if (value === '') continue;
				const values = owner[key];
				if (Array.isArray(values)) values.push(value);
				else owner[key] = [value];
			}
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
const markupNames = new Map(
	[
		...['itemListElement', 'mainEntity', 'mainEntityOfPage', 'datePublished', 'dateModified', 'contentUrl', 'sameAs'],
		...['priceCurrency', 'lowPrice', 'highPrice', 'itemCondition', 'priceValidUntil', 'productID', 'aggregateRating'],
		...['ratingValue', 'reviewCount', 'ratingCount', 'recipeIngredient', 'recipeInstructions', 'recipeYield'],
		...['cookTime', 'prepTime', 'totalTime', 'startDate', 'endDate', 'eventStatus', 'eventAttendanceMode'],
		...['streetAddress', 'addressLocality', 'addressRegion', 'postalCode', 'addressCountry', 'datePosted'],
		...['validThrough', 'employmentType', 'hiringOrganization', 'jobLocation', 'baseSalary'],
	].map((name) => [name.toLowerCase(), name]),
);

function newItem(element: Element): Record<string, unknown> {
	const { attributes } = element;
	const types = (attributes.itemtype ?? attributes.typeof ?? '')
		.trim()
		.split(/\s+/)
		.map((type) => withoutPrefix(type, element));
	const id = attributes.itemid ?? attributes.resource ?? attributes.href;
	const names = typesOf({ '@type': types });
	// Pages choose the keys: nothing may be inherited.
	const item: Record<string, unknown> = Object.create(null);
	if (names.length > 0) item['@type'] = names.length > 1 ? names : names[0];
	if (id !== undefined) item['@id'] = id;
	return item;
}

/** How far up a prefix is looked for, and in how many characters of an attribute. */
const maxLevels = 50;
const maxPrefixes = 2000;

const schemaOrg = /^https?:\/\/(?:www\.)?schema\.org\/?#?$/i;

/** `s:Product` where a `prefix` or `xmlns:s` around it says that `s` is schema.org (RDFa Core 1.1 §7.4). */
function withoutPrefix(type: string, scope: Element): string {
	const [, prefix, name] = /^([\w-]+):(?!\/\/)(\S+)$/.exec(type) ?? [];
	if (prefix === undefined || name === undefined || prefix === 'schema') return type;
	let level = 0;
	for (let at: Element | null = scope; at !== null && level < maxLevels; at = at.parent, level++) {
		const words = at.attributes.prefix?.slice(0, maxPrefixes).trim().split(/\s+/) ?? [];
		const place = words.indexOf(`${prefix}:`);
		const iri = place === -1 ? at.attributes[`xmlns:${prefix}`] : words[place + 1];
		if (iri !== undefined) return schemaOrg.test(iri) ? name : type;
	}
	return type;
}

/** The most elements that one item can refer to, and items that can refer to one element. */
const maxReferences = 50;

/** Element → items that take in its properties by `itemref` (HTML §5.2.2). */
function referringScopes(scopes: readonly Element[]): ReadonlyMap<Element, readonly Element[]> {
	const byId = new Map<string, Element[]>();
	for (const scope of scopes)
		for (const id of scope.attributes.itemref?.trim().split(/\s+/).slice(0, maxReferences) ?? [])
			if ((byId.get(id)?.length ?? 0) < maxReferences) byId.set(id, [...(byId.get(id) ?? []), scope]);
	const referring = new Map<Element, readonly Element[]>();
	let root = scopes[0];
	if (byId.size === 0 || root === undefined) return referring;
	while (root.parent !== null) root = root.parent;
	walk(root, (node) => {
		const id = node.kind === 'element' ? node.attributes.id : undefined;
		const found = id === undefined ? undefined : byId.get(id);
		if (id === undefined || found === undefined || node.kind !== 'element') return true;
		referring.set(node, found);
		byId.delete(id);
		return true;
	});
	return referring;
}

/** The items that a property belongs to: the next one around it, and those that refer to it or to a part around it. */
function ownersOf(
	element: Element,
	items: ReadonlyMap<Element, unknown>,
	referring: ReadonlyMap<Element, readonly Element[]>,
): Iterable<Element> {
	const owners = new Set<Element>(referring.get(element));
	for (let at = element.parent; at !== null; at = at.parent) {
		if (items.has(at)) {
			owners.add(at);
			break;
		}
		for (const scope of referring.get(at) ?? []) owners.add(scope);
	}
	return owners;
}

const sourceTags: ReadonlySet<string> = new Set(['audio', 'embed', 'iframe', 'source', 'track', 'video']);

function valueIn(element: Element, name: string): string {
	const { tag, attributes } = element;
	if (attributes.content !== undefined) return attributes.content;
	if (tag === 'link' || (tag === 'a' && address.test(name))) return attributes.href ?? '';
	if (tag === 'img') return attributes.src ?? attributes['data-src'] ?? '';
	if (sourceTags.has(tag) && attributes.src !== undefined) return attributes.src;
	if (tag === 'object' && attributes.data !== undefined) return attributes.data;
	if ((tag === 'data' || tag === 'meter') && attributes.value !== undefined) return attributes.value;
	return attributes.datetime ?? visibleText(element, 300);
}
