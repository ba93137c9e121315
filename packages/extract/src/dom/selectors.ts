import { isWhite, isWord } from './name-table.ts';
import type { Element } from './node.ts';

/** A selector, as far as it can be matched without scripts, states of controls and a pointer. (Selectors 4) */
export interface Selector {
	/** From the element that it styles outwards. */
	readonly compounds: readonly Compound[];
	/** Matches only in some state (`:hover`, `:checked`), or is not understood. */
	readonly isState: boolean;
	/** Styles a part that is made by the sheet, such as `::before`. */
	readonly isPseudo: boolean;
	/** Needs the focus, which a reader does not move to hidden text. */
	readonly isFocus: boolean;
	/** Ids, classes with attributes, and tags, in one number. */
	readonly specificity: number;
}

interface Compound {
	/** How the element relates to the one before it in `compounds`. */
	readonly combinator: string;
	tag: string | undefined;
	readonly ids: string[];
	readonly classes: string[];
	readonly tests: ((element: Element) => boolean)[];
	/** Attributes that it needs. */
	readonly attributes: string[];
}

const idWeight = 1_000_000;
const classWeight = 1_000;
/** Selectors with more compounds, or longer ones, are not read. */
const maxCompounds = 12;
const maxLength = 500;
/** How deep selectors stand in `:not()` and `:is()`. */
const maxDepth = 3;
/** Siblings and ancestors that are tried for one compound. */
const maxTried = 200;

// `[name operator value flag]`.
const attribute = /\[\s*([\w-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s\]]+))\s*([is])?\s*)?\]/iy;
const pseudo = /(::?)([\w-]+)/y;

/** Visits the selectors of a list, which commas outside of brackets part. */
export function forEachSelector(list: string, visit: (start: number, end: number) => void): void {
	let depth = 0;
	let start = 0;
	for (let at = 0; at < list.length; at++) {
		const code = list.charCodeAt(at);
		if (code === commaCode) {
			if (depth > 0) continue;
			visit(start, at);
			start = at + 1;
		} else if (code === openCode || code === openBracketCode) depth++;
		else if (code === closeCode || code === closeBracketCode) depth--;
	}
	visit(start, list.length);
}

const commaCode = 0x2c;
const openCode = 0x28;
const closeCode = 0x29;
const openBracketCode = 0x5b;
const closeBracketCode = 0x5d;

/** A pseudo-class that is not of CSS; undefined for other names. */
export type OwnPseudo = (name: string, argument: string | undefined) => ((element: Element) => boolean) | undefined;

/**
 * Reads one selector; undefined for other text.
 *
 * @param own pseudo-classes that style sheets do not have
 */
export function parseSelector(source: string, depth = 0, own?: OwnPseudo): Selector | undefined {
	const selector = source.trim();
	if (selector === '' || selector.length > maxLength || depth > maxDepth) return undefined;
	const compounds: Compound[] = [];
	let isState = false;
	let isPseudo = false;
	let isFocus = false;
	let specificity = 0;
	let compound = emptyCompound('');
	let isEmpty = true;
	const take = (pattern: RegExp, at: number): RegExpExecArray | null => {
		pattern.lastIndex = at;
		return pattern.exec(selector);
	};
	for (let at = 0; at < selector.length; ) {
		const char = selector[at];
		if (char === '.' || char === '#') {
			const end = endOfName(selector, at + 1);
			if (end === at + 1) return undefined;
			const name = unescapeName(selector.slice(at + 1, end)).toLowerCase();
			(char === '.' ? compound.classes : compound.ids).push(name);
			specificity += char === '.' ? classWeight : idWeight;
			at = end;
		} else if (char === '[') {
			const found = take(attribute, at);
			if (found === null) return undefined;
			addAttribute(compound, found);
			specificity += classWeight;
			at += found[0].length;
		} else if (char === ':') {
			const found = take(pseudo, at);
			if (found === null) return undefined;
			const [whole, colons, name = ''] = found;
			at += whole.length;
			let argument: string | undefined;
			if (selector[at] === '(') {
				const end = endOfBrackets(selector, at);
				argument = selector.slice(at + 1, end - 1);
				at = end;
			}
			if (colons === '::' || /^(?:before|after|first-line|first-letter)$/i.test(name)) isPseudo = true;
			else {
				if (/^focus/i.test(name)) isFocus = true;
				const test = pseudoClass(name.toLowerCase(), argument, depth, own);
				if (test === undefined) isState = true;
				else compound.tests.push(test.test);
				specificity += test?.specificity ?? classWeight;
			}
		} else if (char === '*') at++;
		else {
			const end = endOfName(selector, at);
			if (end > at) {
				if (!isEmpty) return undefined;
				compound.tag = selector.slice(at, end).toLowerCase();
				specificity++;
				at = end;
			} else {
				const mark = skipSpace(selector, at);
				const isMark = '>+~'.includes(selector.charAt(mark)) && mark < selector.length;
				if ((mark === at && !isMark) || isEmpty) return undefined;
				compounds.push(compound);
				if (compounds.length > maxCompounds) return undefined;
				compound = emptyCompound(isMark ? selector.charAt(mark) : '');
				isEmpty = true;
				at = isMark ? skipSpace(selector, mark + 1) : mark;
				continue;
			}
		}
		isEmpty = false;
	}
	if (isEmpty) return undefined;
	compounds.push(compound);
	// Each combinator moves to the compound on its left, which is tried after the one on its right.
	const outwards = compounds.map((own, i) => ({ ...own, combinator: compounds[i + 1]?.combinator ?? '' })).reverse();
	return { compounds: outwards, isState, isPseudo, isFocus, specificity };
}

