import { controlBit, hrefBit } from '../../dom/attribute-bits.ts';
import {
	ariaHiddenBit,
	fadedBit,
	hiddenBits,
	inherit,
	inheritedBits,
	invisibleBit,
	removedBit,
} from '../../dom/looks.ts';
import type { Element, Node } from '../../dom/node.ts';
import { walk } from '../../dom/walk.ts';
import { aroundBit, isInFurniture } from './around.ts';
import type { Block, Box } from './box.ts';
import { kindBit } from './hints.ts';

/** A hidden part with more than this share of the words of the page, or of its article, waits for a script. */
const most = 0.5;
/** This many faded siblings are faded in by a script; so are parts all over a page. */
const series = 3;
const maxFaded = 6;
const articlesBits = aroundBit('article') | aroundBit('main');

/** Names of overlays that open over the page. */
const dialog = /(?:^|[\s_-])(?:modal|pop-?up|lightbox|dialog|cookies?|consent|gdpr|off-?canvas|drawer)(?=$|[\s_-])/i;
/** Attributes and classes of libraries that animate a part when it is scrolled into view. */
const appearsPattern =
	/(?:^|[\s_])(?:wow|reveal|aos-init|animated?|elementor-invisible|fade-?in\S*|in-?view|js-scroll\S*|appear\S*|rev_?slider\S*|swiper|slick|owl-carousel|flickity|splide|carousel|slider)(?=[\s_-]|$)/i;
const appearsBy = ['data-aos', 'data-sal', 'data-scroll', 'data-animate', 'data-animation', 'data-anim', 'data-reveal'];
/** Classes of what opens a hidden part. */
const titlePattern =
	/(?:^|[\s_-])(?:accordion|toggle|toggler|question|trigger|title|header|heading|collapsible|expander|tab)(?=$|[\s_-])/i;
/** Labels of controls that show a hidden part, in several languages. */
const more =
	/^(?:[+»›▾▼⌄…]|\.{3})$|\b(?:read|show|see|view|load)?\s*(?:more|all|full|rest|details?)\b|\bexpand|\bmehr\b|\bweiterlesen|\bplus\b|\bla suite\b|\bmás\b|\bmais\b|\baltro\b|\bleggi\b|\bmeer\b|\bvisa mer|\bwięcej|ещё|подробнее|читать|もっと|続き|更多|展开|더\s?보기|المزيد/i;
const maxMore = 40;
/** Longer handlers are not searched. */
const maxScript = 500;
/** The most characters of a title, and the deepest level of its heading or button. */
const maxTitle = 200;
const titleDepth = 4;
const heading = /^h[1-6]$/;

/**
 * Decides for each box whether a reader can see it. A part that the page offers to open, or that only waits for a
 * script, is visible: those are returned.
 */
