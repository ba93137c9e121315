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
import { absent, isCombinator, NameTable, unread } from './name-table.ts';
import type { Element } from './node.ts';
import { ClassLists, classNames, matches, parseSelector, type Selector, splitList } from './selectors.ts';
import { textContent } from './walk.ts';

/** Longer class lists are not checked. */
export const maxClass = 2_000;
/** With longer sheets, it pays to look up which names the page has. */
const long = 20_000;
/** Effects that are looked for. */
const wantedBits = hiddenBits | inheritedBits | keepsLinesBit | unselectableBit;
/** The most rules for one name that are read for an element: the last ones, since they win. */
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

/** A selector that is not parsed yet. */
interface Candidate {
	readonly source: string;
	readonly rule: SheetRule;
	readonly order: number;
	readonly layer: number;
	/** Null for those that no element can match. */
	entry: Entry | null | undefined;
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
	readonly #classes: ReadonlySet<string>;
	readonly #hasIds: boolean;
	readonly #hasTags: boolean;
	readonly #attributes: readonly string[];
	/** All rules by each name of the elements they style: made when the first hidden element is met. */
	#all: Candidates | undefined;
	/** Attributes that name elements there. */
	#allAttributes: readonly string[] = [];
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
		this.#classes = new Set(after('.'));
		this.#hasIds = keys.some((key) => key.startsWith('#'));
		this.#hasTags = keys.some((key) => /^\w/.test(key));
		this.#attributes = after('[');
	}

	/** Whether a rule that hides may apply to a class of a list. */
	hasClass(list: string): boolean {
		if (this.#classes.size === 0 || list.length > maxClass) return false;
		for (const name of this.#lists.of(list)) if (this.#classes.has(name)) return true;
		return false;
	}

	/** The effects of the rules that hide an element, whatever undoes them; `hasClass` has checked its classes. */
	hidingBitsOf(element: Element, isStyled: boolean): number {
		const { tag, attributes } = element;
		let bits = 0;
		const add = (entries: readonly HidingEntry[] | undefined): void => {
			if (entries === undefined) return;
			for (const entry of entries) if ((entry.bits & ~bits) !== 0 && this.#matches(element, entry)) bits |= entry.bits;
		};
		if (isStyled && attributes.class !== undefined)
			for (const name of this.#lists.of(attributes.class))
				if (this.#classes.has(name)) add(this.#hiding.get(`.${name}`));
		if (this.#hasIds && attributes.id !== undefined) add(this.#hiding.get(`#${attributes.id.toLowerCase()}`));
		if (this.#hasTags) add(this.#hiding.get(tag));
		for (const name of this.#attributes) if (attributes[name] !== undefined) add(this.#hiding.get(`[${name}`));
		if (this.#universal.length > 0) add(this.#universal);
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
		for (const name of this.#allAttributes) if (attributes[name] !== undefined) key += ` [${name}`;
		let plan = this.#plans.get(key);
		if (plan === undefined) {
			plan = this.#makePlan(element, wanted, this.#all);
			this.#plans.set(key, plan);
		}
		return plan;
	}

	#makePlan(element: Element, wanted: number, all: Candidates): Plan {
		const found = new Set<Entry>();
		for (const name of namesOf(element))
			for (const candidates of all.of(name))
				for (let i = Math.max(0, candidates.length - maxRules); i < candidates.length; i++) {
					const candidate = candidates[i];
					if (candidate === undefined || ((candidate.rule.traits?.concern ?? 0) & wanted) === 0) continue;
					const entry = this.#entryOf(candidate);
					if (entry !== null) found.add(entry);
				}
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

	/** A selector, parsed when an element with its last name is hidden. */
	#entryOf(candidate: Candidate): Entry | null {
		if (candidate.entry !== undefined) return candidate.entry;
		const { source, rule, order, layer } = candidate;
		const selector = parseSelector(source);
		let entry: Entry | null = null;
		if (selector !== undefined && !selector.isPseudo) {
			const isPossible = this.#present === undefined || isPossibleOn(this.#present, selector);
			// A script adds one class, but not all of those that a rule needs around an element.
			const isNear =
				isPossible || selector.compounds.some((one) => idsAndClasses(one).some((name) => !this.#present?.lacks(name)));
			if (isNear) entry = { selector, rule, order, layer, isPossible };
		}
		candidate.entry = entry;
		return entry;
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
		const all = new Candidates(this.#present);
		for (const [order, rule] of this.#rules.entries())
			if (rule.traits !== undefined && declaresAny(rule.traits, this.#relevant))
				all.add(rule, order, rule.layer === undefined ? Infinity : (this.#layers.get(rule.layer) ?? 0));
		this.#allAttributes = all.attributes();
		return all;
	}
}

/** The rules of a sheet by the names of the elements that they style, as far as a page has them. */
class Candidates {
	readonly #present: NameTable;
	/** By the number of the name that is the last compound. */
	readonly #byNumber: (Candidate[] | undefined)[] = [];
	/** By the names of other last compounds. */
	readonly #byName = new Map<string, Candidate[]>();

	constructor(present: NameTable) {
		this.#present = present;
	}

	add(rule: SheetRule, order: number, layer: number): void {
		const { selector: list } = rule;
		const candidateOf = (source: string): Candidate => ({ source, rule, order, layer, entry: undefined });
		if (isPlain(list))
			forPresent(list, this.#present, (source, number) => {
				if (number === unread) this.#addNames(candidateOf(source));
				else addAt(this.#byNumber, number, candidateOf(source));
			});
		else for (const source of splitList(list)) this.#addParsed(candidateOf(source));
	}

	#addParsed(candidate: Candidate): void {
		const selector = parseSelector(candidate.source);
		if (selector === undefined || selector.isPseudo) return;
		for (const name of lastNames(selector)) if (!this.#present.lacks(name)) addTo(this.#byName, name, candidate);
	}

	/** Adds a selector without brackets by the names that `lastNames` would return. */
	#addNames(candidate: Candidate): void {
		const { source } = candidate;
		let end = source.length;
		while (end > 0 && source.charCodeAt(end - 1) <= spaceCode) end--;
		let start = end;
		while (start > 0 && !isCombinator(source.charCodeAt(start - 1))) start--;
		const state = source.indexOf(':', start);
		if (state >= 0 && state < end) end = state;
		let isNamed = false;
		for (let from = start, at = start; at < end; from = at) {
			at++;
			while (at < end && !endsName(source.charCodeAt(at))) at++;
			const first = source.charCodeAt(from);
			if (at - from < 2 || (first !== dotCode && first !== hashCode)) continue;
			isNamed = true;
			const number = this.#present.numberOf(source, from, at);
			if (number !== absent) addAt(this.#byNumber, number, candidate);
		}
		if (isNamed) return;
		const name = start === end ? '*' : source.slice(start, end).toLowerCase();
		if (!this.#present.lacks(name)) addTo(this.#byName, name, candidate);
	}

	/** The lists of rules for elements with a name. */
	of(name: string): Candidate[][] {
		const number = this.#present.numberOf(name);
		return [this.#byNumber[number], this.#byName.get(name)].filter((list) => list !== undefined);
	}

	/** The attributes by which rules name elements. */
	attributes(): string[] {
		return [...this.#byName.keys()].filter((name) => name.startsWith('[')).map((name) => name.slice(1));
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
	const add = (part: string): void => {
		const selector = parseSelector(part);
		if (selector === undefined || !canHide(selector)) return;
		if (present === undefined || isPossibleOn(present, selector)) found.push({ selector, part });
	};
	if (present === undefined || !isPlain(list)) splitList(list).forEach(add);
	else forPresent(list, present, add);
	return found;
}

/** Without brackets, escapes and letters of other scripts. */
const isPlain = (list: string): boolean => !/[([\\]|[^ -~\s]/.test(list);

/**
 * Calls `visit` with the selectors of a plain list whose last name the page may have, and the number of the name: see
 * `NameTable.lastName`. Others are not cut out of the list.
 */
function forPresent(list: string, present: NameTable, visit: (source: string, number: number) => void): void {
	for (let end = list.length, start = end; end >= 0; end = start - 1) {
		const number = present.lastName(list, 0, end);
		start = end === 0 ? 0 : list.lastIndexOf(',', end - 1) + 1;
		if (number !== absent) visit(list.slice(start, end), number);
	}
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

const dotCode = 0x2e;
const hashCode = 0x23;
const starCode = 0x2a;
const endsName = (code: number): boolean => code === dotCode || code === hashCode || code === starCode;

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
