import { type Declarations, declare, maxStyle, mediaOf, merge, type Rule, type RuleReader, rulesOf } from './css.ts';
import {
	awayBit,
	bitsOf,
	type Definitions,
	declaresAny,
	fadedBit,
	halfBit,
	hiddenBits,
	inheritedBits,
	keepsLinesBit,
	type PropertySet,
	propertySet,
	relevantTo,
	removedBit,
	showing,
	type Traits,
	traitsOf,
	undoingBits,
	unselectableBit,
	watchedProperties,
} from './effects.ts';
import { absent, NameTable, unread } from './name-table.ts';
import type { Element } from './node.ts';
import { ClassLists, classNames, forEachSelector, matches, parseSelector, type Selector } from './selectors.ts';
import { textContent } from './walk.ts';

/** Longer class lists are not checked. */
export const maxClass = 2_000;
/** With longer sheets, it pays to look up which names the page has. */
const long = 20_000;
/** Effects that are looked for. */
const wantedBits = hiddenBits | inheritedBits | keepsLinesBit | unselectableBit;
/** The most rules for one name that are read for an element. */
const maxRules = 1_000;

type SheetRule = Rule<Traits>;

/** A selector of a rule with a property that matters here. */
interface Entry {
	readonly selector: Selector;
	readonly rule: SheetRule;
	readonly order: number;
	readonly layer: number;
	/** The page has each class, id and tag of the selector. */
	readonly isPossible: boolean;
}

/** The rules for elements with the same tag, classes, id and attributes. */
interface Plan {
	/** Those that apply to each of them. */
	readonly applied: Entry[];
	/** Those that apply to none of them as the page is. */
	readonly others: Entry[];
	/** Those that depend on what is around an element. */
	readonly open: Entry[];
	isSimple: boolean;
	/** Bits by the style attribute and the open entries that match. */
	readonly known: Map<string, number>;
}

/** A selector of a rule that hides, with its effects. */
interface HidingEntry extends Entry {
	readonly bits: number;
}

/**
 * The rules of a page that hide elements or keep their line breaks, and those that undo it.
 *
 * Only rules that apply to the page as it is hide. All others, under a state, a condition of the screen or a class
 * that a script sets, only show: what they show is seen by some readers.
 */
export class Sheet {
	/** Each with the rules of its selectors that hide, by a name of the element they style. */
	readonly #hiding: ReadonlyMap<string, readonly HidingEntry[]>;
	readonly #rules: readonly SheetRule[];
	/** The properties that hide, and those that undo it. */
	readonly #relevant: PropertySet;
	/** Rules that hide elements by what is around them alone. */
	readonly #universal: readonly HidingEntry[];
	readonly #root: Element;
	#present: NameTable | undefined;
	readonly #layers = new Map<string, number>();
	readonly #definitions: SheetDefinitions;
	/** The classes among the names of `#hiding`, and the rules of each by its number. */
	readonly #classes: NameTable;
	readonly #ofClass: (readonly HidingEntry[])[] = [];
	/** Those classes of a list, by their numbers: most lists have none. */
	readonly #ofList = new Map<string, readonly number[]>();
	readonly #hasIds: boolean;
	readonly #hasTags: boolean;
	readonly #attributes: readonly string[];
	/** The selectors of all rules by the names of the elements they style: made when the first hidden element is met. */
	#all: Candidates | undefined;
	readonly #plans = new Map<string, Plan>();
	readonly #lists = new ClassLists();
	/** Bits by tag and classes, where nothing else decides them, and by element. */
	readonly #known = new Map<string, number>();
	readonly #ofElement = new WeakMap<Element, number>();
	/** The declarations of rules by their order, once they are read. */
	readonly #declared: Declarations[] = [];

