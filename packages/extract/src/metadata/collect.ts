import { type Document, type Element, emptyList } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { Marks } from '../marks.ts';
import { breadcrumbMark, bylineMark, dateMark, nameMarks } from './name-marks.ts';
import { headingText, spaced } from './visible-text.ts';

/** Results of one walk over the page, in document order. */
export interface Collected {
	/** `content` of meta tags by lower-case name, property or itemprop. */
	readonly metas: ReadonlyMap<string, readonly string[]>;
	readonly refreshes: readonly { content: string; noscript: boolean }[];
	readonly linkTags: readonly Element[];
	/** The element that is marked as the main part, if there is one. */
	readonly main: Element | undefined;
	readonly base: string | undefined;
	readonly title: string | undefined;
	readonly headings: readonly { element: Element; level: number; text: string }[];
	readonly anchors: readonly Element[];
	/** Frames and areas of image maps. */
	readonly further: readonly Element[];
	readonly images: readonly { element: Element; noscript: boolean }[];
	readonly jsonLd: readonly string[];
	/** Texts of the other inline scripts. */
	readonly scripts: readonly string[];
	/** Elements with microdata or RDFa properties outside of `meta` and `link`. */
	readonly properties: readonly { element: Element; names: readonly string[] }[];
	/** The same with `meta` and `link`: all that microdata and RDFa say, and the elements that begin an item. */
	readonly marked: readonly { element: Element; names: readonly string[]; spelled: readonly string[] }[];
	readonly scopes: readonly Element[];
	readonly times: readonly Element[];
	/** Elements whose class or id speaks of authors, dates or breadcrumbs. */
	readonly bylines: readonly Element[];
	readonly dates: readonly Element[];
	readonly breadcrumbs: readonly Element[];
	readonly names: Marks;
}

/** Elements that hold nothing that a page says. */
export const holdsNothing: ReadonlySet<string> = new Set(['script', 'style', 'template', 'svg']);

/** Longer names are looked at by their relation only. */
const maxNames = 498;

class Collection {
	readonly metas = new Map<string, string[]>();
	readonly refreshes = emptyList<{ content: string; noscript: boolean }>();
	readonly linkTags = emptyList<Element>();
	main: Element | undefined;
	base: string | undefined;
	title: string | undefined;
	readonly headings = emptyList<{ element: Element; level: number; text: string }>();
	readonly anchors = emptyList<Element>();
	readonly further = emptyList<Element>();
	readonly images = emptyList<{ element: Element; noscript: boolean }>();
	readonly jsonLd: string[] = [];
	readonly scripts: string[] = [];
	readonly properties = emptyList<{ element: Element; names: readonly string[] }>();
	readonly marked = emptyList<{ element: Element; names: readonly string[]; spelled: readonly string[] }>();
	readonly scopes = emptyList<Element>();
	readonly times = emptyList<Element>();
	readonly bylines = emptyList<Element>();
	readonly dates = emptyList<Element>();
	readonly breadcrumbs = emptyList<Element>();
	readonly names = new Marks(nameMarks);

	/** False where nothing inside matters. */
	enter(element: Element): boolean {
		const { tag, attributes } = element;
		if (tag === 'script') {
			const list = /^application\/ld\+json\b/i.test(attributes.type?.trim() ?? '') ? this.jsonLd : this.scripts;
			if (element.children.length > 0) list.push(textContent(element));
			return false;
		}
		if (holdsNothing.has(tag)) return false;
		this.#byTag(element);
		this.#byAttributes(element);
		return true;
	}

	#byTag(element: Element): void {
		const { tag, attributes } = element;
		switch (tag) {
			case 'a':
				if (attributes.href !== undefined) this.anchors.push(element);
				break;
			case 'area':
			case 'frame':
				this.further.push(element);
				break;
			case 'img':
				this.images.push({ element, noscript: inNoscript(element) });
				break;
			case 'h1':
			case 'h2':
			case 'h3':
			case 'h4':
			case 'h5':
			case 'h6': {
				const text = headingText(element);
				if (text !== '') this.headings.push({ element, level: Number(tag[1]), text });
				break;
			}
			case 'meta':
				this.#meta(element);
				break;
			case 'link':
				this.linkTags.push(element);
				break;
			case 'main':
				this.main ??= element;
				break;
			case 'base':
				this.base ??= attributes.href;
				break;
			case 'title':
				this.title ??= spaced(textContent(element)) || undefined;
				break;
			// Elements that hold a point in time: custom ones show how long ago it was.
			case 'time':
			case 'relative-time':
			case 'time-ago':
			case 'local-time':
			case 'faceplate-timeago':
				this.times.push(element);
		}
	}

	#meta(element: Element): void {
		const { content, name, property, itemprop } = element.attributes;
		if (content === undefined) return;
		if (element.attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
			this.refreshes.push({ content, noscript: inNoscript(element) });
		const keys = new Set<string>();
		for (const key of [name, property, itemprop]) if (key !== undefined) keys.add(key.trim().toLowerCase());
		for (const key of keys) {
			const values = this.metas.get(key);
			if (values !== undefined) values.push(content);
			else if (key !== '') this.metas.set(key, [content]);
		}
	}

	/** Elements have few attributes, of many names: going through them is quicker than asking for each that matters. */
	#byAttributes(element: Element): void {
		const { attributes, tag } = element;
		const inBody = tag !== 'meta' && tag !== 'link';
		let isScope = false;
		let isAuthor = false;
		let length = 0;
		let marks = 0;
		let source: string | undefined;
		for (const name in attributes) {
			const value = attributes[name]!;
			switch (name) {
				case 'class':
				case 'id':
				case 'data-testid':
					length += value.length;
					if (inBody && value.length <= maxNames) marks |= this.names.of(value);
					break;
				case 'itemprop':
					source = value;
					break;
				case 'property':
					source ??= value;
					break;
				case 'itemscope':
				case 'typeof':
					isScope = true;
					break;
				case 'rel':
					isAuthor = value === 'author';
					break;
				case 'role':
					if (value === 'main') this.main ??= element;
					break;
				case 'aria-label':
					if (inBody && this.names.of(value) & breadcrumbMark) this.breadcrumbs.push(element);
			}
		}
		if (isScope) this.scopes.push(element);
		if (source !== undefined) this.#property(element, source, inBody);
		if (length > maxNames) marks = 0;
		if (inBody && (marks & bylineMark || isAuthor)) this.bylines.push(element);
		if (marks & dateMark) this.dates.push(element);
		if (marks & breadcrumbMark) this.breadcrumbs.push(element);
	}

	/** The name of an element in microdata or RDFa. */
	#property(element: Element, source: string, inBody: boolean): void {
		const spelled = source.trim().split(/\s+/).map(localName);
		const names = spelled.map((name) => name.toLowerCase());
		this.marked.push({ element, names, spelled });
		if (inBody) this.properties.push({ element, names });
	}
}

const localName = (name: string): string => name.replace(/^.*[:/#]/, '');

function inNoscript(element: Element): boolean {
	for (let at = element.parent, level = 0; at !== null && level < 6; at = at.parent, level++)
		if (at.tag === 'noscript') return true;
	return false;
}

/** Reads the page once. */
export function collect({ html }: Document): Collected {
	const collection = new Collection();
	collection.enter(html);
	walk(html, (node) => (node.kind === 'element' ? collection.enter(node) : true));
	return collection;
}
