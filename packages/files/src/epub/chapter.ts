import { escapeHtml } from '../html.ts';
import { followable, resolvePath } from '../office/ooxml.ts';
import { allOf, textIn, type XmlElement, type XmlNode } from '../office/xml.ts';
import { decoded } from './package.ts';
import type { StyleRules } from './visible.ts';

/** Elements that stay, without their attributes. */
const kept = new Set(
	(
		'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote pre code kbd samp var em strong ' +
		'i b u s del ins sup sub br hr figure figcaption div section article aside span q cite dfn abbr mark small ruby header footer ' +
		// MathML, which becomes text.
		'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup munder mover munderover mfenced mtable mtr mtd ' +
		'mstyle mpadded menclose semantics annotation'
	).split(' '),
);
/** Elements that go with all that is in them: what no page shows, runs or asks for, and readings above a text. */
const dropped =
	/^(?:head|script|style|template|iframe|object|embed|audio|video|canvas|form|input|button|select|textarea|title|link|meta|base|rt|rp|rtc)$/;
const empty = /^(?:br|hr)$/;
/** The sign of a footnote. */
const noteSign = /^[[(]?(?:\d{1,4}|[a-z]|[ivx]{1,5}|[*†‡§¶]{1,3})[\])]?\.?$/i;
const backSign = /^(?:[↩↑⤴⮐^←⇑\s]|\ufe0e|\ufe0f)+$/u;

/** Where links of a book lead, and which places have been named. */
export interface BookPlaces {
	/** The number of a chapter by its path. */
	readonly numbers: ReadonlyMap<string, number>;
	/** Ids that links refer to. */
	readonly used: Set<string>;
}

interface Chapter {
	readonly path: string;
	readonly number: number;
	readonly styles: StyleRules;
	readonly places: BookPlaces;
}

/** The body of a content document, as plain elements with unique ids. */
export function chapterHtml(tree: XmlElement, chapter: Chapter): string {
	const [body = tree] = allOf(tree, 'body');
	return body.children.map((child) => write(child, chapter, [body])).join('');
}

function write(node: XmlNode, chapter: Chapter, around: readonly XmlElement[]): string {
	if (typeof node === 'string') return escapeHtml(node);
	if (dropped.test(node.name) || isHidden(node, chapter, around)) return '';
	switch (node.name) {
		case 'img':
		case 'image':
			return picture(node.attributes.alt);
		case 'svg':
			return picture(allOf(node, 'title').map(textIn)[0] ?? node.attributes['aria-label']);
		case 'epub:switch':
			return inside(lastOf(node, 'epub:default'), chapter, around);
		case 'a':
			return writeLink(node, chapter, around);
	}
	const html = inside(node, chapter, around);
	if (!kept.has(node.name)) return html;
	const role = isNote(node) ? ' role="doc-footnote"' : '';
	const name = role !== '' && /^(?:aside|section|p)$/.test(node.name) ? 'div' : node.name;
	const tag = `<${name}${idOf(node, chapter)}${role}${structural(node)}>`;
	return empty.test(name) ? tag : `${tag}${html}</${name}>`;
}

const inside = (node: XmlElement, chapter: Chapter, around: readonly XmlElement[]): string =>
	node.children.map((child) => write(child, chapter, [...around, node])).join('');

const lastOf = (node: XmlElement, name: string): XmlElement => allOf(node, name).at(-1) ?? node;

const picture = (alt: string | undefined): string =>
	alt === undefined || alt.trim() === '' ? '' : `<img alt="${escapeHtml(alt.trim())}" src="#">`;

const typesOf = ({ attributes }: XmlElement): string => `${attributes['epub:type'] ?? ''} ${attributes.role ?? ''}`;

const isNote = (node: XmlElement): boolean => /\b(?:footnote|endnote|rearnote)(?![\w-])/.test(typesOf(node));

function isHidden(node: XmlElement, { styles }: Chapter, around: readonly XmlElement[]): boolean {
	if (node.attributes.hidden !== undefined) return true;
	// The number of a page of the printed book, and lists of such places.
	if (/\b(?:pagebreak|page-list|landmarks)\b/.test(typesOf(node))) return true;
	return styles.hides(node, around);
}

/** Attributes that a table, a list or the start of a listing needs. */
function structural({ name, attributes }: XmlElement): string {
	const number = (attribute: string): string => {
		const value = attributes[attribute]?.trim() ?? '';
		return /^\d{1,4}$/.test(value) ? ` ${attribute}="${value}"` : '';
	};
	if (name === 'td' || name === 'th') return number('colspan') + number('rowspan');
	if (name === 'ol') return number('start');
	// The language of a listing.
	if (name === 'pre' || name === 'code')
		return attributes.class === undefined ? '' : ` class="${escapeHtml(attributes.class)}"`;
	return name === 'math' && attributes.display === 'block' ? ' display="block"' : '';
}

const idOf = ({ attributes: { id } }: XmlElement, { number }: Chapter): string =>
	id === undefined ? '' : ` id="${placeId(number, id)}"`;

const placeId = (chapter: number, id: string): string => `c${chapter}-${escapeHtml(id)}`;

function writeLink(node: XmlElement, chapter: Chapter, around: readonly XmlElement[]): string {
	const html = inside(node, chapter, around);
	const target = html.trim() === '' ? undefined : targetOf(node, chapter);
	const id = idOf(node, chapter);
	if (target === undefined) return id === '' ? html : `<span${id}>${html}</span>`;
	const isReference = /\bnoteref\b/.test(typesOf(node)) && noteSign.test(textIn(node).trim());
	return `<a${id} href="${target}"${isReference ? ' role="doc-noteref"' : ''}>${html}</a>`;
}

/** Notes are recognized by their links; other links in a book lead to its chapters, whose anchors the document has. */
function targetOf(node: XmlElement, { path, number, places }: Chapter): string | undefined {
	const { href } = node.attributes;
	if (href === undefined) return undefined;
	const outside = followable(href);
	if (outside !== undefined) return escapeHtml(outside);
	if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
	const [file = '', fragment] = href.split('#');
	const other = file === '' ? number : places.numbers.get(resolvePath(path.replace(/[^/]*$/, ''), decoded(file)));
	if (other === undefined) return undefined;
	const text = textIn(node).trim();
	if (fragment === undefined || !(noteSign.test(text) || backSign.test(text))) return `#chapter-${other}`;
	const id = placeId(other, decoded(fragment));
	places.used.add(id);
	return `#${id}`;
}
