import type { Element } from '../dom/node.ts';
import { type Coerced, coerce, type Found, type Setting } from './coerce.ts';
import {
	type Filter,
	isNode,
	mainItems,
	type PageNames,
	type PlacedItem,
	type PlacedValue,
	plainValue,
	typesOf,
	valuesAt,
} from './items.ts';
import type { ArrayNode, FieldNode, ObjectNode, ScalarNode } from './nodes.ts';
import { type ElementFinder, pickedText } from './select.ts';
import type { StatedTable, Statements } from './statements.ts';
import { plain } from './statements.ts';
import { generic, isKnownName, isOfType, metasOf, unitIn, wordsOf } from './terms.ts';
import { escapePointer, labelForm } from './text-forms.ts';
import type { AmbiguousField, FieldSource, InvalidField } from './types.ts';

/** What is known of a page, from which a schema is filled. */
export interface FieldEvidence extends Setting {
	readonly items: readonly PlacedItem[];
	readonly names: PageNames;
	/** `content` of meta tags by name. */
	readonly metas: ReadonlyMap<string, readonly string[]>;
	/** Metadata of the page by the name of its term. */
	readonly metadata: ReadonlyMap<string, string | readonly string[]>;
	readonly statements: Statements;
	/** Undefined without the HTML. */
	readonly root: Element | undefined;
	readonly finder: ElementFinder;
	/** Texts of items that are this long were cut. */
	readonly cutAt: number;
}

/** Bounds of what is reported of one page. */
const limits = { entries: 500, reports: 1_000, candidates: 10 };

/** Where the fields of an object are looked for. */
interface Scope {
	readonly items: readonly PlacedItem[];
	readonly filter: Filter;
	/** Of the page itself: its meta tags, metadata and statements. */
	readonly isPage: boolean;
	/** The document's labels may name its fields. */
	readonly isStated: boolean;
	/** Undefined where no element is known to be the object. */
	readonly element: Element | undefined;
	/** Cells of a row by label. */
	readonly cells?: ReadonlyMap<string, FoundAt> | undefined;
	/** The fields are those of an item around, under a name of the schema's own. */
	readonly isGroup?: boolean;
}

interface FoundAt extends Found {
	/** The value as the page writes it, where `raw` has more. */
	readonly written?: string | number;
	readonly source: Omit<FieldSource, 'raw'>;
}

type Value = unknown;

/** Fills one schema from one page. */
export class Filler {
	readonly sources: Record<string, FieldSource> = {};
	readonly missing: string[] = [];
	readonly invalid: InvalidField[] = [];
	readonly ambiguous: AmbiguousField[] = [];
	/** A required field has no value. */
	isIncomplete = false;
	readonly #page: FieldEvidence;
	/** Of the things that the schema is about. */
	#types: readonly string[] = [];

	constructor(page: FieldEvidence) {
		this.#page = page;
	}

