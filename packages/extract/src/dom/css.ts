/** The most characters read of a page's style sheets. */
export const maxStyle = 1_000_000;
/** The deepest nesting of blocks that is read, such as `@supports` in `@layer`. */
const maxNesting = 8;
/** Nested rules with longer selectors are not read: each level can repeat those around it. */
const maxSelector = 2_000;

/** A rule of a style sheet. */
export interface Rule<T = unknown> {
	readonly selector: string;
	readonly declarations: string;
	/** Read from its declarations by `RuleReader.traitsOf`. */
	readonly traits?: T | undefined;
	/** Inside a block that applies under a condition, such as `@media`. */
	readonly conditional: boolean;
	/** The name of its cascade layer, if it is in one. */
	readonly layer?: string | undefined;
}

/** Tells which rules are read, before anything but their declarations is cut out of the sheet. */
export interface RuleReader<T> {
	/** Whether elements match the selector from `start` to `end` of a sheet; nested rules are read without. */
	isWanted?(css: string, start: number, end: number): boolean;
	/**
	 * Undefined for declarations from `start` to `end` that do not matter: their rule is dropped.
	 *
	 * @param always the rule is outside of blocks with a condition
	 */
	traitsOf?(css: string, start: number, end: number, always: boolean): T | undefined;
}

/** A block that is open at a place of a sheet. */
interface Scope {
	/** The selector that the rules inside are relative to. */
	readonly selector: string | undefined;
	readonly conditional: boolean;
	/** Nothing inside applies. */
	readonly skipped: boolean;
	readonly layer: string | undefined;
}

const topLevel: Scope = { selector: undefined, conditional: false, skipped: false, layer: undefined };

const noop = (): void => {};

/**
 * The rules of a style sheet in order, without those that never apply on a screen. (CSS Syntax 3 §5.4.3)
 *
 * @param onLayer called with each cascade layer, in the order in which they are first named
 */
export function rulesOf<T>(
	source: string,
	reader: RuleReader<T> = {},
	onLayer: (name: string) => void = noop,
): Rule<T>[] {
	const css = flat(withoutComments(source.slice(0, maxStyle)));
	const rules: Rule<T>[] = [];
	const scopes: Scope[] = [];
	let scope = topLevel;
	const opens = new Finder(css, '{');
	const closes = new Finder(css, '}');
	const ends = new Finder(css, ';');
	/** The selector is that of the scope, or stands from `from` to `to`. */
	const add = (start: number, end: number, selector: string | undefined, from = 0, to = 0): void => {
		const { conditional, layer } = scope;
		const traits = reader.traitsOf?.(css, start, end, !conditional);
		if (traits === undefined && reader.traitsOf !== undefined) return;
		const declarations = css.slice(start, end);
		rules.push({ selector: selector ?? css.slice(from, to).trim(), declarations, traits, conditional, layer });
	};
	for (let at = 0; at < css.length; ) {
		const open = opens.from(at);
		const close = closes.from(at);
		// Statements such as `@import`, or declarations around nested rules.
		const limit = Math.min(open, close);
		let start = at;
		for (let end = ends.from(start); end < limit; end = ends.from(start)) {
			if (scope.selector === undefined && !scope.skipped) {
				const [, names] = /^\s*@layer\s+([^;{}]+)$/i.exec(css.slice(start, end)) ?? [];
				for (const name of names?.split(',') ?? []) onLayer(layerIn(scope, name.trim()));
			}
			start = end + 1;
		}
		if (close < open) {
			if (scope.selector !== undefined && !scope.skipped && css.slice(at, close).trim() !== '')
				add(at, close, scope.selector);
			scope = scopes.pop() ?? topLevel;
			at = close + 1;
			continue;
		}
		if (open === css.length) break;
		if (start > at && scope.selector !== undefined && !scope.skipped) add(at, start, scope.selector);
		start = skipWhite(css, start);
		const isAt = css.charCodeAt(start) === atCode;
		const isLeaf = !isAt && close < opens.from(open + 1);
		if (isLeaf) {
			if (!scope.skipped)
				if (scope.selector === undefined) {
					if (reader.isWanted?.(css, start, open) !== false) add(open + 1, close, undefined, start, open);
				} else {
					const selector = nest(scope.selector, css.slice(start, open).trim());
					if (selector.length <= maxSelector) add(open + 1, close, selector);
				}
			at = close + 1;
			continue;
		}
		scopes.push(scope);
		if (scopes.length > maxNesting) scope = skipped;
		else if (!scope.skipped) {
			const prelude = css.slice(start, open).trim();
			const outer = scope.layer;
			scope = isAt ? blockOf(prelude, scope) : ruleScope(prelude, scope);
			if (scope.layer !== undefined && scope.layer !== outer) onLayer(scope.layer);
		}
		at = open + 1;
	}
	return rules;
}

