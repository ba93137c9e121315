import { type Declarations, declare, MAX_STYLE, Properties, type Rule, rulesOf } from './css.ts';
import type { Element } from './node.ts';
import { textContent, walk } from './walk.ts';

// Effects of styles and attributes on an element, as bits.

/** Not rendered: `display: none`, `hidden`, or a helper class that does the same. */
export const REMOVED = 1 << 0;
/** `visibility: hidden` or `collapse`, which children can undo. */
export const INVISIBLE = 1 << 1;
export const VISIBLE = 1 << 2;
/** `opacity: 0` without an animation or transition that would fade it in. */
export const FADED = 1 << 3;
/** Off the page, clipped, in a box without size, or for screen readers only. */
export const AWAY = 1 << 4;
/** `font-size: 0`, which children can undo. */
export const SIZELESS = 1 << 5;
export const SIZED = 1 << 6;
/** Text that is transparent or has the colour of its own background; children can undo it. */
export const COLOURLESS = 1 << 7;
export const COLOURED = 1 << 8;
/** `aria-hidden=true`. */
export const ARIA_HIDDEN = 1 << 9;
/** Line breaks of the source are kept, or all white space is. */
export const KEEPS_LINES = 1 << 10;
export const KEEPS_SPACES = 1 << 11;
/** Cannot be selected, as line numbers are. */
export const UNSELECTABLE = 1 << 12;
/** A rule of the page's sheets applies to a class of the list. */
const STYLED = 1 << 14;
/** Rendered by its own `display`, regardless of the attribute `hidden`. */
const DISPLAYED = 1 << 13;

/** Hides the element regardless of its content. */
export const HIDDEN = REMOVED | FADED | AWAY | ARIA_HIDDEN;
/** Hides text unless an element inside shows it again. */
export const INHERITED = INVISIBLE | SIZELESS | COLOURLESS;
/** The bit that undoes each of these. */
const UNDONE_BY: readonly (readonly [hides: number, shows: number])[] = [
	[INVISIBLE, VISIBLE],
	[SIZELESS, SIZED],
	[COLOURLESS, COLOURED],
];

/** The bits that apply inside an element. */
export function inherit(outer: number, own: number): number {
	let bits = outer;
	for (const [hides, shows] of UNDONE_BY) if (own & shows) bits &= ~hides;
	return bits | (own & INHERITED);
}

/** Helper classes that only serve to show text to screen readers. */
const READERS_ONLY =
	/(?:^|\s)(?:visually-?hidden(?:-focusable)?|sr-?only(?:-focusable)?|screen-?reader(?:s?-(?:only|text))?|hidden-?visually|a11y-hidden|u-hidden(?:-visually)?|element-invisible)(?=\s|$)/i;
const REMOVED_CLASS = /(?:^|\s)(?:is-hidden|d-none)(?=\s|$)/i;
/** Classes of the same set that mean "but shown on wide screens". */
const SHOWN_CLASS = /(?:^|\s)d-(?:sm|md|lg|xl|xxl|print)-(?:block|flex|inline|inline-block|grid|table)(?=\s|$)/i;
const LINES_CLASS = /(?:^|\s)(?:whitespace-pre-line|pre-line)(?=\s|$)/;
const SPACES_CLASS = /(?:^|\s)(?:whitespace-(?:pre|pre-wrap|break-spaces)|pre-wrap|text-pre-wrap)(?=\s|$)/;
/** A stem of each helper class: class lists without one are not checked further. */
const STEM = /hidden|sr-?only|reader|invisible|d-none|whitespace-|pre-(?:line|wrap)/i;
/** Longer class lists are not checked. */
const MAX_CLASS = 2_000;
const MAX_INLINE_STYLE = 10_000;

/** Computes the visibility of elements from their attributes and the page's own style sheets. */
export class Looks {
	readonly #sheet: Sheet | undefined;
	/** By class list, its bits, and whether a rule of the sheet applies to one of its classes. */
	readonly #byClass = new Map<string, number>();
	readonly #byStyle = new Map<string, number>();

	/**
	 * @param styles the `style` elements of the page in order
	 * @param root if given, only it and elements in it are asked for: rules for others are skipped
	 */
	constructor(styles: readonly Element[], root?: Element) {
		this.#sheet = Sheet.read(styles, root);
	}

