import type { Document, Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';

const STRIPPED: ReadonlySet<string> = new Set([
	'script',
	'style',
	'noscript',
	'template',
	'meta',
	'link',
	'head',
	'title',
	'base',
	'datalist',
	'colgroup',
	'param',
	'track',
	'source',
]);
const STYLE_LIMIT = 1_000_000;

/** Tells which elements of a page are not to be seen (SOM-SPEC §6.1, §6.2). */
export interface Visibility {
	isHidden(element: Element): boolean;
}

/** Reads the style blocks of a page once. Only single class, id and tag selectors are understood, as §6.2 asks. */
export function readVisibility(document: Document): Visibility {
	const hidden = { classes: new Set<string>(), ids: new Set<string>(), tags: new Set<string>() };
	const shown = new Set<string>();
	walk(document.html, (node) => {
		if (node.kind !== 'element') return false;
		if (node.tag === 'style') readRules(textContent(node).slice(0, STYLE_LIMIT), hidden, shown);
		return true;
	});
	for (const name of shown) hidden.classes.delete(name);
	return {
		isHidden(element) {
			const { attributes, tag } = element;
			if (STRIPPED.has(tag) || attributes.hidden !== undefined) return true;
			if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true;
			if (attributes.style !== undefined && hides(attributes.style)) return true;
			if (hidden.tags.has(tag)) return true;
			if (attributes.id !== undefined && hidden.ids.has(attributes.id)) return true;
			if (attributes.class === undefined || hidden.classes.size === 0) return false;
			return attributes.class.split(/\s+/).some((name) => hidden.classes.has(name));
		},
	};
}

interface HiddenNames {
	classes: Set<string>;
	ids: Set<string>;
	tags: Set<string>;
}

function readRules(css: string, hidden: HiddenNames, shown: Set<string>): void {
	const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
	for (const { selector, declarations } of topLevelRules(plain)) {
		const isHidden = hides(declarations);
		const isShown = !isHidden && SHOWN.test(declarations);
		if (!isHidden && !isShown) continue;
		for (const part of selector.split(',')) {
			const [, mark, name] = /^\s*([.#]?)([a-z_-][\w-]*)\s*$/i.exec(part) ?? [];
			if (name === undefined) continue;
			if (isShown) {
				if (mark === '.') shown.add(name);
			} else if (mark === '.') hidden.classes.add(name);
			else if (mark === '#') hidden.ids.add(name);
			else hidden.tags.add(name.toLowerCase());
		}
	}
}

/** The rules outside of `@media` and its like: what holds on every screen. */
function* topLevelRules(css: string): Generator<{ selector: string; declarations: string }> {
	let at = 0;
	while (at < css.length) {
		const open = css.indexOf('{', at);
		if (open < 0) return;
		const selector = css.slice(at, open);
		if (selector.trimStart().startsWith('@')) {
			at = endOfBlock(css, open);
			continue;
		}
		const close = css.indexOf('}', open);
		if (close < 0) return;
		yield { selector, declarations: css.slice(open + 1, close) };
		at = close + 1;
	}
}

function endOfBlock(css: string, open: number): number {
	let depth = 0;
	for (let at = open; at < css.length; at++) {
		const code = css.charCodeAt(at);
		if (code === 0x7b) depth++;
		else if (code === 0x7d && --depth === 0) return at + 1;
	}
	return css.length;
}

const SHOWN = /(?:^|;)\s*(?:display\s*:\s*(?:block|flex|grid|inline)|visibility\s*:\s*visible)/i;
const GONE =
	/(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:!|;|$)|font-size\s*:\s*0(?:px)?\s*(?:!|;|$))/i;
const CLIPPED = /(?:^|;)\s*clip\s*:\s*rect\(\s*0/i;
const ABSOLUTE = /(?:^|;)\s*position\s*:\s*absolute/i;
const NO_EXTENT = /(?:^|;)\s*(?:height|width|max-height)\s*:\s*0(?:px)?\s*(?:!|;|$)/i;
const OVERFLOW = /(?:^|;)\s*overflow\s*:\s*hidden/i;

function hides(declarations: string): boolean {
	if (GONE.test(declarations)) return true;
	if (CLIPPED.test(declarations) && ABSOLUTE.test(declarations)) return true;
	return NO_EXTENT.test(declarations) && OVERFLOW.test(declarations);
}