	root(node: ObjectNode | ArrayNode): Value {
		const values = this.#root(node);
		const { givenUpAt } = this.#page.finder;
		if (givenUpAt !== undefined)
			this.#report(this.invalid, {
				field: '',
				from: 'selector',
				at: givenUpAt,
				problem: 'the page has too many elements for the selectors: from this one on they are not read',
			});
		return values;
	}

	#root(node: ObjectNode | ArrayNode): Value {
		const { types = [] } = (node.kind === 'array' ? node.items : node) as Partial<ObjectNode>;
		this.#types = types;
		if (node.kind === 'array') return this.#list(node, this.#pageScope([]), '') ?? [];
		const { items, rivals } = mainItems(this.#page.items, node.types, this.#page.names);
		if (rivals.length > 0)
			this.#report(this.ambiguous, { field: '', candidates: rivals.slice(0, limits.candidates).map(rival) });
		return this.#object(node, this.#pageScope(items), '') ?? {};
	}

	#pageScope(items: readonly PlacedItem[]): Scope {
		return { items, filter: all, isPage: true, isStated: true, element: this.#page.root };
	}

	#field(node: FieldNode, scope: Scope, pointer: string): Value | undefined {
		if (node.kind === 'scalar') return this.#scalar(node, scope, pointer);
		return node.kind === 'array' ? this.#list(node, scope, pointer) : this.#inner(node, scope, pointer);
	}

	#object(node: ObjectNode, outer: Scope, pointer: string): Record<string, Value> | undefined {
		const scope = { ...outer, filter: this.#filterOf(node) };
		const values = new Map<string, Value>();
		for (const [name, own] of node.properties) {
			const value = this.#field(own, scope, `${pointer}/${escapePointer(name)}`);
			if (value !== undefined) values.set(name, value);
		}
		// An object of which nothing was found is missing itself.
		const isThere = values.size > 0 || pointer === '';
		if (isThere && [...node.required].some((name) => !values.has(name))) this.isIncomplete = true;
		return values.size === 0 ? undefined : Object.fromEntries(values);
	}

	/** An object inside of another: its item, its element, or a group of the schema's own. */
	#inner(node: ObjectNode, scope: Scope, pointer: string): Value | undefined {
		const items = objectsAt(node, scope);
		const [element] = this.#elements(node, scope) ?? [];
		const { key, isExplicit } = node.naming;
		const isGroup = items.length === 0 && !isExplicit && !isKnownName(key);
		return this.#object(
			node,
			{
				...scope,
				items: isGroup ? scope.items : items,
				element: element ?? (node.naming.selectors.size > 0 ? undefined : scope.element),
				isPage: false,
				isGroup: isGroup || scope.isGroup === true,
			},
			pointer,
		);
	}

	#scalar(node: ScalarNode, scope: Scope, pointer: string): Value | undefined {
		const tiers = [
			() => this.#structured(node, scope),
			() => (scope.isPage ? this.#metas(node) : []),
			() => this.#selected(node, scope),
			() => (scope.isPage ? this.#metadata(node) : []),
			() => this.#stated(node, scope).filter((one) => !isProse(node, one)),
		];
		let isNamed = false;
		let isOpen = false;
		for (const [index, tier] of tiers.entries()) {
			// Different values of equal sources: only a selector, which the schema's author chose, can decide.
			if (isOpen && index !== 2) continue;
			const found = distinct(tier());
			const read = found.map((one) => ({ ...one, result: this.#coerced(node, one) }));
			const good = distinctValues(read);
			const [first] = good;
			if (first !== undefined && good.length === 1) {
				this.#source(pointer, first.source, first.written ?? first.raw, first.value);
				return first.value;
			}
			if (good.length > 1) {
				isOpen = true;
				const candidates = good.slice(0, limits.candidates).map(({ source, raw }) => ({ ...source, raw }));
				this.#report(this.ambiguous, { field: pointer, candidates });
			} else if (read.length > 0) this.#refuse(pointer, read);
			isNamed ||= read.length > 0;
		}
		if (!isNamed) this.#miss(pointer);
		return undefined;
	}

	#coerced(node: ScalarNode, { raw, isData, source }: FoundAt): Coerced {
		if (
			source.from !== 'document' &&
			typeof raw === 'string' &&
			raw.length >= this.#page.cutAt &&
			isItemSource(source.from)
		)
			return { problem: `the store has its first ${this.#page.cutAt} characters only` };
		if (lacksUnit(node, { raw, source }))
			return { problem: `the page does not say whether ${String(raw).slice(0, 40)} is in ${unitIn(node.naming.key)}` };
		return coerce(node, { raw, isData }, this.#page);
	}

	#refuse(pointer: string, read: readonly (FoundAt & { readonly result: Coerced })[]): void {
		for (const { result, source, raw } of read.slice(0, limits.candidates))
			if ('problem' in result)
				this.#report(this.invalid, { field: pointer, ...source, raw: shortened(raw), problem: result.problem });
	}

	#structured(node: ScalarNode, scope: Scope, isList = false): FoundAt[] {
		const found = structuredValues(node, scope);
		// Several pictures show one thing: they do not contradict each other.
		const isPicture = !isList && /\.image\[0\]/.test(found[0]?.at ?? '');
		return (isPicture ? found.slice(0, 1) : found)
			.map((value) => plainValue(value, node.format === 'uri'))
			.flatMap((value) => {
				if (value === undefined || !isPlain(value.value)) return [];
				return [
					{
						raw: value.value,
						...(value.written !== undefined && { written: value.written }),
						isData: value.from === 'json-ld' || value.from === 'structured-data',
						source: { from: value.from, at: value.at },
					},
				];
			});
	}

	#metas({ naming }: ScalarNode): FoundAt[] {
		return metasOf(naming.terms, this.#types).flatMap((name) =>
			(this.#page.metas.get(name) ?? [])
				.filter((raw) => raw.trim() !== '')
				.map((raw): FoundAt => ({ raw: raw.trim(), isData: true, source: { from: 'meta', at: name } })),
		);
	}

	/** The values of the first alternative that finds an element. */
	#selected(node: ScalarNode, scope: Scope): FoundAt[] {
		const { finder } = this.#page;
		if (scope.element === undefined) return [];
		for (const pick of finder.picksFor(node.naming)) {
			const elements = finder.find(pick, scope.element);
			if (elements === undefined) return [];
			const attribute = pick.attribute ?? (node.format === 'uri' ? linkOf(elements[0]) : undefined);
			const found = elements
				.map((element) => pickedText(element, { ...pick, attribute }))
				.filter((raw) => raw !== undefined && raw !== '')
				.map(
					(raw): FoundAt => ({
						raw: raw as string,
						isData: attribute !== undefined,
						source: { from: 'selector', at: pick.written },
					}),
				);
			if (found.length > 0) return found;
		}
		return [];
	}

	/** Title, description, picture, address and the like of the page, if nothing closer says them. */
	#metadata({ naming }: ScalarNode): FoundAt[] {
		for (const [name = '', ...more] of naming.terms) {
			const value =
				more.length === 0 || more[0] === 'name' || more[0] === 'url' ? this.#page.metadata.get(name) : undefined;
			const all = value === undefined ? [] : typeof value === 'string' ? [value] : value;
			if (all.length > 0) return all.map((raw) => ({ raw, isData: true, source: { from: 'page', at: name } }));
		}
		return [];
	}

	#stated({ naming, format }: ScalarNode, scope: Scope): FoundAt[] {
		if (scope.cells !== undefined)
			return [...naming.columns].flatMap((label) => scope.cells?.get(label) ?? []).slice(0, 1);
		if (!scope.isStated) return [];
		for (const label of naming.labels) {
			const rows = this.#page.statements.rows.get(label);
			if (rows !== undefined)
				return rows.map(({ text, href, at }) => ({
					raw: format === 'uri' ? (href ?? text) : text,
					isData: false,
					source: { from: 'document', at },
				}));
		}
		return [];
	}

	#list(node: ArrayNode, scope: Scope, pointer: string): Value[] | undefined {
		const { items } = node;
		const values =
			items.kind === 'scalar'
				? this.#texts(node, items, scope, pointer)
				: this.#objects(node, items as ObjectNode, scope, pointer);
		if (values === undefined) return undefined;
		const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems } = node;
		const isRepeated = uniqueItems && new Set(values.map((value) => JSON.stringify(value))).size < values.length;
		const problem =
			values.length < minItems
				? `it has ${values.length} entries, fewer than ${minItems}`
				: values.length > maxItems
					? `it has ${values.length} entries, more than ${maxItems}`
					: isRepeated
						? 'entries are repeated'
						: undefined;
		if (problem === undefined) return values;
		const source = this.sources[`${pointer}/0`] ?? { from: 'page', at: 'list' };
		for (const at of Object.keys(this.sources)) if (at.startsWith(`${pointer}/`)) delete this.sources[at];
		this.#report(this.invalid, { field: pointer, ...source, problem });
		return undefined;
	}

	#texts(node: ArrayNode, items: ScalarNode, scope: Scope, pointer: string): Value[] | undefined {
		const naming = { ...items, naming: node.naming };
		const tiers = [
			() => this.#structured(naming, scope, true),
			() => (scope.isPage ? this.#metas(naming) : []),
			() => this.#selected(naming, scope),
			() => (scope.isPage ? this.#metadata(naming) : []),
			() => this.#statedList(naming, scope),
		];
		for (const tier of tiers) {
			const found = tier();
			if (found.length === 0) continue;
			const values: Value[] = [];
			for (const one of found.slice(0, limits.entries)) {
				const result = this.#coerced(naming, one);
				if ('problem' in result) this.#refuse(`${pointer}/${values.length}`, [{ ...one, result }]);
				else {
					this.#source(`${pointer}/${values.length}`, one.source, one.raw, result.value);
					values.push(result.value);
				}
			}
			if (found.length > limits.entries) this.#tooMany(pointer, found[0]!.source, found.length);
			if (values.length > 0) return values;
		}
		if (!this.invalid.some(({ field }) => field.startsWith(`${pointer}/`))) this.#miss(pointer);
		return undefined;
	}

	/** A list below a heading, else a statement with semicolons or commas between its parts. */
	#statedList(node: ScalarNode, scope: Scope): FoundAt[] {
		if (!scope.isStated || scope.cells !== undefined) return this.#stated(node, scope);
		for (const label of node.naming.labels) {
			const [list, ...others] = this.#page.statements.lists.get(label) ?? [];
			if (list !== undefined && others.length === 0)
				return list.entries.map((raw) => ({ raw, isData: false, source: { from: 'document', at: list.at } }));
		}
		const stated = this.#stated(node, scope);
		const [only] = stated;
		if (only === undefined || stated.length > 1) return stated;
		const text = String(only.raw);
		const parts = text.split(text.includes('; ') ? /;\s+/ : /,\s+/);
		return parts.map((raw) => ({ ...only, raw: raw.trim() })).filter(({ raw }) => raw !== '');
	}

	#objects(node: ArrayNode, items: ObjectNode, scope: Scope, pointer: string): Value[] | undefined {
		const places = this.#places(node, items, scope);
		if (places.length === 0) {
			this.#miss(pointer);
			return undefined;
		}
		const values: Value[] = [];
		for (const place of places.slice(0, limits.entries)) {
			const before = this.missing.length;
			const value = this.#object(items, place, `${pointer}/${values.length}`);
			// An entry of which nothing was found is left out.
			if (value === undefined) this.missing.length = before;
			else values.push(value);
		}
		if (places.length > limits.entries) this.#tooMany(pointer, { from: 'page', at: 'list' }, places.length);
		if (values.length > 0) return values;
		this.#miss(pointer);
		return undefined;
	}

	/** Where the objects of a list are: items, else elements, else rows of a table. */
	#places(node: ArrayNode, items: ObjectNode, scope: Scope): Scope[] {
		const bare = { filter: all, isPage: false, isStated: false, element: undefined };
		const found = listedItems(node, items, scope, this.#page);
		if (found.length > 0) return found.map((item) => ({ ...bare, items: [item] }));
		const elements = this.#elements(node, scope) ?? [];
		if (elements.length > 0) return elements.map((element) => ({ ...bare, items: [], element }));
		if (!scope.isStated) return [];
		const listed = this.#listedObjects(node, items);
		if (listed.length > 0) return listed.map((cells) => ({ ...bare, items: [], cells }));
		const tables = this.#page.statements.tables.filter((table) => describes(table, items));
		const named = tables.filter(({ heading }) => node.naming.labels.has(labelForm(heading)));
		const [table, ...others] = named.length > 0 ? named : tables;
		if (table === undefined || others.length > 0) return [];
		return table.rows.map((row) => ({ ...bare, items: [], cells: cellsOf(table, row) }));
	}

	/** Entries of the list below a heading, as objects with a text. */
	#listedObjects(node: ArrayNode, items: ObjectNode): ReadonlyMap<string, FoundAt>[] {
		const inner = ['text', 'instruction', 'description', 'name']
			.map((name) => items.properties.get(name))
			.find(Boolean);
		const [column] = inner?.naming.columns ?? [];
		if (column === undefined) return [];
		for (const label of node.naming.labels) {
			const [list, ...others] = this.#page.statements.lists.get(label) ?? [];
			if (list === undefined || others.length > 0) continue;
			const source = { from: 'document', at: list.at } as const;
			return list.entries.map((raw) => new Map([[column, { raw, isData: false, source }]]));
		}
		return [];
	}

	#elements({ naming }: FieldNode, scope: Scope): Element[] | undefined {
		const { finder } = this.#page;
		if (scope.element === undefined) return undefined;
		for (const pick of finder.picksFor(naming)) {
			const found = finder.find(pick, scope.element) ?? [];
			// One inside of another is a part of it.
			const outer: Element[] = [];
			for (const element of found) if (!isInside(element, outer.at(-1))) outer.push(element);
			if (outer.length > 0) return outer;
		}
		return undefined;
	}

	/** Of several offers, those whose other fields have the values that the schema wants, such as its currency. */
	#filterOf({ properties }: ObjectNode): Filter {
		const wanted = [...properties.values()].flatMap((node) =>
			node.kind === 'scalar' && node.choices !== undefined ? node.naming.terms.map((path) => ({ node, path })) : [],
		);
		if (wanted.length === 0) return all;
		return (prefix, entries) => {
			let kept = entries;
			for (const { node, path } of wanted) {
				if (path.slice(0, -1).join('.') !== prefix) continue;
				const rest = path.slice(-1);
				const fits = kept.filter((entry) =>
					valuesAt(entry, rest, all).some(
						({ value }) => isPlain(value) && 'value' in coerce(node, { raw: value, isData: true }, this.#page),
					),
				);
				if (fits.length > 0) kept = fits;
			}
			return kept;
		};
	}

	#source(pointer: string, source: Omit<FieldSource, 'raw'>, raw: Found['raw'], value: Value): void {
		this.sources[pointer] = raw === value ? source : { ...source, raw: shortened(raw) };
	}

	#miss(pointer: string): void {
		this.#report(this.missing, pointer);
	}

	#tooMany(pointer: string, source: Omit<FieldSource, 'raw'>, count: number): void {
		this.#report(this.invalid, {
			field: pointer,
			...source,
			problem: `it has ${count} entries; the first ${limits.entries} are read`,
		});
	}

	#report<T>(list: T[], entry: T): void {
		if (list.length < limits.reports) list.push(entry);
	}
}