	static read(styles: readonly Element[], root: Element): Sheet | undefined {
		const sources: { css: string; conditional: boolean }[] = [];
		let room = maxStyle;
		for (const style of styles) {
			const media = mediaOf(style.attributes.media ?? '');
			const css = media === 'never' ? '' : textContent(style).slice(0, room);
			room -= css.length;
			if (css !== '') sources.push({ css, conditional: media === 'sometimes' });
		}
		if (sources.length === 0) return undefined;
		const present = maxStyle - room > long ? NameTable.of(root) : undefined;
		const reader: RuleReader<Traits> = {
			...(present && { isWanted: (css, start, end) => !present.hasNoneOf(css, start, end) }),
			traitsOf,
		};
		const rules: SheetRule[] = [];
		const layers = new Map<string, number>();
		const addLayer = (name: string): void => {
			if (!layers.has(name)) layers.set(name, layers.size);
		};
		for (const { css, conditional } of sources)
			for (const rule of rulesOf(css, reader, addLayer)) rules.push(conditional ? { ...rule, conditional } : rule);
		const definitions = new SheetDefinitions(sources.map(({ css }) => css));
		const hiding = new Map<string, HidingEntry[]>();
		const relevant = new Set<string>(['display']);
		for (const [order, rule] of rules.entries()) {
			if (rule.conditional || rule.traits?.mayHide !== true) continue;
			// Most rules are for parts that the page does not have: their declarations are not read.
			const selectors = hidingSelectors(rule.selector, present);
			if (selectors.length === 0) continue;
			const declared = declarationsOf(rule);
			const bits = bitsOf(declared, definitions) & (wantedBits | halfBit);
			if (bits === 0) continue;
			const layer = rule.layer === undefined ? Infinity : (layers.get(rule.layer) ?? 0);
			let isUsed = false;
			for (const { selector, part } of selectors) {
				// A script adds the class that such a rule waits for, and the part fades in.
				if ((bits & wantedBits & ~fadedBit) === 0 && part.includes(':not(')) continue;
				const key = keyOf(selector);
				if (key === '*' && !isNarrow(selector, bits)) continue;
				addTo(hiding, key, { selector, rule, order, layer, isPossible: true, bits });
				isUsed = true;
			}
			if (isUsed) for (const name of relevantTo(bits, declared)) relevant.add(name);
		}
		return rules.length === 0 ? undefined : new Sheet(hiding, rules, relevant, root, present, layers, definitions);
	}

	private constructor(
		hiding: ReadonlyMap<string, readonly HidingEntry[]>,
		rules: readonly SheetRule[],
		relevant: ReadonlySet<string>,
		root: Element,
		present: NameTable | undefined,
		layers: Map<string, number>,
		definitions: SheetDefinitions,
	) {
		this.#hiding = hiding;
		this.#rules = rules;
		this.#relevant = propertySet(relevant);
		this.#universal = hiding.get('*') ?? [];
		this.#root = root;
		this.#present = present;
		this.#layers = layers;
		this.#definitions = definitions;
		const keys = [...hiding.keys()];
		const after = (mark: string): string[] => keys.filter((key) => key.startsWith(mark)).map((key) => key.slice(1));
		this.#classes = NameTable.ofClasses(after('.'));
		for (const [key, entries] of hiding) if (key.startsWith('.')) this.#ofClass[this.#classes.numberOf(key)] = entries;
		this.#hasIds = keys.some((key) => key.startsWith('#'));
		this.#hasTags = keys.some((key) => /^\w/.test(key));
		this.#attributes = after('[');
	}

