import { ARIA_HIDDEN, FADED, HIDDEN, INHERITED, INVISIBLE, inherit, REMOVED } from '../dom/looks.ts';
import type { Element, Node } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import { aroundBit, isInFurniture } from './around.ts';
import type { Block, Box } from './blocks.ts';

/** A hidden part with more than this share of the words of the page, or of its article, waits for a script. */
const MOST = 0.5;
/** This many faded siblings are faded in by a script; so are parts all over a page. */
const SERIES = 3;
const MOST_FADED = 6;
const ARTICLES = aroundBit('article') | aroundBit('main');

/** Names of overlays that open over the page. */
const DIALOG = /(?:^|[\s_-])(?:modal|pop-?up|lightbox|dialog|cookies?|consent|gdpr|off-?canvas|drawer)(?=$|[\s_-])/i;
/** Attributes and classes of libraries that animate a part when it is scrolled into view. */
const APPEARS =
	/(?:^|[\s_])(?:wow|reveal|aos-init|animated?|elementor-invisible|fade-?in\S*|in-?view|js-scroll\S*|appear\S*|rev_?slider\S*|swiper|slick|owl-carousel|flickity|splide|carousel|slider)(?=[\s_-]|$)/i;
const APPEARS_BY = [
	'data-aos',
	'data-sal',
	'data-scroll',
	'data-animate',
	'data-animation',
	'data-anim',
	'data-reveal',
];
const TITLE =
	/(?:^|[\s_-])(?:accordion|toggle|toggler|question|trigger|title|header|heading|collapsible|expander|tab)(?=$|[\s_-])/i;
const MORE =
	/^(?:[+»›▾▼⌄…]|\.{3})$|\b(?:read|show|see|view|load)?\s*(?:more|all|full|rest|details?)\b|\bexpand|\bmehr\b|\bweiterlesen|\bplus\b|\bla suite\b|\bmás\b|\bmais\b|\baltro\b|\bleggi\b|\bmeer\b|\bvisa mer|\bwięcej|ещё|подробнее|читать|もっと|続き|更多|展开|더\s?보기|المزيد/iu;
const MOST_MORE = 40;
/** Longer handlers are not searched. */
const MOST_SCRIPT = 500;
/** The most characters of a title, and the deepest level of its heading or button. */
const MOST_TITLE = 200;
const TITLE_DEPTH = 4;
const HEADING = /^h[1-6]$/;

/**
 * Decides for each box whether a reader can see it. A part that the page offers to open, or that only waits for a
 * script, is visible: those are returned.
 */
export function settleHidden(boxes: readonly Box[], blocks: readonly Block[]): OpenedPart[] {
	const opened: OpenedPart[] = [];
	if (!boxes.some(({ bits }) => (bits & (HIDDEN | INHERITED)) !== 0)) return opened;
	const words = new Float64Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) words[i + 1] = words[i]! + blocks[i]!.size.words;
	const offers = new Offers(boxes);
	const slides = countSlides(boxes);
	const faded = boxes.filter(({ bits }) => bits & FADED).length;
	/** For each box: whether it is not rendered, and its inherited effects. */
	const gone = new Uint8Array(boxes.length);
	const inherited = new Int32Array(boxes.length);
	for (const box of boxes) {
		const { index, parent, bits } = box;
		const isInside = parent !== null && gone[parent.index] === 1;
		const outer = parent === null ? 0 : inherited[parent.index]!;
		const isHidden = (bits & (HIDDEN | INHERITED)) !== 0;
		const waiting = !isInside && isHidden && (appears(box, faded, slides) || waits(box, words));
		const isSeen = waiting || (!isInside && isHidden && offers.has(box));
		if (isSeen) opened.push({ box, state: waiting ? 'waiting' : 'offered' });
		gone[index] = isInside || (!isSeen && (bits & HIDDEN) !== 0) ? 1 : 0;
		inherited[index] = inherit(outer, isSeen ? bits & ~INHERITED : bits);
		box.hidden = gone[index] === 1 || (inherited[index] !== 0 && !box.revealed);
	}
	return opened;
}

/** A part that is hidden when the page opens: a control opens it, or a script will show it. */
export interface OpenedPart {
	readonly box: Box;
	readonly state: 'offered' | 'waiting';
}