const all: Filter = (_, entries) => entries;

const rival = ({ item, from, at }: PlacedItem): FieldSource => {
	const { name } = item;
	return { from, at, ...(typeof name === 'string' && { raw: shortened(name) }) };
};

/** The syntaxes that describe an object, in the order in which they count. */
const syntaxes = ['json-ld', 'structured-data', 'microdata', 'rdfa'] as const;

const isItemSource = (from: FieldSource['from']): boolean => (syntaxes as readonly string[]).includes(from);

/** The values of the first syntax, and of the first place in its items, that have some. */
function structuredValues({ naming }: FieldNode, { items, filter, isGroup }: Scope): PlacedValue[] {
	const { terms, isExplicit, key } = naming;
	if (isGroup === true && !isExplicit && generic.has(key)) return [];
	for (const syntax of syntaxes) {
		const own = items.filter(({ from }) => from === syntax);
		for (const path of own.length === 0 ? [] : terms) {
			const found = own.flatMap((item) => valuesAt(item, path, filter));
			if (found.length > 0) return found;
		}
	}
	return [];
}

/** The objects of a field; a text stands for a thing with this name. */
function objectsAt(node: ObjectNode, scope: Scope): PlacedItem[] {
	return structuredValues(node, scope).flatMap(({ value, from, at }) => {
		if (isNode(value)) return [{ item: value, from, at }];
		return typeof value === 'string' && node.naming.key !== 'address' ? [{ item: { name: value }, from, at }] : [];
	});
}