	/** Whether a rule that hides may apply to a class of a list. */
	hasClass(list: string): boolean {
		if (this.#classes.size === 0 || list.length > maxClass) return false;
		const numbers = this.#classes.numbersOf(list);
		if (numbers.length > 0) this.#ofList.set(list, numbers);
		return numbers.length > 0;
	}

	/** The effects of the rules that hide an element, whatever undoes them; `hasClass` has checked its classes. */
	hidingBitsOf(element: Element, isStyled: boolean): number {
		const { tag, attributes } = element;
		let bits = 0;
		if (isStyled)
			for (const number of this.#ofList.get(attributes.class ?? '') ?? [])
				bits = this.#matching(element, this.#ofClass[number], bits);
		if (this.#hasIds && attributes.id !== undefined)
			bits = this.#matching(element, this.#hiding.get(`#${attributes.id.toLowerCase()}`), bits);
		if (this.#hasTags) bits = this.#matching(element, this.#hiding.get(tag), bits);
		for (const name of this.#attributes)
			if (attributes[name] !== undefined) bits = this.#matching(element, this.#hiding.get(`[${name}`), bits);
		return this.#universal.length === 0 ? bits : this.#matching(element, this.#universal, bits);
	}

	/** Adds the effects of the rules that match. */
	#matching(element: Element, entries: readonly HidingEntry[] | undefined, known: number): number {
		if (entries === undefined) return known;
		let bits = known;
		for (const entry of entries) if ((entry.bits & ~bits) !== 0 && this.#matches(element, entry)) bits |= entry.bits;
		return bits;
	}

	/**
	 * Bits from the rules and a style attribute, in the order of the cascade.
	 *
	 * @param own the bits of the style attribute alone, which no state undoes
	 * @param hiding the effects of the rules that hide the element
	 */
	bitsOf(element: Element, style: string, own: number, hiding: number): number {
		const { tag, attributes } = element;
		const isPlain = style === '' && attributes.id === undefined && this.#attributes.length === 0;
		const key = isPlain ? `${tag} ${attributes.class ?? ''}` : '';
		const known = isPlain ? (this.#known.get(key) ?? this.#ofElement.get(element)) : this.#ofElement.get(element);
		if (known !== undefined) return known;
		const { bits, isSimple } = this.#computed(element, style, own, hiding);
		if (isPlain && isSimple) this.#known.set(key, bits);
		else this.#ofElement.set(element, bits);
		return bits;
	}

	#computed(element: Element, style: string, own: number, hiding: number): { bits: number; isSimple: boolean } {
		// `display` also undoes the attribute `hidden`.
		const plan = this.#planOf(element, hiding | own | removedBit);
		const { open } = plan;
		// Elements of one plan differ only in which of its open entries they match.
		let key = `${own} ${hiding} ${style}`;
		const isOpen: boolean[] = [];
		for (const entry of open) {
			const isMatch = this.#matches(element, entry);
			isOpen.push(isMatch);
			key += isMatch ? '+' : '-';
		}
		let bits = plan.known.get(key);
		if (bits === undefined) {
			const applied = [...plan.applied, ...open.filter((_, i) => isOpen[i])];
			const others = [...plan.others, ...open.filter((_, i) => !isOpen[i])];
			bits = this.#cascade(applied, others, style, own, hiding);
			plan.known.set(key, bits);
		}
		return { bits, isSimple: plan.isSimple };
	}

	/** The rules for an element and all others with its tag, classes, id and attributes. */
	#planOf(element: Element, wanted: number): Plan {
		this.#all ??= this.#index();
		const { tag, attributes } = element;
		let key = `${wanted} ${tag} ${attributes.class ?? ''} ${attributes.id ?? ''}`;
		for (const name of this.#all.attributes) if (attributes[name] !== undefined) key += ` [${name}`;
		let plan = this.#plans.get(key);
		if (plan === undefined) {
			plan = this.#makePlan(element, wanted, this.#all);
			this.#plans.set(key, plan);
		}
		return plan;
	}

	#makePlan(element: Element, wanted: number, all: Candidates): Plan {
		const found = new Set<Entry>();
		all.forEach(element, wanted, (entry) => found.add(entry));
		const plan: Plan = { applied: [], others: [], open: [], isSimple: true, known: new Map() };
		for (const entry of found) {
			const { selector, rule, isPossible } = entry;
			const isAlone = isSingle(selector);
			if (isPossible && !isAlone) plan.isSimple = false;
			if (!isPossible || rule.conditional || selector.isState) plan.others.push(entry);
			else if (isAlone) (this.#matches(element, entry) ? plan.applied : plan.others).push(entry);
			else plan.open.push(entry);
		}
		return plan;
	}

	#cascade(applied: Entry[], others: readonly Entry[], style: string, own: number, hiding: number): number {
		applied.sort(
			(one, other) =>
				rank(one.layer, other.layer) ||
				one.selector.specificity - other.selector.specificity ||
				one.order - other.order,
		);
		const declared: Declarations = new Map();
		for (const { rule, order, layer } of applied) merge(declared, this.#declarationsOf(rule, order), layer);
		declare(declared, style, watchedProperties);
		const definitions = style.includes('--') ? this.#definitions.with(style) : this.#definitions;
		const bits = bitsOf(declared, definitions) & ~unneeded(own | hiding);
		const hidden = bits & (hiddenBits | inheritedBits) & ~own;
		if (hidden === 0) return bits;
		let undone = 0;
		for (const { rule, order, selector } of others)
			if (
				(hidden & ~undone) !== 0 &&
				((rule.traits?.concern ?? 0) & hidden & ~undone) !== 0 &&
				!selector.isFocus &&
				hasName(selector)
			)
				undone |= undoneBy(this.#declarationsOf(rule, order), hidden & ~undone, declared, definitions);
		return bits & ~undone;
	}

	#matches(element: Element, { selector }: Entry): boolean {
		return matches(element, selector, this.#lists);
	}

	#declarationsOf(rule: SheetRule, order: number): Declarations {
		let declared = this.#declared[order];
		if (declared === undefined) {
			declared = declarationsOf(rule);
			this.#declared[order] = declared;
		}
		return declared;
	}

	#index(): Candidates {
		this.#present ??= NameTable.of(this.#root);
		const all = new Candidates(this.#present, this.#layers);
		for (const [order, rule] of this.#rules.entries())
			if (rule.traits !== undefined && declaresAny(rule.traits, this.#relevant)) all.add(rule, order);
		return all;
	}
}

/** A selector by its place, which is parsed when an element with its last name is hidden. */
interface Candidate {
	readonly rule: SheetRule;
	readonly order: number;
	readonly start: number;
	readonly end: number;
	/** Null for those that no element can match. */
	entry: Entry | null | undefined;
}

/** The selectors of rules by the names of the elements that they style, as far as a page has them. */
class Candidates {
	/** Attributes by which selectors name elements. */
	readonly attributes: string[] = [];
	readonly #present: NameTable;
	readonly #layers: ReadonlyMap<string, number>;
	/** By the number of a name of the last compound. */
	readonly #byNumber: (Candidate[] | undefined)[] = [];
	/** By an attribute, where the last compound has no other name, or `*`. */
	readonly #byOther = new Map<string, Candidate[]>();

	constructor(present: NameTable, layers: ReadonlyMap<string, number>) {
		this.#present = present;
		this.#layers = layers;
	}

	add(rule: SheetRule, order: number): void {
		const { selector: list } = rule;
		forEachSelector(list, (start, end) => {
			const number = this.#present.lastName(list, start, end);
			if (number === absent) return;
			const candidate: Candidate = { rule, order, start, end, entry: undefined };
			if (number === unread) this.#addParsed(candidate);
			else addAt(this.#byNumber, number, candidate);
		});
	}

	#addParsed(candidate: Candidate): void {
		const entry = this.#entryOf(candidate);
		if (entry === null) return;
		for (const name of lastNames(entry.selector)) {
			const number = this.#present.numberOf(name);
			if (number !== absent) addAt(this.#byNumber, number, candidate);
			else if (name === '*' || name.startsWith('[')) {
				if (name !== '*' && !this.#byOther.has(name)) this.attributes.push(name.slice(1));
				addTo(this.#byOther, name, candidate);
			}
		}
	}

	/** Visits the selectors for an element that have to do with some effects: of each name the last ones, since they win. */
	forEach(element: Element, wanted: number, visit: (entry: Entry) => void): void {
		for (const name of namesOf(element))
			for (const candidates of [this.#byNumber[this.#present.numberOf(name)], this.#byOther.get(name)])
				for (const candidate of candidates?.slice(-maxRules) ?? []) {
					if (((candidate.rule.traits?.concern ?? 0) & wanted) === 0) continue;
					const entry = this.#entryOf(candidate);
					if (entry !== null) visit(entry);
				}
	}

	#entryOf(candidate: Candidate): Entry | null {
		candidate.entry ??= candidate.entry === null ? null : this.#read(candidate);
		return candidate.entry;
	}

	#read({ rule, order, start, end }: Candidate): Entry | null {
		const selector = parseSelector(rule.selector.slice(start, end));
		if (selector === undefined || selector.isPseudo) return null;
		const isPossible = isPossibleOn(this.#present, selector);
		// A script adds one class, but not all of those that a rule needs around an element.
		const isNear =
			isPossible || selector.compounds.some((one) => idsAndClasses(one).some((name) => !this.#present.lacks(name)));
		const layer = rule.layer === undefined ? Infinity : (this.#layers.get(rule.layer) ?? 0);
		return isNear ? { selector, rule, order, layer, isPossible } : null;
	}
}

/** The bits that undo effects which nothing has on an element. */
function unneeded(hiding: number): number {
	let bits = 0;
	for (const [hides, shows] of undoingBits) if ((hiding & (hides | shows)) === 0) bits |= shows;
	return bits;
}

function isPossibleOn(present: NameTable, { compounds }: Selector): boolean {
	return compounds.every(
		({ tag, classes, ids }) =>
			(tag === undefined || tag === 'html' || !present.lacks(tag)) &&
			!classes.some((name) => present.lacks(`.${name}`)) &&
			!ids.some((id) => present.lacks(`#${id}`)),
	);
}

const rank = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);

function addAt<T>(lists: (T[] | undefined)[], at: number, entry: T): void {
	const known = lists[at];
	if (known === undefined) lists[at] = [entry];
	else known.push(entry);
}

function addTo<T>(map: Map<string, T[]>, key: string, entry: T): void {
	const known = map.get(key);
	if (known === undefined) map.set(key, [entry]);
	else known.push(entry);
}

function declarationsOf({ declarations }: Rule): Declarations {
	const declared: Declarations = new Map();
	declare(declared, declarations, watchedProperties);
	return declared;
}

/** The selectors of a list that may hide an element of the page. */
function hidingSelectors(list: string, present: NameTable | undefined): { selector: Selector; part: string }[] {
	const found: { selector: Selector; part: string }[] = [];
	forEachSelector(list, (start, end) => {
		if (present?.lacksOneOf(list, start, end)) return;
		const part = list.slice(start, end);
		const selector = parseSelector(part);
		if (selector === undefined || !canHide(selector)) return;
		if (present === undefined || isPossibleOn(present, selector)) found.push({ selector, part });
	});
	return found;
}

/** Rules that hide have to apply without a state; scripts set classes on the root and on the body. */
function canHide({ compounds, isState, isPseudo }: Selector): boolean {
	if (isState || isPseudo || compounds[0] === undefined) return false;
	if (compounds[0].tag === 'html' || compounds[0].tag === 'body') return false;
	return !compounds.slice(1).some(({ tag, classes, tests }) => {
		const isRoot = tag === 'html' || tag === 'body';
		return isRoot && (classes.length > 0 || tests.length > 0);
	});
}

/** `* { … }` hides nothing; what it says of selection or of white space is not about text. */
const isNarrow = ({ compounds }: Selector, bits: number): boolean =>
	(bits & (hiddenBits | inheritedBits)) !== 0 && (compounds.length > 1 || (compounds[0]?.tests.length ?? 0) > 0);

/** A name of the element that a selector styles: it applies to no element without it. */
function keyOf({ compounds: [last] }: Selector): string {
	if (last === undefined) return '*';
	if (last.ids[0] !== undefined) return `#${last.ids[0]}`;
	if (last.classes[0] !== undefined) return `.${last.classes[0]}`;
	return last.tag ?? (last.attributes[0] === undefined ? '*' : `[${last.attributes[0]}`);
}

/** Names of which the element that a selector styles has one, whichever class a script adds to it. */
function lastNames({ compounds: [last] }: Selector): string[] {
	if (last === undefined) return [];
	const names = idsAndClasses(last);
	if (names.length > 0) return names;
	if (last.tag !== undefined) return [last.tag];
	return last.attributes.length > 0 ? last.attributes.map((name) => `[${name}`) : ['*'];
}

const idsAndClasses = ({ ids, classes }: Selector['compounds'][number]): string[] => [
	...ids.map((id) => `#${id}`),
	...classes.map((name) => `.${name}`),
];

const hasName = (selector: Selector): boolean => lastNames(selector)[0] !== '*';

function namesOf({ tag, attributes }: Element): string[] {
	const names = ['*', tag];
	const { class: list, id } = attributes;
	if (list !== undefined && list.length <= maxClass) for (const name of classNames(list)) names.push(`.${name}`);
	if (id !== undefined) names.push(`#${id.toLowerCase()}`);
	for (const name in attributes) names.push(`[${name}`);
	return names;
}

/** Depends on nothing but the tag and the classes of an element. */
const isSingle = ({ compounds, isState }: Selector): boolean =>
	!isState && compounds.length === 1 && compounds[0]?.tests.length === 0 && compounds[0].ids.length === 0;

/** Those of the hiding bits that a rule undoes which does not apply to the page as it is. */
function undoneBy(declared: Declarations, hidden: number, applied: Declarations, definitions: Definitions): number {
	let undone = 0;
	for (const [names, bits] of showing) {
		if ((bits & hidden) === 0) continue;
		// Only the properties that have moved the element out of sight bring it back.
		if (names.some((name) => declared.has(name) && (bits !== awayBit || applied.has(name)))) undone |= bits;
	}
	undone &= hidden;
	return undone === 0 ? 0 : undone & ~bitsOf(declared, definitions);
}

/** The most names that are looked up in the sheets. */
const maxDefinitions = 200;

/** Of the block of an animation, the declarations at its end. */
const endOfAnimation = /(?:[^{}]*\{[^{}]*\})*?\s*(?:[\d.%,\s]*,\s*)?(?:to|100%)\s*\{([^{}]*)\}/iy;

interface Place {
	readonly css: string;
	readonly at: number;
}

/** Where the blocks of animations begin, by name. */
function animationsOf(sources: readonly string[]): Map<string, Place[]> {
	const animations = new Map<string, Place[]>();
	for (const css of sources)
		for (const { 0: whole, 1: name = '', index } of css.matchAll(/@(?:-webkit-)?keyframes\s+([\w-]+)\s*\{/gi))
			addTo(animations, name.toLowerCase(), { css, at: index + whole.length });
	return animations;
}

class SheetDefinitions implements Definitions {
	readonly #sources: readonly string[];
	readonly known = new Map<string, string>();
	#variables: Map<string, string | undefined> | undefined;
	#animations: Map<string, Place[]> | undefined;
	readonly #ends = new Map<string, Declarations | undefined>();

	constructor(sources: readonly string[]) {
		this.#sources = sources;
	}

	/** The value of a custom property, if all definitions agree. */
	variable(name: string): string | undefined {
		this.#variables ??= variablesOf(this.#sources);
		return this.#variables.get(name)?.trim().toLowerCase();
	}

	endOf(animation: string): Declarations | undefined {
		if (!/^[\w-]+$/.test(animation)) return undefined;
		if (!this.#ends.has(animation) && this.#ends.size < maxDefinitions) {
			let end: Declarations | undefined;
			this.#animations ??= animationsOf(this.#sources);
			let last: string | undefined;
			for (const { css, at } of this.#animations.get(animation) ?? []) {
				if (css === last) continue;
				endOfAnimation.lastIndex = at;
				const found = endOfAnimation.exec(css)?.[1];
				if (found === undefined) continue;
				last = css;
				end = new Map();
				declare(end, found, watchedProperties);
			}
			this.#ends.set(animation, end);
		}
		return this.#ends.get(animation);
	}

	/** With the custom properties that a style attribute defines. */
	with(style: string): Definitions {
		return withOwnVariables(style, this);
	}
}

/** Definitions with the custom properties of a style attribute before others. */
export function withOwnVariables(style: string, others?: Definitions): Definitions {
	return {
		variable(name) {
			if (!/^--[\w-]+$/.test(name)) return undefined;
			const own = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1];
			return own?.trim().toLowerCase() ?? others?.variable(name);
		},
		endOf: (animation) => others?.endOf(animation),
	};
}

/** The custom properties of some sheets; undefined where definitions differ. */
function variablesOf(sources: readonly string[]): Map<string, string | undefined> {
	const variables = new Map<string, string | undefined>();
	for (const css of sources)
		for (let at = css.indexOf('--'); at >= 0; at = css.indexOf('--', at + 2)) {
			const before = css.charCodeAt(at - 1);
			if (before > spaceCode && before !== semicolonCode && before !== braceCode) continue;
			const colon = css.indexOf(':', at);
			if (colon < 0) break;
			let end = colon + 1;
			while (end < css.length && css.charCodeAt(end) !== semicolonCode && css.charCodeAt(end) !== closingCode) end++;
			const name = css.slice(at, colon).trim();
			const value = css.slice(colon + 1, end);
			const known = variables.get(name);
			if (known === undefined) variables.set(name, variables.has(name) ? undefined : value);
			else if (known !== value && known.trim().toLowerCase() !== value.trim().toLowerCase())
				variables.set(name, undefined);
			at = end - 2;
		}
	return variables;
}

const spaceCode = 0x20;
const semicolonCode = 0x3b;
const braceCode = 0x7b;
const closingCode = 0x7d;
