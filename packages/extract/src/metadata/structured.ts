import type { StructuredItem } from '../types.ts';
import { type Item, isItem, type JsonLd, typesOf, valuesOf } from './json-ld.ts';
import { comparable } from './text.ts';

/** Types that describe the subject of a page. */
const subject =
	/^(?:Product|ProductGroup|ProductModel|ProductCollection|IndividualProduct|SomeProducts|Vehicle|Car|Motorcycle|Recipe|Event|\w+Event|EventSeries|Festival|Hackathon|JobPosting|Book|Movie|TVSeries|Course|CourseInstance|SoftwareApplication|MobileApplication|WebApplication|VideoGame|\w*Business|Restaurant|Hotel|HowTo|Dataset)$/;
/** Types that JSON-LD also uses for the publisher and the parts of a page. */
const part = /^(?:Offer|Place|Person|Review|VideoObject|Organization)$/;

/** Limits of what is kept of a page. */
interface Limits {
	readonly items: number;
	/** Characters of a text. */
	readonly text: number;
	/** Of a property. */
	readonly values: number;
	readonly depth: number;
	/** Of all items together. */
	readonly nodes: number;
}

const limits: Limits = { items: 50, text: 2_000, values: 200, depth: 6, nodes: 4_000 };

/** Names that schema.org has replaced. */
const renamed = new Map([
	['ingredients', 'recipeIngredient'],
	['instructions', 'recipeInstructions'],
	['yield', 'recipeYield'],
]);

interface Marked {
	readonly item: Item;
	readonly source: 'microdata' | 'rdfa';
}

/**
 * Products, recipes, events, jobs and the like in one form, whichever syntax states them: types and properties without
 * the address of the vocabulary, a property with one value not a list, references resolved. One that several syntaxes
 * state is there once: JSON-LD counts first, and the others fill in what it lacks.
 */
export function structuredItems(data: JsonLd, marked: readonly Marked[]): StructuredItem[] {
	const items = new Map<string, StructuredItem>();
	for (const { item: own, type, source } of subjectItems(data, marked, limits)) {
		if (items.size >= limits.items) break;
		const key = keyOf(type, own) ?? `${items.size}`;
		const before = items.get(key);
		if (before === undefined) items.set(key, { ...own, '@type': type, sources: [source] });
		else {
			const sources = before.sources.includes(source) ? before.sources : [...before.sources, source];
			items.set(key, { ...own, ...before, sources });
		}
	}
	return [...items.values()];
}

/** One statement about an item. */
interface SubjectItem {
	readonly item: Record<string, unknown>;
	/** The type that makes it a subject. */
	readonly type: string;
	readonly source: StructuredItem['sources'][number];
}

/** Every statement about such items in that form, JSON-LD first; what several syntaxes state is there several times. */
export function* subjectItems(data: JsonLd, marked: readonly Marked[], bounds: Limits): Generator<SubjectItem> {
	const form = new Form(data, bounds);
	for (const item of subjects(data, bounds))
		yield { item: form.item(item, 0), type: subjectType(item), source: 'json-ld' };
	for (const { item, source } of marked) {
		const type = subjectType(item);
		if (subject.test(type) || part.test(type)) yield { item: form.item(item, 0), type, source };
	}
}

/** Of several types, the one that makes it a subject. */
function subjectType(item: Item): string {
	const types = typesOf(item);
	return types.find((type) => subject.test(type)) ?? types[0] ?? '';
}

/** The same thing has the same type and name, else the same number or address. */
function keyOf(type: string, item: Record<string, unknown>): string | undefined {
	const value = [item.name, item.title, item.sku, item.url, item['@id']].find((one) => typeof one === 'string');
	return value === undefined ? undefined : `${type} ${comparable(value as string)}`;
}

/** Properties of a page or a list that lead to its subjects. */
const leads = ['mainEntity', 'itemListElement', 'item', 'itemOffered', 'hasOfferCatalog'];

/** Also what a page or a review is about. */
function leadsOf(types: readonly string[]): readonly string[] {
	if (types.some((type) => /Page$/.test(type))) return [...leads, 'about'];
	return types.some((type) => /Review$/.test(type)) ? [...leads, 'itemReviewed'] : leads;
}

/** The subjects that JSON-LD states: of the page itself, as its main entity, or in a list. */
function subjects(data: JsonLd, bounds: Limits): Item[] {
	const found = new Set<Item>();
	const look = (item: Item, depth: number): void => {
		if (found.size >= bounds.items) return;
		if (typesOf(item).some((type) => subject.test(type))) found.add(item);
		if (depth === 3) return;
		for (const property of leadsOf(typesOf(item)))
			for (const value of valuesOf(data, item, property)) if (isItem(value)) look(value, depth + 1);
	};
	for (const item of data.items) look(item, 0);
	return [...found];
}

/** Writes items in one form; of a page with very many nodes the first ones. */
class Form {
	#nodes = 0;
	readonly #data: Pick<JsonLd, 'byId'>;
	readonly #bounds: Limits;

	constructor(data: Pick<JsonLd, 'byId'>, bounds: Limits) {
		this.#data = data;
		this.#bounds = bounds;
	}

	item(item: Item, depth: number): Record<string, unknown> {
		const entries: [string, unknown][] = [];
		for (const key of Object.keys(item)) {
			if (key === '@context') continue;
			const name = key.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');
			const value = key === '@type' ? this.#types(item) : this.#property(item, key, depth);
			if (value !== undefined) entries.push([renamed.get(name) ?? name, value]);
		}
		return Object.fromEntries(entries);
	}

	#types(item: Item): unknown {
		const types = typesOf(item);
		return types.length > 1 ? types : types[0];
	}

	#property(item: Item, key: string, depth: number): unknown {
		if (depth >= this.#bounds.depth || this.#nodes > this.#bounds.nodes) return undefined;
		const values = valuesOf(this.#data, item, key)
			.slice(0, this.#bounds.values)
			.map((value) => this.#value(value, depth + 1))
			.filter((value) => value !== undefined && value !== null && value !== '');
		return values.length > 1 ? values : values[0];
	}

	#value(value: unknown, depth: number): unknown {
		this.#nodes++;
		if (typeof value === 'string') return value.trim().slice(0, this.#bounds.text);
		return isItem(value) ? this.item(value, depth) : value;
	}
}