/** The items of a list: what a property leads to, else all items of the type on the page. */
function listedItems(node: ArrayNode, items: ObjectNode, scope: Scope, page: FieldEvidence): PlacedItem[] {
	const found = structuredValues(node, scope).flatMap(({ value, from, at }): PlacedItem[] => {
		if (isNode(value)) return [{ item: value, from, at }];
		return typeof value === 'string' ? [{ item: { text: value, name: value }, from, at }] : [];
	});
	if (found.length > 0 || !scope.isPage || items.types.length === 0) return found;
	const ofType = page.items.filter(
		({ item }) => isOfType(typesOf(item), items.types) && !scope.items.some((own) => own.item === item),
	);
	const syntax = syntaxes.find((one) => ofType.some(({ from }) => from === one));
	return ofType.filter(({ from }) => from === syntax);
}

/** Whether the head of a table has the labels of at least two fields, or of the only one. */
function describes({ head }: StatedTable, { properties }: ObjectNode): boolean {
	const own = new Set(head.map(labelForm));
	const fields = [...properties.values()].filter(({ naming }) => [...naming.columns].some((label) => own.has(label)));
	return fields.length >= Math.min(2, properties.size);
}

function cellsOf({ head }: StatedTable, row: readonly string[]): ReadonlyMap<string, FoundAt> {
	return new Map(
		head.flatMap((title, index): [string, FoundAt][] => {
			const raw = plain(row[index] ?? '');
			return raw === ''
				? []
				: [[labelForm(title), { raw, isData: false, source: { from: 'document', at: `table: ${title}` } }]];
		}),
	);
}

