/** The most characters read of a page's style sheets. */
export const MAX_STYLE = 1_000_000;
/** The deepest nesting of blocks that is read, such as `@supports` in `@layer`. */
const MAX_NESTING = 4;

/** A rule of a style sheet. */
export interface Rule {
	readonly selector: string;
	readonly declarations: string;
	/** Inside a block that applies under a condition, such as `@media`. */
	readonly conditional: boolean;
}

/** The rules of a style sheet in order, without those for print only. (CSS Syntax 3 §5.4.3) */
export function rulesOf(source: string): Rule[] {
	const rules: Rule[] = [];
	addRules(rules, withoutComments(source.slice(0, MAX_STYLE)), false, 0);
	return rules;
}

function addRules(rules: Rule[], css: string, conditional: boolean, depth: number): void {
	let at = 0;
	while (at < css.length) {
		const open = css.indexOf('{', at);
		if (open < 0) return;
		const before = css.slice(at, open);
		const prelude = before.slice(before.lastIndexOf(';') + 1).trim();
		if (prelude.startsWith('@')) {
			const end = endOfBlock(css, open);
			const name = /^@(?:-\w+-)?([\w-]+)/.exec(prelude)?.[1]?.toLowerCase() ?? '';
			const isCondition = name === 'media' || name === 'container';
			const isRead = name === 'supports' || name === 'layer' || (isCondition && !isForPaper(prelude));
			if (isRead && depth < MAX_NESTING)
				addRules(rules, css.slice(open + 1, end - 1), conditional || isCondition, depth + 1);
			at = end;
			continue;
		}
		const close = css.indexOf('}', open);
		if (close < 0) return;
		const declarations = css.slice(open + 1, close);
		// The conditions of the outer rule also apply to a nested one.
		const inner = declarations.indexOf('{');
		if (inner >= 0) {
			const end = endOfBlock(css, open);
			const body = css.slice(open + 1, end - 1);
			const first = body.lastIndexOf(';', inner) + 1;
			rules.push({ selector: prelude, declarations: body.slice(0, first), conditional });
			if (depth < MAX_NESTING) addRules(rules, body.slice(first), true, depth + 1);
			at = end;
			continue;
		}
		rules.push({ selector: prelude, declarations, conditional });
		at = close + 1;
	}
}

const withoutComments = (css: string): string =>
	css.includes('/*') || css.includes('-->') ? css.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ') : css;

const isForPaper = (prelude: string): boolean => /\bprint\b/i.test(prelude) && !/\b(?:screen|all|not)\b/i.test(prelude);

function endOfBlock(css: string, open: number): number {
	let depth = 0;
	for (let at = open; at < css.length; at++) {
		const code = css.charCodeAt(at);
		if (code === 0x7b) depth++;
		else if (code === 0x7d && --depth === 0) return at + 1;
	}
	return css.length;
}

/** Declared values by property, in lower case; `!important` ones win, else the last. */
export type Declarations = Map<string, { readonly value: string; readonly important: boolean }>;

/** Names of properties, found in a style without cutting each name out of it. */
export class Properties {
	readonly #names: ReadonlySet<string>;
	/** Of each first and last character with a length whether one of the names has them. */
	readonly #places = new Uint8Array(PLACES);

	constructor(names: Iterable<string>) {
		this.#names = new Set(names);
		for (const name of this.#names) this.#places[placeOf(name, 0, name.length)] = 1;
	}

	/** The name from `start` to `end` in lower case, if it is one of these. */
	find(source: string, start: number, end: number): string | undefined {
		let from = start;
		let to = end;
		while (from < to && source.charCodeAt(from) <= SPACE) from++;
		while (to > from && source.charCodeAt(to - 1) <= SPACE) to--;
		if (from === to || this.#places[placeOf(source, from, to)] === 0) return undefined;
		const name = source.slice(from, to).toLowerCase();
		return this.#names.has(name) ? name : undefined;
	}
}

const SPACE = 0x20;
const PLACES = 1 << 11;

/** The same for letters in either case. */
function placeOf(source: string, start: number, end: number): number {
	const first = source.charCodeAt(start) | 0x20;
	const last = source.charCodeAt(end - 1) | 0x20;
	return (first * 37 + last * 9 + end - start) & (PLACES - 1);
}

/**
 * Adds declarations after earlier ones of the cascade.
 *
 * @param wanted the properties that are added
 */
export function declare(into: Declarations, source: string, wanted: Properties): void {
	let colon = -1;
	for (let at = 0, end = 0; at < source.length; at = end + 1) {
		end = source.indexOf(';', at);
		if (end < 0) end = source.length;
		if (colon < at) colon = source.indexOf(':', at);
		if (colon < 0) return;
		if (colon >= end || colon === at) continue;
		const name = wanted.find(source, at, colon);
		if (name === undefined) continue;
		let value = source
			.slice(colon + 1, end)
			.trim()
			.toLowerCase();
		const important = value.includes('!') && /!\s*important$/.test(value);
		if (important) value = value.replace(/!\s*important$/, '').trim();
		if (value === '' || (!important && into.get(name)?.important === true)) continue;
		into.set(name, { value, important });
	}
}
