import { withPlainNames } from './json-ld-names.ts';
import { parseLenientJson } from './lenient-json.ts';

/** A node of linked data: an object of a JSON-LD block. */
export type Item = Readonly<Record<string, unknown>>;

export interface JsonLd {
	/** There is a block that is not empty, readable or not. */
	readonly declared: boolean;
	/** The nodes of all blocks, graphs flattened, in order. */
	readonly items: readonly Item[];
	/** Nodes by their `@id`, at any depth. */
	readonly byId: ReadonlyMap<string, Item>;
	/** How many blocks were mended, and how many could not be read. */
	readonly repaired: number;
	readonly unreadable: number;
}

/** Reads the `application/ld+json` blocks of a page. */
export function readJsonLd(sources: readonly string[]): JsonLd {
	const blocks = sources.filter((source) => source.trim() !== '');
	const items: Item[] = [];
	let repaired = 0;
	let unreadable = 0;
	for (const block of blocks) {
		const parsed = parseLenientJson(block);
		if (parsed === undefined) unreadable++;
		else {
			if (parsed.repaired) repaired++;
			items.push(...flatten(withPlainNames(parsed.value)));
		}
	}
	return { declared: blocks.length > 0, items, byId: indexById(items), repaired, unreadable };
}

function flatten(value: unknown): Item[] {
	if (Array.isArray(value)) return value.flatMap(flatten);
	if (!isItem(value)) return [];
	const graph = value['@graph'];
	if (graph === undefined) return [value];
	const { '@graph': _, '@context': __, ...own } = value;
	return [...(own['@type'] === undefined ? [] : [own]), ...flatten(graph)];
}

export function isItem(value: unknown): value is Item {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function indexById(items: readonly Item[]): Map<string, Item> {
	const byId = new Map<string, Item>();
	const look = (value: unknown, depth: number): void => {
		if (depth > 20) return;
		if (Array.isArray(value)) for (const entry of value) look(entry, depth + 1);
		else if (isItem(value)) {
			const id = value['@id'];
			// A node with nothing but its id is a reference to another.
			if (typeof id === 'string' && Object.keys(value).length > 1 && !byId.has(id)) byId.set(id, value);
			for (const member of Object.values(value)) if (typeof member === 'object') look(member, depth + 1);
		}
	};
	look(items, 0);
	return byId;
}

/** Type names without the vocabulary's address. */
export function typesOf(item: Item): string[] {
	const type = item['@type'] ?? item.type;
	return (Array.isArray(type) ? type : [type])
		.filter((name): name is string => typeof name === 'string')
		.map((name) => name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, ''))
		.filter((name) => name !== '');
}

/**
 * `structure.structured_data`: one object keyed by type; several nodes of a type become an array, nodes without a
 * type go under `Thing`.
 */
export function mergeStructuredData({ items }: Pick<JsonLd, 'items'>): Record<string, unknown> | undefined {
	const merged = new Map<string, Item[]>();
	for (const item of items) {
		const { '@context': _, ...rest } = item;
		const type = typesOf(item)[0] ?? 'Thing';
		const same = merged.get(type);
		if (same === undefined) merged.set(type, [rest]);
		else same.push(rest);
	}
	if (merged.size === 0) return undefined;
	return Object.fromEntries([...merged].map(([type, all]) => [type, all.length === 1 ? all[0] : all]));
}

/** The values of a property: arrays opened, references followed. */
export function valuesOf({ byId }: Pick<JsonLd, 'byId'>, item: Item | undefined, property: string): unknown[] {
	const value = item?.[property] ?? item?.[`schema:${property}`];
	const all = Array.isArray(value) ? value.flat(3) : value === undefined || value === null ? [] : [value];
	return all.map((entry) => {
		if (!isItem(entry) || typeof entry['@id'] !== 'string')
			return isItem(entry) && '@value' in entry ? entry['@value'] : entry;
		return Object.keys(entry).length <= 2 ? (byId.get(entry['@id']) ?? entry) : entry;
	});
}

/** The first text of a property. */
export function textOf(data: Pick<JsonLd, 'byId'>, item: Item | undefined, property: string): string | undefined {
	for (const value of valuesOf(data, item, property)) {
		if (typeof value === 'string' && value.trim() !== '') return value.trim();
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}