	/** Whether the element and its content are invisible, unless a part of it undoes that. */
	hides(element: Element): boolean {
		return (this.of(element) & (HIDDEN | INHERITED)) !== 0;
	}

	/** The bits of one element, without what it inherits. */
	of(element: Element): number {
		const { attributes } = element;
		const { style, class: name, hidden } = attributes;
		const isInline = style !== undefined && style.length < MAX_INLINE_STYLE;
		let bits = isInline ? this.#ofStyle(style) : 0;
		let isDisplayed = (bits & DISPLAYED) !== 0;
		const byClass = name === undefined ? 0 : this.#ofClass(name);
		if (this.#sheet !== undefined && ((byClass & STYLED) !== 0 || this.#sheet.concerns(element))) {
			const sheeted = this.#sheet.bitsOf(element, isInline ? style : '');
			isDisplayed = (sheeted & DISPLAYED) !== 0;
			// A rule cannot show what a style attribute hides.
			bits = sheeted | (bits & (HIDDEN | INHERITED));
		}
		bits |= byClass & ~STYLED;
		if (hidden !== undefined && hidden !== 'until-found' && !isDisplayed) bits |= REMOVED;
		if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') bits |= ARIA_HIDDEN;
		return bits;
	}

	#ofStyle(style: string): number {
		let bits = this.#byStyle.get(style);
		if (bits === undefined) {
			const declarations: Declarations = new Map();
			declare(declarations, style, PROPERTIES);
			bits = bitsOf(declarations);
			this.#byStyle.set(style, bits);
		}
		return bits;
	}

	#ofClass(name: string): number {
		let bits = this.#byClass.get(name);
		if (bits === undefined) {
			bits = name.length < MAX_CLASS && STEM.test(name) ? bitsOfClass(name) : 0;
			if (this.#sheet?.hasClass(name)) bits |= STYLED;
			this.#byClass.set(name, bits);
		}
		return bits;
	}
}

function bitsOfClass(name: string): number {
	let bits = 0;
	if (READERS_ONLY.test(name) && !SHOWN_CLASS.test(name)) bits |= AWAY;
	if (REMOVED_CLASS.test(name) && !SHOWN_CLASS.test(name)) bits |= REMOVED;
	if (LINES_CLASS.test(name)) bits |= KEEPS_LINES;
	if (SPACES_CLASS.test(name)) bits |= KEEPS_LINES | KEEPS_SPACES;
	return bits;
}

/** The rules of a page that hide elements or keep their line breaks, by the single class, id or tag they apply to. */
class Sheet {
	readonly #rules = new Map<string, { source: string; order: number }[]>();
	/** By name, the bits that another rule undoes: under a state, a condition, or a class that a script sets. */
	readonly #undone = new Map<string, number>();
	readonly #hasTags: boolean;
	readonly #hasIds: boolean;
	/** The classes, without the dot. */
	readonly #classes: ReadonlySet<string>;

	static read(styles: readonly Element[], root: Element | undefined): Sheet | undefined {
		const sheets: Source[] = [];
		let room = MAX_STYLE;
		for (const style of styles) {
			const css = textContent(style).slice(0, room);
			room -= css.length;
			const media = style.attributes.media?.toLowerCase() ?? 'all';
			if (/\bprint\b/.test(media) || !MATTERS.test(css)) continue;
			sheets.push({ rules: rulesOf(css), conditional: media !== 'all' && media !== '' && media !== 'screen' });
		}
		const hiding: Hiding = { names: new Map(), away: new Set() };
		for (const { rules, conditional } of sheets) if (!conditional) for (const rule of rules) addNames(rule, hiding);
		if (hiding.names.size === 0) return undefined;
		const count = sheets.reduce((sum, { rules }) => sum + rules.length, 0);
		const present = root !== undefined && count > MANY_RULES ? new Names(namesIn(root)) : undefined;
		const names = new Set([...hiding.names.keys()].filter((name) => present?.has(name) !== false));
		return names.size === 0 ? undefined : new Sheet(sheets, hiding, names, present);
	}