const atCode = 0x40;
const dashCode = 0x2d;
const skipped: Scope = { ...topLevel, skipped: true };

function ruleScope(selector: string, outer: Scope): Scope {
	const whole = outer.selector === undefined ? selector : nest(outer.selector, selector);
	return whole.length > maxSelector ? skipped : { ...outer, selector: whole };
}

/** The next place of a character; places are asked for in ascending order. */
class Finder {
	readonly #css: string;
	readonly #char: string;
	#at = -1;

	constructor(css: string, char: string) {
		this.#css = css;
		this.#char = char;
	}

	/** The first place that is not before `start`, or the end of the sheet. */
	from(start: number): number {
		if (this.#at < start) {
			const at = this.#css.indexOf(this.#char, start);
			this.#at = at < 0 ? this.#css.length : at;
		}
		return this.#at;
	}
}

/** Skips white space, and the end of an HTML comment that did not begin. */
function skipWhite(css: string, start: number): number {
	let at = start;
	for (;;) {
		while (at < css.length && css.charCodeAt(at) <= spaceCode) at++;
		if (css.charCodeAt(at) !== dashCode || !css.startsWith('-->', at)) return at;
		at += '-->'.length;
	}
}

/** The block of an at-rule: its rules, under its condition. */
function blockOf(prelude: string, outer: Scope): Scope {
	const [, name = '', condition = ''] = /^@(?:-\w+-)?([\w-]+)\s*([\s\S]*)$/.exec(prelude) ?? [];
	switch (name.toLowerCase()) {
		case 'media': {
			const applies = mediaOf(condition);
			return applies === 'never' ? skipped : applies === 'always' ? outer : { ...outer, conditional: true };
		}
		case 'container':
			return { ...outer, conditional: true };
		case 'supports':
			// Browsers have what sheets ask for, so its negation is for browsers of the past.
			return /^not\b/i.test(condition) ? skipped : outer;
		case 'layer':
			return { ...outer, layer: layerIn(outer, condition) };
		case 'scope': {
			const inside = /^\(([^()]*)\)\s*$/.exec(condition)?.[1];
			return inside === undefined ? { ...outer, conditional: true } : ruleScope(inside, outer);
		}
		default:
			return skipped;
	}
}

const layerIn = ({ layer }: Scope, name: string): string => (layer === undefined ? name : `${layer}.${name}`);

type Applies = 'always' | 'never' | 'sometimes';

/** Media queries of earlier sheets: all sites have much the same ones. */
const knownMedia = new Map<string, Applies>();
const maxKnownMedia = 500;
/** Longer ones are not kept. */
const maxKnownQuery = 100;

/** Whether a media query holds on each screen, on none, or on some. (Media Queries 4 §3) */
export function mediaOf(queries: string): Applies {
	const known = knownMedia.get(queries);
	if (known !== undefined) return known;
	const applies = readMedia(queries);
	if (queries.length > maxKnownQuery) return applies;
	if (knownMedia.size >= maxKnownMedia) knownMedia.clear();
	knownMedia.set(queries, applies);
	return applies;
}