export function resolveHidden(boxes: readonly Box[], blocks: readonly Block[]): OpenedPart[] {
	const opened: OpenedPart[] = [];
	if (!boxes.some(({ bits }) => (bits & (hiddenBits | inheritedBits)) !== 0)) return opened;
	const words = new Float64Array(blocks.length + 1);
	for (let i = 0; i < blocks.length; i++) words[i + 1] = words[i]! + blocks[i]!.size.words;
	const offers = new Offers(boxes);
	const slides = countSlides(boxes);
	const faded = boxes.filter(({ bits }) => bits & fadedBit).length;
	/** For each box: whether it is not rendered, and its inherited effects. */
	const gone = new Uint8Array(boxes.length);
	const inherited = new Int32Array(boxes.length);
	for (const box of boxes) {
		const { index, parent, bits } = box;
		const isInside = parent !== null && gone[parent.index] === 1;
		const outer = parent === null ? 0 : inherited[parent.index]!;
		const isHidden = (bits & (hiddenBits | inheritedBits)) !== 0;
		const waiting = !isInside && isHidden && (appears(box, faded, slides) || waits(box, words));
		const isSeen = waiting || (!isInside && isHidden && offers.has(box));
		if (isSeen) opened.push({ box, state: waiting ? 'waiting' : 'offered' });
		gone[index] = isInside || (!isSeen && (bits & hiddenBits) !== 0) ? 1 : 0;
		inherited[index] = inherit(outer, isSeen ? bits & ~inheritedBits : bits);
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
	if ((bits & (hiddenBits | inheritedBits) & ~(fadedBit | invisibleBit)) !== 0) return false;
	const { attributes } = element;
	const names = `${attributes.class ?? ''} ${attributes.id ?? ''}`;
	if (appearsPattern.test(names) || appearsBy.some((name) => attributes[name] !== undefined)) return true;
	if (bits & fadedBit && faded >= maxFaded) return true;
	return parent !== null && (slides.get(slideKey(parent, bits, look)) ?? 0) >= series;
}

/** Groups faded siblings, and invisible siblings that look alike. */
const slideKey = ({ index }: Box, bits: number, look: number): string => `${index} ${bits & fadedBit ? 'faded' : look}`;

function countSlides(boxes: readonly Box[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { bits, look, parent } of boxes) {
		if (parent === null || (bits & (fadedBit | invisibleBit)) === 0) continue;
		const key = slideKey(parent, bits, look);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}

/** Holds most of the words of the page, or of its article, so it must be waiting for a script or a dialog. */
function waits(box: Box, words: Float64Array): boolean {
	if (
		(box.bits & (hiddenBits | inheritedBits) & ~(removedBit | fadedBit | invisibleBit | ariaHiddenBit)) !== 0 ||
		isDialog(box)
	)
		return false;
	const wordsIn = ({ start, end }: Box): number => words[end]! - words[start]!;
	if (box.element.tag === 'main' || box.element.attributes.role === 'main') return true;
	const own = wordsIn(box);
	let article: Box | null = box.around & articlesBits ? box.parent : null;
	while (article !== null && article.element.tag !== 'article' && article.element.tag !== 'main')
		article = article.parent;
	return own > most * words[words.length - 1]! || (article !== null && own > most * wordsIn(article));
}

function isDialog({ element, names }: Box): boolean {
	const { tag, attributes } = element;
	if (tag === 'dialog' || attributes['aria-modal'] === 'true' || /^(?:alert)?dialog$/.test(attributes.role ?? ''))
		return true;
	return names.written.length < 600 && dialog.test(names.written);
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
		if (element.attributes.role === 'tabpanel' || this.#names(element) || isPanel(box)) return true;
		return opensBefore(box, this.#siblings, (part) => this.#alike(part)) || opensBeside(element, this.#siblings);
	}

	#alike({ look, parent }: Box): number {
		const key = (box: number, outer: number | undefined): number =>
			((box & (keys - 1)) << 15) | ((outer ?? 0) & (keys - 1));
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
		for (let at: Element | undefined = element, level = 0; at !== undefined && level < 3; level++) {
			const { id } = at.attributes;
			if (id !== undefined) {
				this.#ids ??= idsOfControls(this.#boxes[0]!.element);
				if (this.#ids.has(id)) return true;
			}
			at = onlyElementOf(at);
		}
		return false;
	}
}

/** One of several panels of tabs, of which another is open. */
function isPanel({ element, names, parent }: Box): boolean {
	if (parent === null || parent.children.length > maxPanels) return false;
	if (((names.kinds | parent.names.kinds) & tabsBit) === 0) return false;
	const name = firstClass(element);
	return (
		name !== undefined &&
		parent.children.some(
			({ element: other, hidden }) =>
				other !== element && !hidden && firstClass(other) === name && openPanel.test(other.attributes.class!),
		)
	);
}

const tabsBit = kindBit('tabs');
const maxPanels = 30;
/** Classes of the panel that is open, after the class that all panels have. */
const openPanel = /\s(?:is-)?(?:active|current|selected|show|shown|open)(?=\s|$)/;
const firstClass = ({ attributes }: Element): string | undefined => /\S+/.exec(attributes.class ?? '')?.[0];

/** Enough distinct looks for any page; further ones share a count. */
const keys = 1 << 15;

/** The ids that buttons, tabs, links and labels of a page reference. */
function idsOfControls(body: Element): Set<string> {
	const ids = new Set<string>();
	walk(body, (node) => {
		if (node.kind === 'text') return false;
		const { tag, attributes, attributeBits } = node;
		if ((attributeBits & (controlBit | hrefBit)) === 0) return tag !== 'svg' && tag !== 'template';
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
					if (attributes[name]!.length < maxScript)
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
	if (depth === 0 && textOf(element, maxTitle).length > maxTitle) return false;
	if (heading.test(tag) || /^(?:button|summary|dt|label|input)$/.test(tag) || attributes.role === 'button') return true;
	if (attributes['aria-expanded'] !== undefined || titlePattern.test(attributes.class ?? '')) return true;
	return depth < titleDepth && elementsOf(element).some((child) => isTitle(child, depth + 1));
}

/** A label, or a control with an open or closed state. */
function isSwitch(element: Element, depth: number): boolean {
	const { tag, attributes } = element;
	if (tag === 'label' || tag === 'input' || attributes['aria-expanded'] !== undefined) return true;
	return depth < titleDepth && elementsOf(element).some((child) => isSwitch(child, depth + 1));
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
	const text = textOf(element, maxMore);
	return text.length <= maxMore && more.test(text);
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

/** The element in another, if there is one only; text beside it does not matter. */
function onlyElementOf({ children }: Element): Element | undefined {
	let only: Element | undefined;
	for (const child of children) {
		if (child.kind === 'text') continue;
		if (only !== undefined) return undefined;
		only = child;
	}
	return only;
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
