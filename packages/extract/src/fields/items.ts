import type { Document } from '../dom/node.ts';
import { collect } from '../metadata/collect.ts';
import { readJsonLd } from '../metadata/json-ld.ts';
import { scopedItems } from '../metadata/markup.ts';
import { subjectItems } from '../metadata/structured.ts';
import { comparable } from '../metadata/text.ts';
import type { StructuredItem } from '../types.ts';
import { isOfType } from './terms.ts';
import type { FieldSource } from './types.ts';

export type Node = Readonly<Record<string, unknown>>;

/** An item that a page describes, or a part of one, and where it is. */
export interface PlacedItem {
	readonly item: Node;
	readonly from: FieldSource['from'];
	/** `Product.offers[1]`. */
	readonly at: string;
}

/** What names the page, to tell what it is about. */
export interface PageNames {
	readonly titles: readonly string[];
	readonly urls: readonly string[];
}

/** Larger than those of `page.structuredData`, which every page of a crawl has. */
const limits = { items: 200, text: 100_000, values: 1_000, depth: 8, nodes: 20_000 };

/** The items of a page by syntax, JSON-LD first. */
export function itemsOf(document: Document): PlacedItem[] {
	const found = collect(document);
	const items = [...subjectItems(readJsonLd(found.jsonLd), scopedItems(found), limits)].slice(0, limits.items);
	return items.map(({ item, source }) => ({ item, from: source, at: typesOf(item)[0] ?? 'item' }));
}

/** The items that a stored page has. */
export function itemsOfStored(items: readonly StructuredItem[]): PlacedItem[] {
	return items.map(({ sources, ...item }) => {
		const [only] = sources;
		return { item, from: sources.length === 1 && only !== undefined ? only : 'structured-data', at: item['@type'] };
	});
}

export function typesOf(item: Node): readonly string[] {
	const type = item['@type'];
	return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
}

/** The items that a page is about, by syntax; several that it calls the same are one. */
export interface MainItems {
	readonly items: readonly PlacedItem[];
	/** Different items that could be meant alike. */
	readonly rivals: readonly PlacedItem[];
}

/**
 * Chooses what a page is about: the item with its title or its address. One that is about another page is not taken, even
 * if it is the only one.
 */
export function mainItems(all: readonly PlacedItem[], types: readonly string[], names: PageNames): MainItems {
	const ofType = all.filter(({ item }) => isOfType(typesOf(item), types) && (types.length > 0 || !isPart(item)));
	const items: PlacedItem[] = [];
	const rivals: PlacedItem[] = [];
	for (const from of new Set(ofType.map((one) => one.from))) {
		const own = ofType.filter((one) => one.from === from);
		const scores = own.map((one) => scoreOf(one.item, names));
		const highest = Math.max(...scores);
		const best = own.filter((_, index) => scores[index] === highest);
		const isSame = new Set(best.map(({ item }) => identityOf(item))).size === 1;
		if (highest > 0 && isSame) items.push(...best);
		else if (highest > 0) rivals.push(...best);
		// Without a title that fits, the only one counts, unless its address or its name says otherwise.
		else if (highest === 0 && isSame && own.length === best.length && best.some(({ item }) => sharesWord(item, names)))
			items.push(...best);
	}
	// Where one syntax names the page's item, one that could be any of several adds nothing.
	return { items, rivals: items.length > 0 ? [] : rivals };
}

/** Whether the name of an item has a word of the titles of the page; true where either has none. */
function sharesWord(item: Node, { titles }: PageNames): boolean {
	const own = longWords(nameOf(item) ?? '');
	const known = new Set(titles.flatMap(longWords));
	return own.length === 0 || known.size === 0 || own.some((word) => known.has(word));
}

/** Words of three letters or digits and more; of scripts without spaces, pairs of characters. */
const longWord = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}|[\p{L}\p{N}]{3,}/gu;
const longWords = (text: string): string[] => text.toLowerCase().slice(0, 500).match(longWord) ?? [];

/** Types of parts of a page; they are its subject only for schemas that ask for them. */
const parts = /^(?:Offer|Place|Person|Review|VideoObject|Organization)$/;

const isPart = (item: Node): boolean => typesOf(item).every((type) => parts.test(type));