/** Faded out or invisible until the reader scrolls to it or its slide comes up. */
function appears({ bits, element, parent, look }: Box, faded: number, slides: ReadonlyMap<string, number>): boolean {
	if ((bits & (HIDDEN | INHERITED) & ~(FADED | INVISIBLE)) !== 0) return false;
	const { attributes } = element;
	const names = `${attributes.class ?? ''} ${attributes.id ?? ''}`;
	if (APPEARS.test(names) || APPEARS_BY.some((name) => attributes[name] !== undefined)) return true;
	if (bits & FADED && faded >= MOST_FADED) return true;
	return parent !== null && (slides.get(slideKey(parent, bits, look)) ?? 0) >= SERIES;
}

/** Groups faded siblings, and invisible siblings that look alike. */
const slideKey = ({ index }: Box, bits: number, look: number): string => `${index} ${bits & FADED ? 'faded' : look}`;

function countSlides(boxes: readonly Box[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { bits, look, parent } of boxes) {
		if (parent === null || (bits & (FADED | INVISIBLE)) === 0) continue;
		const key = slideKey(parent, bits, look);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}

/** Holds most of the words of the page, or of its article, so it must be waiting for a script or a dialog. */
function waits(box: Box, words: Float64Array): boolean {
	if ((box.bits & (HIDDEN | INHERITED) & ~(REMOVED | FADED | INVISIBLE | ARIA_HIDDEN)) !== 0 || isDialog(box))
		return false;
	const wordsIn = ({ start, end }: Box): number => words[end]! - words[start]!;
	if (box.element.tag === 'main' || box.element.attributes.role === 'main') return true;
	const own = wordsIn(box);
	let article: Box | null = box.around & ARTICLES ? box.parent : null;
	while (article !== null && article.element.tag !== 'article' && article.element.tag !== 'main')
		article = article.parent;
	return own > MOST * words[words.length - 1]! || (article !== null && own > MOST * wordsIn(article));
}

function isDialog({ element, names }: Box): boolean {
	const { tag, attributes } = element;
	if (tag === 'dialog' || attributes['aria-modal'] === 'true' || /^(?:alert)?dialog$/.test(attributes.role ?? ''))
		return true;
	return names.written.length < 600 && DIALOG.test(names.written);
}

/** The controls of a page, and the parts they open. */
class Offers {
	readonly #boxes: readonly Box[];
	readonly #siblings = new Siblings();
	#ids: ReadonlySet<string> | undefined;
	/** Number of boxes of one look inside boxes of one look. */
	#counts: Map<number, number> | undefined;

	constructor(boxes: readonly Box[]) {
		this.#boxes = boxes;
	}

	/** Whether a visible control opens a hidden part. */
	has(box: Box): boolean {
		if (isInFurniture(box) || isDialog(box)) return false;
		const { element } = box;
		if (element.attributes.role === 'tabpanel' || this.#names(element)) return true;
		return opensBefore(box, this.#siblings, (part) => this.#alike(part)) || opensBeside(element, this.#siblings);
	}

	#alike({ look, parent }: Box): number {
		const key = (box: number, outer: number | undefined): number =>
			((box & (KEYS - 1)) << 15) | ((outer ?? 0) & (KEYS - 1));
		if (this.#counts === undefined) {
			this.#counts = new Map();
			for (const box of this.#boxes) {
				const at = key(box.look, box.parent?.look);
				this.#counts.set(at, (this.#counts.get(at) ?? 0) + 1);
			}
		}
		return this.#counts.get(key(look, parent?.look)) ?? 0;
	}

	/** A control of the page references the id of the part, or of a box that directly wraps it. */
	#names(element: Element): boolean {
		this.#ids ??= idsOfControls(this.#boxes[0]!.element);
		for (let at: Element | undefined = element, level = 0; at !== undefined && level < 3; level++) {
			if (at.attributes.id !== undefined && this.#ids.has(at.attributes.id)) return true;
			const inner = elementsOf(at);
			at = inner.length === 1 ? inner[0] : undefined;
		}
		return false;
	}
}

/** Enough distinct looks for any page; further ones share a count. */
const KEYS = 1 << 15;

/** The ids that buttons, tabs, links and labels of a page reference. */
function idsOfControls(body: Element): Set<string> {
	const ids = new Set<string>();
	walk(body, (node) => {
		if (node.kind === 'text') return false;
		const { tag, attributes } = node;
		// Elements have few attributes: going through them is faster than looking up each name.
		for (const name in attributes) {
			switch (name) {
				case 'aria-controls':
					for (const id of attributes[name]!.split(/\s+/)) ids.add(id);
					break;
				case 'data-target':
				case 'data-bs-target':
				case 'data-toggle':
				case 'data-controls':
				case 'data-tab':
				case 'data-tab-id':
					ids.add(attributes[name]!.replace(/^#/, ''));
					break;
				case 'onclick':
					if (attributes[name]!.length < MOST_SCRIPT)
						for (const [, id] of attributes[name]!.matchAll(/['"#]#?([\w-]+)['"]/g)) ids.add(id!);
					break;
				case 'href':
					if (tag === 'a' && attributes[name]!.startsWith('#')) ids.add(attributes[name]!.slice(1));
					break;
				case 'for':
					if (tag === 'label') ids.add(attributes[name]!);
			}
		}
		return tag !== 'svg' && tag !== 'template';
	});
	ids.delete('');
	return ids;
}

/** One of several parts that each follow a title: an accordion. */
function opensBefore(box: Box, siblings: Siblings, alike: (box: Box) => number): boolean {
	let part = box;
	let title = siblings.of(part.element, -1);
	for (let level = 0; title === undefined && level < 2 && part.parent?.children.length === 1; level++) {
		part = part.parent;
		title = siblings.of(part.element, -1);
	}
	if (part.parent === null || title === undefined || !isTitle(title, 0)) return false;
	if (isSwitch(title, 0)) return true;
	return alike(part) > 1;
}

/** A heading, a button or an element named as a title, short, or a box around one. */
function isTitle(element: Element, depth: number): boolean {
	const { tag, attributes } = element;
	if (depth === 0 && textOf(element, MOST_TITLE).length > MOST_TITLE) return false;
	if (HEADING.test(tag) || /^(?:button|summary|dt|label|input)$/.test(tag) || attributes.role === 'button') return true;
	if (attributes['aria-expanded'] !== undefined || TITLE.test(attributes.class ?? '')) return true;
	return depth < TITLE_DEPTH && elementsOf(element).some((child) => isTitle(child, depth + 1));
}

/** A label, or a control with an open or closed state. */
function isSwitch(element: Element, depth: number): boolean {
	const { tag, attributes } = element;
	if (tag === 'label' || tag === 'input' || attributes['aria-expanded'] !== undefined) return true;
	return depth < TITLE_DEPTH && elementsOf(element).some((child) => isSwitch(child, depth + 1));
}

/** The rest of a text next to "Read more". */
function opensBeside(element: Element, siblings: Siblings): boolean {
	const near = [siblings.of(element, 1), siblings.of(element, -1)];
	if (near[0] === undefined && element.parent !== null) near.push(siblings.of(element.parent, 1));
	return near.some((other) => other !== undefined && isMore(other, 0));
}

function isMore(element: Element, depth: number): boolean {
	const { tag, attributes } = element;
	const isControl =
		tag === 'button' ||
		attributes.role === 'button' ||
		attributes['aria-expanded'] !== undefined ||
		isIdleLink(element);
	if (!isControl) {
		const inner = elementsOf(element);
		return depth < 2 && inner.length === 1 && isMore(inner[0]!, depth + 1);
	}
	const text = textOf(element, MOST_MORE);
	return text.length <= MOST_MORE && MORE.test(text);
}

const isIdleLink = ({ tag, attributes }: Element): boolean =>
	tag === 'a' && /^(?:#|javascript:|$)/i.test(attributes.href?.trim() ?? '');

/** The text, or its beginning if it exceeds the limit. */
function textOf(element: Element, limit: number): string {
	let text = '';
	walk(element, (node) => {
		if (node.kind === 'text') text += node.data;
		return (
			text.length <= limit &&
			!(node.kind === 'element' && (node.tag === 'style' || node.tag === 'script' || node.tag === 'svg'))
		);
	});
	return text.trim();
}

const elementsOf = ({ children }: Element): Element[] =>
	children.filter((child): child is Element => child.kind === 'element');

/** Finds siblings: indexes the children of a parent once. */
class Siblings {
	readonly #places = new Map<Element, Map<Node, number>>();

	/** The next or previous element of the same parent, if there is no text between. */
	of(element: Element, step: 1 | -1): Element | undefined {
		const { parent } = element;
		if (parent === null) return undefined;
		for (let at = this.#placeOf(element, parent) + step; at >= 0 && at < parent.children.length; at += step) {
			const node = parent.children[at]!;
			if (node.kind === 'text') {
				if (node.data.trim() !== '') return undefined;
			} else if (node.tag !== 'style' && node.tag !== 'script') return node;
		}
		return undefined;
	}

	#placeOf(element: Element, parent: Element): number {
		let places = this.#places.get(parent);
		if (places === undefined) {
			places = new Map(parent.children.map((child, at) => [child, at]));
			this.#places.set(parent, places);
		}
		return places.get(element)!;
	}
}
