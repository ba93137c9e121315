import type { Document, Element, Node } from '../dom/node.ts';
import { isBlockTag } from '../markdown/block-tags.ts';
import type { Marks } from '../marks.ts';
import { elsewhereMark } from './name-marks.ts';
import { once } from './once.ts';
import { spaced } from './visible-text.ts';

/** A line of text as it is shown. */
export interface Line {
	readonly text: string;
	/** Characters of text between it and the page's heading; negative before the heading. */
	readonly distance: number;
	/** The element that contains it. */
	readonly element: Element;
}

/** By-lines and dates stand this near to the heading, in characters of text. */
const before = 500;
const after = 1500;
/** Longer lines are sentences. */
const maxLine = 160;

/** The lines that a page shows, relative to its heading. */
export class Shown {
	/** The lines near the heading, and those of the whole page, in their order: read when they are asked for. */
	readonly near: () => readonly Line[];
	readonly all: () => readonly Line[];
	/** The elements that hold the heading: what they are called, the page itself is in them. */
	readonly #home = new Set<Element>();
	readonly #names: Marks;
	readonly #isThread: boolean;

	/** @param isThread posts have headings with links, as teasers have */
	constructor(document: Document, heading: Element | undefined, names: Marks, isThread = false) {
		this.#isThread = isThread;
		this.near = once(() => linesOf(document, heading, after).filter(({ distance }) => distance >= -before));
		this.all = once(() => linesOf(document, heading, Number.POSITIVE_INFINITY));
		for (let at = heading ?? null; at !== null; at = at.parent) this.#home.add(at);
		this.#names = names;
	}

	/** The same for a date, which teasers and sidebars also have. */
	isDateElsewhere(element: Element): boolean {
		if (this.isElsewhere(element)) return true;
		if (this.#isThread) return false;
		let isAside = false;
		let at: Element | null = element;
		for (let level = 0; at !== null && !this.#home.has(at) && level < 12; at = at.parent, level++) {
			if (isTeaser(at, element) || (at.tag === 'aside' && at.children.some(isHeading))) return true;
			isAside ||= at.tag === 'aside';
		}
		// Beside the article of the heading, an aside of the same `main` is about other pages.
		const own = [...this.#home].some(({ tag }) => tag === 'article') ? ['article'] : ['article', 'main'];
		for (; isAside && at !== null; at = at.parent) if (own.includes(at.tag)) return false;
		return isAside;
	}

	/** Whether an element stands in a part of the page that is about something else. */
	isElsewhere(element: Element): boolean {
		for (
			let at: Element | null = element, level = 0;
			at !== null && !this.#home.has(at) && level < 12;
			at = at.parent, level++
		) {
			if (at.tag === 'body') return false;
			if (at.tag === 'nav' || (at.tag === 'footer' && !isPartOfArticle(at))) return true;
			const { class: name, id } = at.attributes;
			if ((this.#names.of(name) | this.#names.of(id)) & elsewhereMark) return true;
		}
		return false;
	}
}

/** The heading of an aside says that it has a subject of its own. */
const isHeading = (node: Node): boolean => node.kind === 'element' && headingPattern.test(node.tag);

/** A link with a date and more text, or a box around one with the heading of another page. */
function isTeaser({ tag, attributes, children }: Element, element: Element): boolean {
	if (tag === 'a' && attributes.href !== undefined) return children.length > 1 || children[0] !== element;
	if (children.length > maxTeaser) return false;
	return children.some((child) => child.kind === 'element' && headingPattern.test(child.tag) && holdsLink(child));
}

/** The most children of a teaser. */
const maxTeaser = 12;
const headingPattern = /^h[2-6]$/;

const holdsLink = ({ children }: Element): boolean =>
	children.some((child) => child.kind === 'element' && (child.tag === 'a' || holdsLink(child)));

/** The footer of an article is about the article, that of the page is not. */
function isPartOfArticle(footer: Element): boolean {
	for (let at = footer.parent; at !== null; at = at.parent) if (at.tag === 'article' || at.tag === 'main') return true;
	return false;
}

/** Those below the heading before those above at the same distance. */
export function nearestFirst(lines: readonly Line[]): Line[] {
	const weight = ({ distance }: Line): number => (distance < 0 ? -3 * distance : distance);
	return lines.toSorted((a, b) => weight(a) - weight(b));
}

/** The short lines of a page, as far as `reach` characters of text below the heading. */
function linesOf({ body }: Document, heading: Element | undefined, reach: number): Line[] {
	const lines: { text: string; distance: number; element: Element }[] = [];
	let total = 0;
	let start: number | undefined = heading === undefined ? 0 : undefined;
	let text = '';
	const end = (element: Element): void => {
		if (text === '') return;
		const line = text.trim() === '' ? '' : spaced(text);
		text = '';
		if (line === '') return;
		if (line.length <= maxLine) lines.push({ text: line, distance: total, element });
		total += line.length;
	};
	const read = (element: Element): boolean => {
		if (element === heading) {
			end(element);
			start = total;
		}
		const block = isBlockTag(element.tag) || element.tag === 'br';
		if (block) end(element);
		for (const child of element.children) {
			if (start !== undefined && total - start > reach) return false;
			if (child.kind === 'text') text += child.data;
			else if (!skipped.has(child.tag) && !read(child)) return false;
		}
		if (block || text.length > 2000) end(element);
		return true;
	};
	read(body);
	if (start !== undefined) for (const line of lines) line.distance -= start;
	return lines;
}

const skipped: ReadonlySet<string> = new Set(
	'script style svg template select textarea noscript button nav'.split(' '),
);