function distinct(found: readonly FoundAt[]): FoundAt[] {
	return [...new Map(found.map((one) => [JSON.stringify(one.raw), one] as const).reverse()).values()].reverse();
}

type Read = FoundAt & { readonly result: Coerced };

function distinctValues(read: readonly Read[]): (FoundAt & { readonly value: Value })[] {
	const values = new Map<Value, FoundAt & { readonly value: Value }>();
	for (const { result, ...one } of read)
		if ('value' in result && !values.has(result.value)) values.set(result.value, { ...one, value: result.value });
	return [...values.values()];
}

/** Names of texts that may be prose. */
const proseNames: ReadonlySet<string> = new Set(['description', 'abstract', 'text', 'summary']);

/** `Location: Sessions in cities often cost more.` states no venue. */
function isProse({ naming, format }: ScalarNode, { raw, source }: FoundAt): boolean {
	if (typeof raw !== 'string' || format !== undefined || !source.at.startsWith('line:')) return false;
	if (naming.isExplicit || naming.terms.some(([name = '']) => proseNames.has(name))) return false;
	return raw.length > 100 || (/[.!?…]$/.test(raw) && raw.split(/\s+/).length > 6);
}

/** A bare number for `weightKg`: only a selector, or a label with the unit, says that it is in kilograms. */
function lacksUnit({ naming, type }: ScalarNode, { raw, source }: Pick<FoundAt, 'raw' | 'source'>): boolean {
	if (type !== 'number' && type !== 'integer') return false;
	const unit = naming.isExplicit || source.from === 'selector' ? undefined : unitIn(naming.key);
	if (unit === undefined || (typeof raw === 'string' && /\p{L}/u.test(raw))) return false;
	const isUnit = (word: string) =>
		word === unit || `${word}s` === unit || word === `${unit}s` || (word.length > 2 && unit.startsWith(word));
	return !wordsOf(source.at).some(isUnit);
}

const isPlain = (value: unknown): value is Found['raw'] =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const shortened = (raw: Found['raw']): Found['raw'] =>
	typeof raw === 'string' && raw.length > 500 ? `${raw.slice(0, 500)}…` : raw;

function isInside(element: Element, outer: Element | undefined): boolean {
	for (let at = element.parent; at !== null; at = at.parent) if (at === outer) return true;
	return false;
}

function linkOf(element: Element | undefined): string | undefined {
	if (element?.attributes.href !== undefined) return 'href';
	return element?.attributes.src === undefined ? undefined : 'src';
}