	/**
	 * @param names the names of the rules that hide, as far as the page has them
	 * @param present all names that the page has, if they are known
	 */
	private constructor(
		sheets: readonly Source[],
		hiding: Hiding,
		names: ReadonlySet<string>,
		present: Names | undefined,
	) {
		let hidden = 0;
		for (const bits of hiding.names.values()) hidden |= bits;
		const showing = SHOWING.filter(([, bits]) => bits & hidden);
		const shown = showing.flatMap(([properties]) => properties);
		const undoing = showing.flatMap(([properties, bits]) =>
			bits === AWAY ? properties.filter((name) => hiding.away.has(name)) : properties,
		);
		const search: Search = {
			away: hiding.away,
			names,
			hidden,
			present,
			concerned: declaring([...shown, 'margin', 'white-space', 'user-select']),
			undoing: undoing.length === 0 ? undefined : declaring(undoing),
		};
		let order = 0;
		for (const { rules, conditional } of sheets)
			for (const rule of rules) this.#read(rule, rule.conditional || conditional, ++order, search);
		const styled = [...this.#rules.keys()];
		this.#hasTags = styled.some((name) => /^\w/.test(name));
		this.#hasIds = styled.some((name) => name.startsWith('#'));
		this.#classes = new Set(styled.filter((name) => name.startsWith('.')).map((name) => name.slice(1)));
	}

	#read({ selector, declarations }: Rule, conditional: boolean, order: number, search: Search): void {
		// Most rules are for elements that the page does not have.
		if (search.present?.hasNoneOf(selector)) return;
		const isList = selector.includes(',');
		const parts = isList ? selector.split(',') : [selector];
		const isApplied = (part: string): boolean => !conditional && search.names.has(part.trim().toLowerCase());
		// A rule that undoes nothing ends at its first complex selector: what it undoes is needed if simple ones may follow.
		const { present } = isList && parts.some(isApplied) ? ALL : search;
		/** Whether the rule has a property that matters here, and the bits that it undoes: computed when needed. */
		let isConcerned: boolean | undefined;
		let undone: number | undefined;
		for (const part of parts) {
			if (isApplied(part)) {
				isConcerned ??= search.concerned.test(declarations);
				if (!isConcerned) return;
				this.#add(part.trim().toLowerCase(), { source: declarations, order });
				continue;
			}
			const names = lastNames(part);
			if (present !== undefined && !names.some((name) => present.has(name))) continue;
			if ((!conditional && SIMPLE.test(part)) || /:focus/i.test(part)) continue;
			undone ??= undoneBy(declarations, search);
			if (undone === 0) return;
			for (const name of names) this.#undone.set(name, (this.#undone.get(name) ?? 0) | undone);
		}
	}