function readMedia(queries: string): Applies {
	let isNever = true;
	for (const query of queries.toLowerCase().split(',')) {
		const parts = query
			.trim()
			.split(/\s+and\s+/)
			.map(partOfMedia);
		if (parts.every((part) => part === 'always')) return 'always';
		if (!parts.includes('never')) isNever = false;
	}
	return isNever ? 'never' : 'sometimes';
}

function partOfMedia(part: string): Applies {
	if (/^(?:(?:only\s+)?(?:all|screen)|not\s+(?:print|speech)|)$/.test(part)) return 'always';
	if (/^(?:(?:only\s+)?(?:print|speech)|not\s+(?:all|screen))$/.test(part)) return 'never';
	const [, bound, width = ''] = /^\(\s*(min|max)-width\s*:\s*([\d.]+)(?:px)?\s*\)$/.exec(part) ?? [];
	if (bound === 'min' && Number(width) <= minScreen) return 'always';
	return bound === 'max' && Number(width) >= maxScreen ? 'always' : 'sometimes';
}

/** Pixels of the narrowest and widest screens. */
const minScreen = 320;
const maxScreen = 10_000;

/** A selector of a nested rule, with the one around it. (CSS Nesting 1 §3) */
function nest(outer: string, inner: string): string {
	const parent = outer.includes(',') ? `:is(${outer})` : outer;
	return inner
		.split(/,(?![^(]*\))/)
		.map((part) => (part.includes('&') ? part.replaceAll('&', () => parent) : `${parent} ${part.trim()}`))
		.join(', ');
}

function withoutComments(css: string): string {
	if (css.includes('<!--')) return css.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ');
	let open = css.indexOf('/*');
	const parts: string[] = [];
	let start = 0;
	while (open >= 0) {
		parts.push(css.slice(start, open));
		const close = css.indexOf('*/', open + 2);
		start = close < 0 ? css.length : close + 2;
		open = css.indexOf('/*', start);
	}
	parts.push(css.slice(start));
	return parts.join(' ');
}

/** The text as one run of characters: what is part of another text is slower to read. */
const flat = (text: string): string => [text, ''].join('');

/** Declared values by property, in lower case; `!important` ones win, else the last. */
export type Declarations = Map<string, Declared>;

interface Declared {
	readonly value: string;
	readonly important: boolean;
	/** The place of its cascade layer; important declarations of earlier layers win. (CSS Cascade 5 §6.4.4) */
	readonly layer: number;
}

/** Names of properties, found in a style without cutting each name out of it. */
export class Properties {
	readonly names: readonly string[];
	readonly #numbers: ReadonlyMap<string, number>;
	/** By first and last character with the length, one more than the number of one of the names that have them. */
	readonly #places = new Uint8Array(places);

	constructor(names: Iterable<string>) {
		this.names = [...new Set(names)];
		this.#numbers = new Map(this.names.map((name, number) => [name, number]));
		for (const [number, name] of this.names.entries()) this.#places[placeOf(name, 0, name.length)] = number + 1;
	}

	/** The number of the name from `start` to `end`, in either case; -1 for another name. */
	indexOf(source: string, start: number, end: number): number {
		let from = start;
		let to = end;
		while (from < to && source.charCodeAt(from) <= spaceCode) from++;
		while (to > from && source.charCodeAt(to - 1) <= spaceCode) to--;
		if (from === to) return -1;
		const likely = this.#places[placeOf(source, from, to)]! - 1;
		if (likely < 0) return -1;
		const name = this.names[likely]!;
		if (name.length === to - from && isNamed(name, source, from)) return likely;
		return this.#numbers.get(source.slice(from, to).toLowerCase()) ?? -1;
	}
}

const spaceCode = 0x20;
const places = 1 << 11;