/** The end of a name, or of an escaped one, of a class, an id or a tag that begins here. */
function endOfName(selector: string, start: number): number {
	let at = start;
	for (; at < selector.length; at++) {
		const code = selector.charCodeAt(at);
		if (isWord(code) || code > 0x7f) continue;
		if (code !== backslashCode || !/^.$/.test(selector.charAt(at + 1))) break;
		at++;
	}
	return at;
}

function skipSpace(selector: string, start: number): number {
	let at = start;
	while (at < selector.length && isWhite(selector.charCodeAt(at))) at++;
	return at;
}

const backslashCode = 0x5c;

const emptyCompound = (combinator: string): Compound => ({
	combinator,
	tag: undefined,
	ids: [],
	classes: [],
	tests: [],
	attributes: [],
});

const unescapeName = (name: string): string => (name.includes('\\') ? name.replace(/\\(.)/g, '$1') : name);

function endOfBrackets(source: string, open: number): number {
	let depth = 0;
	for (let at = open; at < source.length; at++)
		if (source[at] === '(') depth++;
		else if (source[at] === ')' && --depth === 0) return at + 1;
	return source.length + 1;
}

function addAttribute(compound: Compound, [, written = '', operator, ...rest]: RegExpExecArray): void {
	const name = written.toLowerCase();
	const wanted = rest[0] ?? rest[1] ?? rest[2] ?? '';
	const fold = rest[3]?.toLowerCase() === 'i';
	const value = fold ? wanted.toLowerCase() : wanted;
	compound.attributes.push(name);
	compound.tests.push(({ attributes }) => {
		const raw = attributes[name];
		if (raw === undefined) return false;
		const own = fold ? raw.toLowerCase() : raw;
		switch (operator) {
			case '=':
				return own === value;
			case '~=':
				return own.split(/\s+/).includes(value);
			case '|=':
				return own === value || own.startsWith(`${value}-`);
			case '^=':
				return value !== '' && own.startsWith(value);
			case '$=':
				return value !== '' && own.endsWith(value);
			case '*=':
				return value !== '' && own.includes(value);
			default:
				return true;
		}
	});
}

interface Test {
	readonly specificity: number;
	test(element: Element): boolean;
}

/** A test for a pseudo-class; undefined for states, and for what is not understood. */
function pseudoClass(
	name: string,
	argument: string | undefined,
	depth: number,
	own: OwnPseudo | undefined,
): Test | undefined {
	const test = own?.(name, argument);
	if (test !== undefined) return { test, specificity: classWeight };
	const simple = simplePseudo[name];
	if (simple !== undefined) return { test: simple, specificity: classWeight };
	if (argument === undefined) return undefined;
	if (/^(?:not|is|where|matches|-webkit-any|-moz-any)$/.test(name)) {
		const list: (Selector | undefined)[] = [];
		forEachSelector(argument, (start, end) => list.push(parseSelector(argument.slice(start, end), depth + 1, own)));
		const known = list.filter((part) => part !== undefined && !part.isState && !part.isPseudo) as Selector[];
		if (known.length < list.length) return undefined;
		const specificity = name === 'where' ? 0 : Math.max(...known.map((part) => part.specificity));
		const isAny = (element: Element): boolean => known.some((part) => matches(element, part));
		return { specificity, test: name === 'not' ? (element) => !isAny(element) : isAny };
	}
	if (name === 'nth-child' || name === 'nth-of-type') {
		const step = nth(argument);
		const ofType = name === 'nth-of-type';
		return step && { specificity: classWeight, test: (element) => step(placeAmong(element, ofType)) };
	}
	return undefined;
}