	#add(name: string, rule: { source: string; order: number }): void {
		const known = this.#rules.get(name);
		if (known === undefined) this.#rules.set(name, [rule]);
		else known.push(rule);
	}

	/** Whether a rule applies to a class of a list. */
	hasClass(list: string): boolean {
		if (this.#classes.size === 0 || list.length > MAX_CLASS) return false;
		return classNames(list).some((name) => this.#classes.has(name));
	}

	/** Whether a rule applies to the id or the tag of an element. */
	concerns({ tag, attributes }: Element): boolean {
		const id = this.#hasIds ? attributes.id : undefined;
		if (id !== undefined && this.#rules.has(`#${id.toLowerCase()}`)) return true;
		return this.#hasTags && this.#rules.has(tag);
	}

	/** Bits from rules and a style attribute: tags before classes before ids, each in order. */
	bitsOf({ tag, attributes }: Element, style: string): number {
		const declarations: Declarations = new Map();
		let undone = 0;
		for (const names of [[tag], classesOf(attributes.class ?? ''), [`#${(attributes.id ?? '').toLowerCase()}`]]) {
			const found = names.flatMap((name) => this.#rules.get(name) ?? []).sort((a, b) => a.order - b.order);
			for (const { source } of found) declare(declarations, source, PROPERTIES);
			for (const name of names) undone |= this.#undone.get(name) ?? 0;
		}
		declare(declarations, style, PROPERTIES);
		return bitsOf(declarations) & ~undone;
	}
}

/** A selector that is a single class, id or tag. */
const SIMPLE = /^\s*([.#]?[a-z_][\w-]*|[.#]-[\w-]+)\s*$/i;
/** Values that hide text or keep line breaks: sheets without any of them are not checked further. */
const MATTERS =
	/display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*\.?0|clip|scale\(\s*0|rgba?\([^)]*[,/\s]0?\.?0\s*\)|#[\da-f]{3}0\b|#[\da-f]{6}00\b|:\s*-\d{3,}|font-size\s*:\s*0|white-space\s*:\s*(?:pre|break)|transparent|user-select\s*:\s*none|(?:height|width)\s*:\s*[01](?:px)?\s*[;!}]|color\s*:[^}]*background|background[^}]*;\s*color\s*:/i;
/** The same in the declarations of one rule. */
const MATTERS_IN_RULE = new RegExp(MATTERS.source.replace('[;!}]', '(?:[;!}]|$)'), 'i');

const classNames = (list: string): string[] => list.toLowerCase().split(/\s+/);

const classesOf = (list: string): string[] =>
	list.length > MAX_CLASS || list === '' ? [] : classNames(list).map((name) => `.${name}`);

/** The rules of a `style` element. */
interface Source {
	readonly rules: readonly Rule[];
	/** Its `media` limits all of them. */
	readonly conditional: boolean;
}

/** What is looked for in the rules of a page. */
interface Search extends Pick<Hiding, 'away'> {
	/** Classes, ids and tags that rules hide. */
	readonly names: ReadonlySet<string>;
	/** All bits that rules set. */
	readonly hidden: number;
	/** Finds the properties that hide or show them. */
	readonly concerned: RegExp;
	/** Finds those that may undo a bit of them. */
	readonly undoing: RegExp | undefined;
	/** The names of the elements that are asked for; undefined for all names. */
	readonly present: Names | undefined;
}

const ALL: Pick<Search, 'present'> = { present: undefined };
/** With more rules, it pays to look up which names the page has. */
const MANY_RULES = 200;

/** The tags, classes and ids of an element and of those in it, as selectors. */
function namesIn(root: Element): Set<string> {
	// Bare text is wrapped in elements of this tag later.
	const names = new Set(['span']);
	const lists = new Set<string>();
	const add = ({ tag, attributes }: Element): void => {
		names.add(tag);
		const { class: list, id } = attributes;
		if (id !== undefined) names.add(`#${id.toLowerCase()}`);
		if (list === undefined || lists.has(list)) return;
		lists.add(list);
		for (const name of classesOf(list)) names.add(name);
	};
	add(root);
	walk(root, (node) => {
		if (node.kind === 'element') {
			add(node);
			return true;
		}
		// Escaped markup, which becomes elements later.
		if (node.parent?.tag === 'noscript')
			for (const [word] of node.data.toLowerCase().matchAll(/[\w-]+/g)) names.add(word).add(`.${word}`).add(`#${word}`);
		return true;
	});
	return names;
}

/** Finds declarations of properties that begin with one of these names. */
const declaring = (names: readonly string[]): RegExp => new RegExp(`(?:^|[;\\s])(?:${names.join('|')})`, 'i');

/** Bits that the rules of a page set. */
interface Hiding {
	/** Single classes, ids and tags, with their bits. */
	readonly names: Map<string, number>;
	/** Properties that move some names out of sight: only these show them again. */
	readonly away: Set<string>;
}

/** Adds the single classes, ids and tags for which an unconditional rule hides text or keeps line breaks. */
function addNames({ selector, declarations, conditional }: Rule, { names, away }: Hiding): void {
	if (conditional || !MATTERS_IN_RULE.test(declarations)) return;
	const declared: Declarations = new Map();
	declare(declared, declarations, PROPERTIES);
	const bits = bitsOf(declared) & (HIDDEN | INHERITED | KEEPS_LINES | UNSELECTABLE);
	if (bits === 0) return;
	if (bits & AWAY) for (const name of PLACING) if (declared.has(name)) away.add(name);
	for (const part of selector.split(',')) {
		const name = SIMPLE.exec(part)?.[1]?.toLowerCase();
		if (name !== undefined && name !== 'html' && name !== 'body') names.set(name, (names.get(name) ?? 0) | bits);
	}
}

/** The names in the last compound of a selector, which is the element that the rule styles. */
function lastNames(selector: string): string[] {
	const whole = selector.trim();
	const only = lastName(whole);
	if (only !== undefined) return [only];
	const last = whole.split(whole.includes(')') ? /[\s>+~]+(?![^(]*\))/ : /[\s>+~]+/).at(-1) ?? '';
	return (
		last
			.toLowerCase()
			.replace(/:[\w-]+(?:\([^)]*\))?/g, '')
			.match(/[.#]?[a-z_-][\w-]*/g) ?? []
	);
}

/** The last compound of a selector, if it is a single tag, class or id, with or without states: `.card` of `li > .card:hover`. */
function lastName(selector: string): string | undefined {
	return findLastName(selector, 0, selector.length) ? selector.slice(found.start, found.end).toLowerCase() : undefined;
}

/** Where `findLastName` found a name, and the hash of the name in lower case. */
const found = { start: 0, end: 0, hash: 0 };

/** Looks for the `lastName` of the selector from `from` to `to`. */
function findLastName(source: string, from: number, to: number): boolean {
	let at = to;
	let end = to;
	let hash = 0;
	for (; at > from; at--) {
		const code = source.charCodeAt(at - 1);
		if (isWord(code)) {
			hash = nextHash(hash, code);
			continue;
		}
		if (code === COLON) {
			end = at - 1;
			hash = 0;
		} else if (isCombinator(code)) break;
		else if ((code !== DOT && code !== HASH) || (at > from + 1 && !isCombinator(source.charCodeAt(at - 2))))
			return false;
		else {
			hash = nextHash(hash, code);
			at--;
			break;
		}
	}
	const first = source.charCodeAt(at);
	const start = first === DOT || first === HASH ? at + 1 : at;
	// No name begins with a digit.
	if (start >= end || isDigit(source.charCodeAt(start))) return false;
	found.start = at;
	found.end = end;
	found.hash = hash;
	return true;
}

/** Adds a character of a name, read from its end; letters in either case are the same. */
const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + (code | 0x20)) | 0;

/** The names that a page has. Most selectors of a large sheet have none of them, and are told by a hash of their name. */
class Names {
	readonly #names: ReadonlySet<string>;
	readonly #hashes = new Uint8Array(HASHES);

	constructor(names: ReadonlySet<string>) {
		this.#names = names;
		for (const name of names) {
			let hash = 0;
			for (let at = name.length; at > 0; at--) hash = nextHash(hash, name.charCodeAt(at - 1));
			this.#hashes[hash & (HASHES - 1)] = 1;
		}
	}

	has(name: string): boolean {
		return this.#names.has(name);
	}

	/** Whether the last compound of each selector of a list is a single name that the page does not have. */
	hasNoneOf(selectors: string): boolean {
		for (let from = 0; from <= selectors.length; ) {
			const comma = selectors.indexOf(',', from);
			const to = comma < 0 ? selectors.length : comma;
			if (!findLastName(selectors, from, to)) return false;
			const { start, end, hash } = found;
			const mayHave = this.#hashes[hash & (HASHES - 1)] !== 0;
			if (mayHave && this.#names.has(selectors.slice(start, end).toLowerCase())) return false;
			from = to + 1;
		}
		return true;
	}
}

/** A power of two, some times the names of a large page. */
const HASHES = 1 << 14;

const COLON = 0x3a;
const DOT = 0x2e;
const HASH = 0x23;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isWord = (code: number): boolean =>
	(code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x2d || code === 0x5f;

/** White space, `>`, `+` or `~`. */
const isCombinator = (code: number): boolean =>
	code <= 0x20 ||
	code === 0x3e ||
	code === 0x2b ||
	code === 0x7e ||
	(code > 0x7f && WHITE.test(String.fromCharCode(code)));

const WHITE = /\s/;

/** Those of the hiding bits that declarations undo. */
function undoneBy(declarations: string, { away, hidden, undoing }: Search): number {
	if (undoing === undefined || !undoing.test(declarations)) return 0;
	const declared: Declarations = new Map();
	declare(declared, declarations, PROPERTIES);
	let undone = 0;
	for (const [names, bits] of SHOWING) {
		if ((bits & hidden) === 0) continue;
		if (names.some((name) => declared.has(name) && (bits !== AWAY || away.has(name)))) undone |= bits;
	}
	undone &= hidden;
	return undone === 0 ? 0 : undone & ~bitsOf(declared, undone);
}

/** Properties that move an element out of sight, or back. */
const PLACING: readonly string[] =
	'clip clip-path left top right bottom height width max-height max-width transform text-indent margin-left margin-top'.split(
		' ',
	);

const SHOWING: readonly (readonly [names: readonly string[], bits: number])[] = [
	[['display', 'content-visibility'], REMOVED],
	[['visibility'], INVISIBLE],
	[['opacity', 'animation'], FADED],
	[PLACING, AWAY],
	[['font-size'], SIZELESS],
	[['color', 'background', 'background-color'], COLOURLESS],
];

/** All properties that the rules of this module read. */
const PROPERTIES = new Properties([
	...SHOWING.flatMap(([names]) => names),
	...'animation-name transition will-change translate scale inset-inline-start overflow overflow-x overflow-y'.split(
		' ',
	),
	...'white-space white-space-collapse user-select -webkit-user-select background-clip -webkit-background-clip'.split(
		' ',
	),
]);

/**
 * Bits from declarations.
 *
 * @param wanted further bits may be missing
 */
function bitsOf(declared: Declarations, wanted = -1): number {
	if (declared.size === 0) return 0;
	const value = (name: string): string => declared.get(name)?.value ?? '';
	let bits = 0;
	if (value('display') === 'none' || value('content-visibility') === 'hidden') bits |= REMOVED;
	else if (value('display') !== '') bits |= DISPLAYED;
	const visibility = value('visibility');
	if (visibility === 'hidden' || visibility === 'collapse') bits |= INVISIBLE;
	else if (visibility === 'visible') bits |= VISIBLE;
	if (wanted & FADED && isZero(value('opacity')) && !moves(declared)) bits |= FADED;
	if (wanted & AWAY && isPlaced(declared) && (isOutside(declared) || isClipped(declared) || hasNoExtent(declared)))
		bits |= AWAY;
	const size = value('font-size');
	if (wanted & (SIZELESS | SIZED) && size !== '') bits |= isZero(size) ? SIZELESS : RELATIVE.test(size) ? 0 : SIZED;
	const colour = value('color');
	if (wanted & (COLOURLESS | COLOURED) && colour !== '') bits |= isColourless(colour, declared) ? COLOURLESS : COLOURED;
	const space = value('white-space') || value('white-space-collapse');
	if (/^(?:pre|pre-wrap|break-spaces|preserve)\b/.test(space) && space !== 'pre-line')
		bits |= KEEPS_LINES | KEEPS_SPACES;
	if (/^(?:pre-line|preserve-breaks)/.test(space)) bits = (bits & ~KEEPS_SPACES) | KEEPS_LINES;
	if ((value('user-select') || value('-webkit-user-select')) === 'none') bits |= UNSELECTABLE;
	return bits;
}

const RELATIVE = /(?:\d(?:em|%)|inherit|smaller|larger|unset)$/;
const ZERO = /^[-+]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?$/;
const isZero = (value: string): boolean => ZERO.test(value);

/** Every reader sees what a script or the style sheet fades or moves in. */
function moves(declared: Declarations): boolean {
	for (const name of ['transition', 'animation', 'animation-name', 'will-change', 'transform', 'translate', 'scale']) {
		const value = declared.get(name)?.value;
		if (value !== undefined && value !== 'none' && value !== 'auto') return true;
	}
	return false;
}

/** Whether one of the properties is declared that can move an element out of sight. */
function isPlaced(declared: Declarations): boolean {
	for (const name of declared.keys()) if (PLACES.has(name)) return true;
	return false;
}

const PLACES: ReadonlySet<string> = new Set([...PLACING, 'inset-inline-start']);

/** Thousands of pixels to the left or above; carousels move their slides by less. */
function isOutside(declared: Declarations): boolean {
	for (const name of ['text-indent', 'left', 'top', 'right', 'bottom', 'inset-inline-start'])
		if (isFar(declared.get(name)?.value, 1)) return true;
	for (const name of ['margin-left', 'margin-top']) if (isFar(declared.get(name)?.value, 2)) return true;
	const transform = declared.get('transform')?.value;
	const moved = transform === undefined ? undefined : /translate(?:x|y|3d)?\(([^)]*)\)/.exec(transform)?.[1];
	return moved?.split(',').some((length) => isFar(length.trim(), 2)) ?? false;
}

const FAR = /^-(\d+(?:\.\d+)?)(px|r?em|vw|vh|pt|in|cm|)$/;
const UNITS: Readonly<Record<string, number>> = {
	px: 1,
	em: 16,
	rem: 16,
	vw: 13,
	vh: 8,
	pt: 1.3,
	in: 96,
	cm: 38,
	'': 1,
};
/** Pixels to the left of the page beyond which nothing is visible. */
const OUT_OF_SIGHT = 1_900;

function isFar(value: string | undefined, times: number): boolean {
	if (!value?.startsWith('-')) return false;
	const [, length, unit] = FAR.exec(value) ?? [];
	return length !== undefined && Number(length) * UNITS[unit ?? '']! >= OUT_OF_SIGHT * times;
}

function isClipped(declared: Declarations): boolean {
	const clip = declared.get('clip')?.value;
	if (clip !== undefined && /^rect\((?:\s*[01](?:px)?[\s,]*){4}\)$/.test(clip)) return true;
	const path = declared.get('clip-path')?.value;
	if (path === undefined) return false;
	const inset = /^inset\(\s*(\d+(?:\.\d+)?)%/.exec(path)?.[1];
	if (inset !== undefined) return Number(inset) >= 50;
	return /^(?:circle\(\s*0|polygon\((?:\s*0(?:px|%)?\s+0(?:px|%)?\s*,?)+\))/.test(path);
}

const SMALL = /^[01](?:px)?$|^0(?:\.0+)?\w*$/;

/** A box without height or width whose content does not overflow. */
function hasNoExtent(declared: Declarations): boolean {
	const isSmall = SIZES.some((name) => SMALL.test(declared.get(name)?.value ?? ''));
	if (isSmall) return OVERFLOWS.some((name) => /hidden|clip/.test(declared.get(name)?.value ?? '')) && !moves(declared);
	const transform = declared.get('transform')?.value;
	return transform !== undefined && isZero(/^scale\(\s*([\d.]+)/.exec(transform)?.[1] ?? '1');
}

const SIZES: readonly string[] = ['height', 'width', 'max-height', 'max-width'];
const OVERFLOWS: readonly string[] = ['overflow', 'overflow-x', 'overflow-y'];

function isColourless(colour: string, declared: Declarations): boolean {
	const text = colourOf(colour);
	if (text === 'transparent') {
		// Gradients shining through letters are visible.
		return declared.get('background-clip') === undefined && declared.get('-webkit-background-clip') === undefined;
	}
	const ground = colourOf(declared.get('background-color')?.value ?? declared.get('background')?.value ?? '');
	return text !== undefined && text === ground;
}

const NAMED: Readonly<Record<string, string>> = {
	white: '255,255,255',
	black: '0,0,0',
	red: '255,0,0',
	transparent: 'transparent',
};

/** A fully known colour, as its three components. */
function colourOf(value: string): string | undefined {
	if (NAMED[value] !== undefined) return NAMED[value];
	const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1];
	if (hex !== undefined) {
		const digits = hex.length < 5 ? [...hex].map((digit) => digit + digit).join('') : hex;
		if (digits.length === 8 && digits.endsWith('00')) return 'transparent';
		if (digits.length !== 6 && !digits.endsWith('ff')) return undefined;
		return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join(',');
	}
	const parts = /^rgba?\(([^)]*)\)$/
		.exec(value)?.[1]
		?.split(/[\s,/]+/)
		.filter((part) => part !== '');
	if (parts === undefined || parts.length < 3) return undefined;
	if (parts[3] !== undefined && isZero(parts[3])) return 'transparent';
	return parts[3] === undefined || parts[3] === '1' ? parts.slice(0, 3).join(',') : undefined;
}