/** Whether a name in lower case stands there, in either case. */
function isNamed(name: string, source: string, from: number): boolean {
	for (let i = 0; i < name.length; i++) {
		const code = source.charCodeAt(from + i);
		if ((code >= 0x41 && code <= 0x5a ? code + 32 : code) !== name.charCodeAt(i)) return false;
	}
	return true;
}

/** The same for letters in either case. */
function placeOf(source: string, start: number, end: number): number {
	const first = source.charCodeAt(start) | 0x20;
	const last = source.charCodeAt(end - 1) | 0x20;
	return (first * 37 + last * 9 + end - start) & (places - 1);
}

/**
 * Adds declarations after earlier ones of the cascade.
 *
 * @param wanted the properties that are added
 * @param layer the place of their cascade layer; those outside of layers come last
 */
export function declare(into: Declarations, source: string, wanted: Properties, layer = Infinity): void {
	let colon = -1;
	for (let at = 0, end = 0; at < source.length; at = end + 1) {
		end = source.indexOf(';', at);
		if (end < 0) end = source.length;
		if (colon < at) colon = source.indexOf(':', at);
		if (colon < 0) return;
		if (colon >= end || colon === at) continue;
		const name = wanted.names[wanted.indexOf(source, at, colon)];
		if (name === undefined) continue;
		let value = source
			.slice(colon + 1, end)
			.trim()
			.toLowerCase();
		const important = value.includes('!') && /!\s*important$/.test(value);
		if (important) value = value.replace(/!\s*important$/, '').trim();
		if (value === '') continue;
		const set = (property: string, to: string): void => {
			const known = into.get(property);
			if (known?.important === true && (!important || known.layer < layer)) return;
			into.set(property, { value: to, important, layer });
		};
		const expand = shorthands.get(name);
		if (expand === undefined) set(name, value);
		else expand(value, set);
	}
}

/** Adds declarations that are read already after earlier ones of the cascade. */
export function merge(into: Declarations, from: Declarations, layer: number): void {
	for (const [name, declared] of from) {
		const known = into.get(name);
		if (known?.important === true && (!declared.important || known.layer < layer)) continue;
		into.set(name, layer === declared.layer ? declared : { ...declared, layer });
	}
}

type Expand = (value: string, set: (name: string, value: string) => void) => void;

const rename =
	(to: string): Expand =>
	(value, set) =>
		set(to, value);

/** The values of the four sides. */
const sides =
	(top: string, right: string, bottom: string, left: string): Expand =>
	(value, set) => {
		const [first = '', second = first, third = first, fourth = second] = value.split(/\s+(?![^(]*\))/);
		set(top, first);
		set(right, second);
		set(bottom, third);
		set(left, fourth);
	};

/** A size in `font`: a length or share before the family, with or without a line height. */
const fontSize = /(?:^|\s)(0|\d*\.?\d+(?:[a-z]+|%))(?:\s*\/|\s)/;

/** Properties that are read as others. */
const shorthands: ReadonlyMap<string, Expand> = new Map<string, Expand>([
	['font', (value, set) => set('font-size', fontSize.exec(value)?.[1] ?? 'medium')],
	['background', rename('background-color')],
	['inset', sides('top', 'right', 'bottom', 'left')],
	['margin', sides('margin-top', 'margin-right', 'margin-bottom', 'margin-left')],
	['inset-inline-start', rename('left')],
	['inset-block-start', rename('top')],
	['margin-inline-start', rename('margin-left')],
	['margin-block-start', rename('margin-top')],
	['block-size', rename('height')],
	['inline-size', rename('width')],
	['max-block-size', rename('max-height')],
	['max-inline-size', rename('max-width')],
	['-webkit-clip-path', rename('clip-path')],
	['-webkit-transform', rename('transform')],
	['-webkit-user-select', rename('user-select')],
	['-webkit-background-clip', rename('background-clip')],
	['animation-name', rename('animation')],
]);
