import type { XmlElement } from '../office/xml.ts';

/** The effect of a rule or a style attribute on whether text is seen. */
interface Visibility {
	/** By `display`, `visibility` or the size of its text. */
	readonly gone?: boolean;
	readonly unseen?: boolean;
	readonly tiny?: boolean;
	readonly white?: boolean;
	/** A colour or a picture behind the text. */
	readonly ground?: boolean;
}

interface Compound {
	readonly tag: string | undefined;
	readonly names: readonly string[];
}

interface Rule {
	/** Of the element last. */
	readonly compounds: readonly Compound[];
	readonly look: Visibility;
	readonly order: number;
}

/** Rules that are read; further ones are not. */
const maxRules = 2000;

/** Style sheets of a book, as far as they hide text: simple selectors, outside of conditions and states. */
export class StyleRules {
	/** By a name or the tag of the element they style. */
	readonly #rules = new Map<string, Rule[]>();
	#count = 0;
	/** Those whose last part fits an element, by its tag, classes and id. */
	readonly #known = new Map<string, readonly Rule[]>();

	add(css: string): void {
		const text = css.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/@(?:import|charset|namespace)[^;{}]*;/g, ' ');
		for (let at = 0; at < text.length && this.#count < maxRules; ) {
			const brace = text.indexOf('{', at);
			if (brace < 0) return;
			const selectors = text.slice(at, brace).trim();
			const end = endOfBlock(text, brace);
			at = end + 1;
			const look = lookOf(text.slice(brace + 1, end));
			if (selectors.startsWith('@') || look === undefined) continue;
			for (const selector of selectors.split(',')) {
				const compounds = compoundsOf(selector);
				const last = compounds?.at(-1);
				if (compounds === undefined || last === undefined) continue;
				const key = last.names[0] ?? last.tag ?? '*';
				this.#rules.set(key, [...(this.#rules.get(key) ?? []), { compounds, look, order: this.#count++ }]);
			}
		}
	}

	/** Whether an element hides its text. @param around the elements that it is in, outermost first */
	hides(element: XmlElement, around: readonly XmlElement[]): boolean {
		const { gone, unseen, tiny, white, ground } = this.#look(element, around);
		if (gone === true || unseen === true || tiny === true) return true;
		if (white !== true || ground === true) return false;
		return !around.some((outer, at) => this.#look(outer, around.slice(0, at)).ground === true);
	}

	#look(element: XmlElement, around: readonly XmlElement[]): Visibility {
		const matching = this.#candidates(element).filter(({ compounds }) => isIn(compounds, around));
		const own = lookOf(element.attributes.style ?? '');
		const looks = [...matching.map(({ look }) => look), ...(own === undefined ? [] : [own])];
		return looks.length === 0 ? {} : Object.assign({}, ...looks);
	}

	#candidates(element: XmlElement): readonly Rule[] {
		const { class: list = '', id = '' } = element.attributes;
		const key = `${element.name} ${id} ${list}`;
		let found = this.#known.get(key);
		if (found === undefined) {
			const names = ['*', element.name, `#${id}`, ...list.split(/\s+/).map((name) => `.${name}`)];
			found = names
				.flatMap((name) => this.#rules.get(name) ?? [])
				.filter(({ compounds }) => fits(compounds.at(-1), element))
				.sort((one, other) => one.order - other.order);
			this.#known.set(key, found);
		}
		return found;
	}
}

/** The brace that closes a block, which may hold others. */
function endOfBlock(text: string, start: number): number {
	let depth = 0;
	for (let at = start; at < text.length; at++) {
		if (text[at] === '{') depth++;
		else if (text[at] === '}' && --depth === 0) return at;
	}
	return text.length;
}

const white = /^(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))$/;

/** Undefined: nothing that matters here. */
function lookOf(declarations: string): Visibility | undefined {
	const look: { -readonly [Name in keyof Visibility]: Visibility[Name] } = {};
	for (const declaration of declarations.split(';')) {
		const colon = declaration.indexOf(':');
		const name = declaration.slice(0, colon).trim().toLowerCase();
		const value = declaration
			.slice(colon + 1)
			.replace(/!important/i, '')
			.trim()
			.toLowerCase();
		if (name === 'display') look.gone = value === 'none';
		else if (name === 'visibility') look.unseen = value === 'hidden' || value === 'collapse';
		else if (name === 'font-size') look.tiny = /^0+(?:\.0+)?(?![\d.])/.test(value);
		else if (name === 'color') look.white = white.test(value);
		else if (name.startsWith('background'))
			look.ground = !/^(?:none|transparent|inherit|initial)$/.test(value) && !white.test(value);
	}
	return Object.keys(look).length === 0 ? undefined : look;
}

/** Undefined for a selector with a state, an attribute or a sibling. */
function compoundsOf(selector: string): Compound[] | undefined {
	const parts = selector.replace(/>/g, ' ').trim().split(/\s+/);
	const compounds = parts.map((part): Compound | undefined => {
		const [, tag = '', names = ''] = /^([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)$/i.exec(part) ?? [undefined];
		if (tag === '' && names === '') return undefined;
		return { tag: tag === '' || tag === '*' ? undefined : tag.toLowerCase(), names: names.match(/[.#][\w-]+/g) ?? [] };
	});
	const known = compounds.filter((compound) => compound !== undefined);
	return known.length === compounds.length ? known : undefined;
}

/** Whether the parts before the last fit elements around, in their order. */
function isIn(compounds: readonly Compound[], around: readonly XmlElement[]): boolean {
	let at = around.length - 1;
	for (const compound of compounds.slice(0, -1).reverse()) {
		while (at >= 0 && !fits(compound, around[at])) at--;
		if (at-- < 0) return false;
	}
	return true;
}

function fits(compound: Compound | undefined, element: XmlElement | undefined): boolean {
	if (element === undefined || compound === undefined) return false;
	const { tag, names } = compound;
	if (tag !== undefined && element.name !== tag) return false;
	const { class: list = '', id } = element.attributes;
	const classes = list.split(/\s+/);
	return names.every((name) => (name.startsWith('#') ? id === name.slice(1) : classes.includes(name.slice(1))));
}
