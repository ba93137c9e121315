import type { StructuredItem } from '../types.ts';
import { type Item, isItem, type JsonLd, typesOf, valuesOf } from './json-ld.ts';
import { comparable } from './text.ts';

/** Types that describe the subject of a page. */
const subject =
	/^(?:Product|ProductGroup|ProductModel|ProductCollection|IndividualProduct|SomeProducts|Vehicle|Car|Motorcycle|Recipe|Event|\w+Event|EventSeries|Festival|Hackathon|JobPosting|Book|Movie|TVSeries|Course|CourseInstance|SoftwareApplication|MobileApplication|WebApplication|VideoGame|\w*Business|Restaurant|Hotel|HowTo|Dataset)$/;
/** Types that JSON-LD also uses for the publisher and the parts of a page. */
const part = /^(?:Offer|Place|Person|Review|VideoObject|Organization)$/;

/** Limits of what is kept of a page. */
const limits = { items: 50, text: 2_000, values: 200, depth: 6, nodes: 4_000 };

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
	const form = new Form(data);
	const items = new Map<string, StructuredItem>();
	const add = (item: Item, source: StructuredItem['sources'][number]): void => {
		if (items.size >= limits.items) return;
		const own = form.item(item, 0);
		const type = subjectType(item);
		const key = keyOf(type, own) ?? `${items.size}`;
		const before = items.get(key);
		if (before === undefined) items.set(key, { ...own, '@type': type, sources: [source] });
		else {
			const sources = before.sources.includes(source) ? before.sources : [...before.sources, source];
			items.set(key, { ...own, ...before, sources });
		}
	};
	for (const item of subjects(data)) add(item, 'json-ld');
	for (const { item, source } of marked) {
		const type = subjectType(item);
		if (subject.test(type) || part.test(type)) add(item, source);
	}
	return [...items.values()];
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

/** The subjects that JSON-LD states: of the page itself, as its main entity, or in a list. */
function subjects(data: JsonLd): Item[] {
	const found = new Set<Item>();
	const look = (item: Item, depth: number): void => {
		if (found.size >= limits.items) return;
		if (typesOf(item).some((type) => subject.test(type))) found.add(item);
		if (depth === 3) return;
		const isPage = typesOf(item).some((type) => /Page$/.test(type));
		for (const property of isPage ? [...leads, 'about'] : leads)
			for (const value of valuesOf(data, item, property)) if (isItem(value)) look(value, depth + 1);
	};
	for (const item of data.items) look(item, 0);
	return [...found];
}

/** Writes items in one form; of a page with very many nodes the first ones. */
class Form {
	#nodes = 0;
	readonly #data: Pick<JsonLd, 'byId'>;

	constructor(data: Pick<JsonLd, 'byId'>) {
		this.#data = data;
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
		if (depth >= limits.depth || this.#nodes > limits.nodes) return undefined;
		const values = valuesOf(this.#data, item, key)
			.slice(0, limits.values)
			.map((value) => this.#value(value, depth + 1))
			.filter((value) => value !== undefined && value !== null && value !== '');
		return values.length > 1 ? values : values[0];
	}

	#value(value: unknown, depth: number): unknown {
		this.#nodes++;
		if (typeof value === 'string') return value.trim().slice(0, limits.text);
		return isItem(value) ? this.item(value, depth) : value;
	}
}