function scoreOf(item: Node, { titles, urls }: PageNames): number {
	const name = comparable(nameOf(item) ?? '');
	const own = titles.map(comparable).filter((title) => title !== '');
	const named =
		name === ''
			? 0
			: own.includes(name)
				? 4
				: own.some((title) => isWithin(name, title) || isWithin(title, name))
					? 2
					: 0;
	const addresses = [item.url, item['@id'], addressIn(item.mainEntityOfPage)]
		.filter((address) => typeof address === 'string')
		.map(pathOf);
	const isHere = addresses.some((address) => urls.some((url) => isSamePlace(pathOf(url), address)));
	if (isHere) return named + 3;
	const isElsewhere = typeof item.url === 'string' && /[^#]/.test(pathOf(item.url)) && named === 0;
	return isElsewhere ? -1 : named;
}

const isWithin = (part: string, whole: string): boolean =>
	part.length >= 6 && whole.includes(part) && part.length * 4 >= whole.length;

function addressIn(value: unknown): unknown {
	return typeof value === 'object' && value !== null ? (value as Node)['@id'] : value;
}

/** Without what several addresses of one page differ in. */
const pathOf = (address: string): string =>
	address
		.replace(/[?#].*$/s, '')
		.replace(/^https?:\/\/(?:www\.)?/i, '//')
		.replace(/\/$/, '');

/** Items often have the path only. */
const isSamePlace = (url: string, address: string): boolean =>
	address !== '' &&
	(url === address || (address.startsWith('/') && !address.startsWith('//') && url.endsWith(address)));

function nameOf(item: Node): string | undefined {
	for (const name of [item.name, item.title, item.headline]) if (typeof name === 'string') return name;
	return undefined;
}

/** The same item, stated twice. */
const identityOf = (item: Node): string =>
	comparable(nameOf(item) ?? '') || JSON.stringify(item['@id'] ?? item.url ?? item.sku ?? '');

/** Says which of several entries of a list are meant, such as offers in a wanted currency. */
export type Filter = (prefix: string, entries: readonly PlacedItem[]) => readonly PlacedItem[];

/** A value at the end of a path. */
export interface PlacedValue {
	readonly value: unknown;
	/** As the page writes it, if the value has its unit from another place. */
	readonly written?: string | number;
	readonly from: FieldSource['from'];
	readonly at: string;
}

/** The values at a path of an item; `.` is the item itself. */
export function valuesAt(start: PlacedItem, path: readonly string[], filter: Filter): PlacedValue[] {
	let places: readonly PlacedItem[] = [start];
	for (const [index, name] of path.entries()) {
		const isLast = index === path.length - 1;
		const found = places.flatMap((place) => entriesOf(place, name));
		if (isLast)
			return name === 'price' || name === 'priceCurrency' ? found.filter(({ owner }) => !isOldPrice(owner)) : found;
		const objects = found
			.filter(({ value }) => isNode(value))
			.map(({ value, from, at }) => ({ item: value as Node, from, at }));
		if (objects.length === 0) return [];
		places = objects.length > 1 ? filter(path.slice(0, index + 1).join('.'), objects) : objects;
	}
	return [];
}

function entriesOf({ item, from, at }: PlacedItem, name: string): (PlacedValue & { readonly owner: Node })[] {
	if (!Object.hasOwn(item, name)) return name === 'price' ? priceOfRange(item, from, at) : [];
	const value = item[name];
	const all = (Array.isArray(value) ? value : [value]).slice(0, limits.values);
	return all
		.filter((one) => one !== null && one !== undefined && one !== '')
		.map((one, index) => ({ value: one, from, at: `${at}.${name}${all.length > 1 ? `[${index}]` : ''}`, owner: item }));
}

/** A range of prices from one number to the same number is a price. */
function priceOfRange(item: Node, from: FieldSource['from'], at: string): (PlacedValue & { readonly owner: Node })[] {
	const { lowPrice, highPrice } = item;
	if (lowPrice === undefined || Number(lowPrice) !== Number(highPrice)) return [];
	return [{ value: lowPrice, from, at: `${at}.lowPrice`, owner: item }];
}

/** The price before a reduction, or the one of the maker (schema.org/PriceTypeEnumeration). */
const isOldPrice = ({ priceType }: Node): boolean =>
	typeof priceType === 'string' &&
	/(?:ListPrice|StrikethroughPrice|MSRP|SRP|MinimumAdvertisedPrice|InvoicePrice)$/i.test(priceType);

export const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members in which a thing has its value where a text or a number is wanted. */
const plainMembers = ['@value', 'value', 'name', 'text', 'url', 'contentUrl', '@id'];
const addressMembers = ['@value', 'url', 'contentUrl', '@id'];

/** Units of measurement by UN/CEFACT code, which schema.org/unitCode has. */
const unitCodes: Readonly<Record<string, string>> = {
	...{ KGM: 'kg', GRM: 'g', MGM: 'mg', LBR: 'lb', ONZ: 'oz', MTR: 'm', CMT: 'cm', MMT: 'mm', INH: 'in', FOT: 'ft' },
	...{ LTR: 'l', MLT: 'ml', WTT: 'w', KWH: 'kwh', MIN: 'minutes', HUR: 'hours', SEC: 'seconds' },
};

/** A measured value with its unit, which must be that of the field: `0.12 kg`. */
function measured({ value, unitCode, unitText }: Node): string | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	const code = typeof unitCode === 'string' ? unitCode.toUpperCase() : '';
	const unit = Object.hasOwn(unitCodes, code) ? unitCodes[code] : undefined;
	if (unit !== undefined) return `${value} ${unit}`;
	const isShort = typeof unitText === 'string' && /^(?:[kmc]?[glm]|lbs?|oz)$/i.test(unitText);
	return isShort ? `${value} ${unitText}` : undefined;
}

/** A thing as a text or a number: its value, its name or its address. */
export function plainValue({ value, from, at }: PlacedValue, isAddress: boolean): PlacedValue | undefined {
	if (!isNode(value)) return { value, from, at };
	const withUnit = measured(value);
	if (withUnit !== undefined && !isAddress)
		return { value: withUnit, written: value.value as string | number, from, at: `${at}.value` };
	for (const name of isAddress ? addressMembers : plainMembers) {
		const own = Object.hasOwn(value, name) ? value[name] : undefined;
		if (typeof own === 'string' || typeof own === 'number') return { value: own, from, at: `${at}.${name}` };
	}
	return undefined;
}