const never = (): boolean => false;

const simplePseudo: Readonly<Record<string, (element: Element) => boolean>> = {
	focus: never,
	'focus-visible': never,
	'focus-within': never,
	active: never,
	root: ({ tag, parent }) => tag === 'html' && parent === null,
	link: ({ tag, attributes }) => tag === 'a' && attributes.href !== undefined,
	'any-link': ({ tag, attributes }) => tag === 'a' && attributes.href !== undefined,
	empty: ({ children }) => children.length === 0,
	'first-child': (element) => placeAmong(element, false) === 1,
	'first-of-type': (element) => placeAmong(element, true) === 1,
	'last-child': (element) => siblingsOf(element).at(-1) === element,
	'only-child': (element) => siblingsOf(element).length === 1,
	'last-of-type': (element) =>
		siblingsOf(element)
			.filter(({ tag }) => tag === element.tag)
			.at(-1) === element,
};

const siblingsOf = ({ parent }: Element): Element[] =>
	parent === null ? [] : parent.children.filter((child): child is Element => child.kind === 'element');

function placeAmong(element: Element, ofType: boolean): number {
	const siblings = siblingsOf(element);
	return (ofType ? siblings.filter(({ tag }) => tag === element.tag) : siblings).indexOf(element) + 1;
}

/** `an+b`, `odd`, `even` or a number. */
function nth(argument: string): ((place: number) => boolean) | undefined {
	const text = argument.replace(/\s+/g, '').toLowerCase();
	const [, a, b] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(text === 'odd' ? '2n+1' : text === 'even' ? '2n' : text) ?? [];
	if (a === undefined && b === undefined) return undefined;
	const step = a === undefined ? 0 : a === '' || a === '+' ? 1 : a === '-' ? -1 : Number(a);
	const from = Number(b ?? 0);
	return (place) =>
		place > 0 && (step === 0 ? place === from : (place - from) % step === 0 && (place - from) / step >= 0);
}

/** The classes of lists, each taken apart once. */
export class ClassLists {
	readonly #known = new Map<string, ReadonlySet<string>>();

	of(list: string): ReadonlySet<string> {
		let names = this.#known.get(list);
		if (names === undefined) {
			names = new Set(classNames(list));
			this.#known.set(list, names);
		}
		return names;
	}
}

/** Whether an element matches; states never do. */
export function matches(
	element: Element,
	{ compounds, isState, isPseudo }: Selector,
	lists = new ClassLists(),
): boolean {
	return (
		!isState && !isPseudo && fits(element, compounds[0], lists) && matchesFrom(element, compounds, 1, lists) === matched
	);
}

const matched = 1;
const notMatched = 0;
/** No element further out matches either, so that no other way is tried. */
const neverMatches = -1;

/** Whether the compounds from `index` on match around an element that matches the one before. */
function matchesFrom(element: Element, compounds: readonly Compound[], index: number, lists: ClassLists): number {
	const compound = compounds[index];
	if (compound === undefined) return matched;
	const tryOne = (other: Element): number =>
		fits(other, compound, lists) ? matchesFrom(other, compounds, index + 1, lists) : notMatched;
	const { combinator } = compound;
	if (combinator === '>') return element.parent === null ? neverMatches : tryOne(element.parent);
	if (combinator === '+' || combinator === '~') {
		const siblings = siblingsOf(element);
		const place = Math.max(0, siblings.indexOf(element));
		const before = siblings.slice(combinator === '+' ? Math.max(0, place - 1) : 0, place);
		for (const other of before.slice(-maxTried)) {
			const result = tryOne(other);
			if (result !== notMatched) return result;
		}
		return notMatched;
	}
	let at = element.parent;
	for (let tried = 0; at !== null && tried < maxTried; tried++, at = at.parent) {
		const result = tryOne(at);
		if (result !== notMatched) return result;
	}
	return neverMatches;
}

function fits(element: Element, compound: Compound | undefined, lists: ClassLists): boolean {
	if (compound === undefined) return false;
	const { tag, ids, classes, tests } = compound;
	const { attributes } = element;
	if (tag !== undefined && tag !== element.tag) return false;
	for (const id of ids) if (attributes.id?.toLowerCase() !== id) return false;
	if (classes.length > 0) {
		const list = attributes.class;
		if (list === undefined) return false;
		const own = lists.of(list);
		for (const name of classes) if (!own.has(name)) return false;
	}
	return tests.every((test) => test(element));
}

/** The classes of a list; letters in either case are the same. */
export const classNames = (list: string): string[] => list.toLowerCase().split(/\s+/);
