import type { Document, Element, Node } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';

/** What one walk over the page finds, in document order. */
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
	readonly images: readonly { element: Element; noscript: boolean }[];
	readonly jsonLd: readonly string[];
	/** Texts of the other inline scripts. */
	readonly scripts: readonly string[];
	/** Elements with microdata or RDFa properties outside of `meta` and `link`. */
	readonly properties: readonly { element: Element; names: readonly string[] }[];
	/** The same with `meta` and `link`: all that microdata and RDFa say, and the elements that begin an item. */
	readonly marked: readonly { element: Element; names: readonly string[] }[];
	readonly scopes: readonly Element[];
	readonly times: readonly Element[];
	/** Elements whose class or id speaks of authors, dates or breadcrumbs. */
	readonly bylines: readonly Element[];
	readonly dates: readonly Element[];
	readonly breadcrumbs: readonly Element[];
}

/** Elements that hold a point in time: custom ones show how long ago it was. */
const TIMES: ReadonlySet<string> = new Set(['time', 'relative-time', 'time-ago', 'local-time', 'faceplate-timeago']);

const BYLINE =
	/(?:^|[\s_-])(?:by-?line|authors?|creator|writer|contributor|posted-?by|written-?by|post-author|entry-author|article-author|vcard)(?=$|[\s_-])|byline|authorname|author-?name/i;
const DATE =
	/(?:^|[\s_-])(?:date|dates|datetime|time|timestamp|published|pubdate|posted|updated|modified|entry-date|post-date|dateline|publish)(?=$|[\s_-])|pubdate|publishdate|postdate|publishedat|date-?published/i;
const BREADCRUMB = /breadcrumb/i;
const HEADING = /^h[1-6]$/;

class Collection {
	readonly metas = new Map<string, string[]>();
	readonly refreshes: { content: string; noscript: boolean }[] = [];
	readonly linkTags: Element[] = [];
	main: Element | undefined;
	base: string | undefined;
	title: string | undefined;
	readonly headings: { element: Element; level: number; text: string }[] = [];
	readonly anchors: Element[] = [];
	readonly images: { element: Element; noscript: boolean }[] = [];
	readonly jsonLd: string[] = [];
	readonly scripts: string[] = [];
	readonly properties: { element: Element; names: readonly string[] }[] = [];
	readonly marked: { element: Element; names: readonly string[] }[] = [];
	readonly scopes: Element[] = [];
	readonly times: Element[] = [];
	readonly bylines: Element[] = [];
	readonly dates: Element[] = [];
	readonly breadcrumbs: Element[] = [];
	private readonly marks = new Map<string, number>();

	/** False where nothing inside matters. */
	enter(element: Element): boolean {
		const { tag, attributes } = element;
		if (tag === 'script') {
			const list = /^application\/ld\+json\b/i.test(attributes.type?.trim() ?? '') ? this.jsonLd : this.scripts;
			if (element.children.length > 0) list.push(textContent(element));
			return false;
		}
		if (tag === 'style' || tag === 'template' || tag === 'svg') return false;
		this.byTag(element);
		const names = this.markup(element);
		if (tag !== 'meta' && tag !== 'link') this.byAttributes(element, names);
		return true;
	}

	private byTag(element: Element): void {
		const { tag, attributes } = element;
		if (tag === 'main' || attributes.role === 'main') this.main ??= element;
		if (tag === 'a') {
			if (attributes.href !== undefined) this.anchors.push(element);
		} else if (tag === 'img') this.images.push({ element, noscript: inNoscript(element) });
		else if (tag === 'meta') this.meta(element);
		else if (tag === 'link') this.linkTags.push(element);
		else if (TIMES.has(tag)) this.times.push(element);
		else if (tag === 'base') this.base ??= attributes.href;
		else if (tag === 'title') this.title ??= spaced(textContent(element)) || undefined;
		else if (HEADING.test(tag)) {
			const text = headingText(element);
			if (text !== '') this.headings.push({ element, level: Number(tag[1]), text });
		}
	}

	private meta(element: Element): void {
		const { content, name, property, itemprop } = element.attributes;
		if (content === undefined) return;
		if (element.attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
			this.refreshes.push({ content, noscript: inNoscript(element) });
		const keys = new Set([name, property, itemprop].flatMap((key) => key?.trim().toLowerCase() || []));
		for (const key of keys) {
			const values = this.metas.get(key);
			if (values === undefined) this.metas.set(key, [content]);
			else values.push(content);
		}
	}

	/** What microdata or RDFa call an element. */
	private markup(element: Element): readonly string[] | undefined {
		const { itemprop, property, itemscope, typeof: type } = element.attributes;
		if (itemscope !== undefined || type !== undefined) this.scopes.push(element);
		const source = itemprop ?? property;
		if (source === undefined) return undefined;
		const names = source.trim().toLowerCase().split(/\s+/).map(localName);
		this.marked.push({ element, names });
		return names;
	}

	/** What a name speaks of, as bits. Pages repeat their names, so each is looked at once. */
	private marksOf(label: string): number {
		let marks = this.marks.get(label);
		if (marks === undefined) {
			marks = (BYLINE.test(label) ? 1 : 0) | (DATE.test(label) ? 2 : 0) | (BREADCRUMB.test(label) ? 4 : 0);
			this.marks.set(label, marks);
		}
		return marks;
	}

	private byAttributes(element: Element, names: readonly string[] | undefined): void {
		const { attributes } = element;
		if (names !== undefined) this.properties.push({ element, names });
		if (BREADCRUMB.test(attributes['aria-label'] ?? '')) this.breadcrumbs.push(element);
		const label = `${attributes.class ?? ''} ${attributes.id ?? ''} ${attributes['data-testid'] ?? ''}`;
		if (label.length < 4 || label.length > 500) {
			if (attributes.rel === 'author') this.bylines.push(element);
			return;
		}
		const marks = this.marksOf(label);
		if (attributes.rel === 'author' || marks & 1) this.bylines.push(element);
		if (marks & 2) this.dates.push(element);
		if (marks & 4) this.breadcrumbs.push(element);
	}
}

const localName = (name: string): string => name.replace(/^.*[:/#]/, '');

function inNoscript(element: Element): boolean {
	for (let at = element.parent, level = 0; at !== null && level < 6; at = at.parent, level++)
		if (at.tag === 'noscript') return true;
	return false;
}

/** White space collapsed and trimmed, soft hyphens gone. A copy: a piece of a page would keep the whole page in memory. */
export function spaced(text: string): string {
	return text
		.replace(/\u00ad/g, '')
		.replace(/[\s\u00a0\u200b\ufeff]+/g, ' ')
		.trim();
}

/** The text that a reader sees in an element: without scripts, styles and drawings. */
export function visibleText(element: Element, limit = Number.POSITIVE_INFINITY, withoutButtons = false): string {
	let text = '';
	walk(element, (node: Node) => {
		if (text.length > limit) return false;
		if (node.kind === 'text') text += node.data;
		else if (node.tag === 'script' || node.tag === 'style' || node.tag === 'svg' || node.tag === 'template')
			return false;
		else if (withoutButtons && node.tag === 'button') return false;
		else if (node.tag === 'br' || /^(?:div|p|li|h[1-6]|td)$/.test(node.tag)) text += ' ';
		return true;
	});
	return spaced(text);
}

/** A heading without the sign that links to it. */
function headingText(element: Element): string {
	return (visibleText(element, undefined, true) || visibleText(element)).replace(/\s*[#¶§🔗]+$/u, (sign) =>
		/^\s|[¶🔗]/u.test(sign) ? '' : sign,
	);
}

/** Reads the page once. */
export function collect({ html }: Document): Collected {
	const collection = new Collection();
	collection.enter(html);
	walk(html, (node) => (node.kind === 'element' ? collection.enter(node) : true));
	return collection;
}
