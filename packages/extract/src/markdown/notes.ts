import { hrefBit, idBit } from '../dom/attribute-bits.ts';
import type { Looks } from '../dom/looks.ts';
import { append, createElement, type Element, type Node } from '../dom/node.ts';
import { walk } from '../dom/walk.ts';
import type { Builder } from './builder.ts';
import type { Block } from './model.ts';

/** The footnotes of a page, and the links that refer to them. */
export interface Footnotes {
	readonly notes: Map<Element, string>;
	/** Notes that stand in the text, in its margin or behind a sign. */
	readonly asides: Map<Element, string>;
	readonly references: Map<Element, string>;
	/** References whose notes are not here: their numbers are plain text. */
	readonly orphans: Set<Element>;
	/** The control that a reader clicks to see a hidden note next to it. */
	readonly signs: readonly Element[];
}

/** Names of footnotes and of what refers to them, in ids and classes. */
const noteName = /(?:^|[\s_:.-])(?:fn|footnote|endnote|note|cite_note|reference|sdfootnote|ftn|edn)s?(?=$|[\s_:.\d-])/i;
/** The mark of a footnote: a number, a letter or a symbol. */
const noteText = /^[[(]?(?:\d{1,3}(?::\d{1,2})?|[a-z]|[*†‡§¶]{1,3}|note \d{1,3}|[ivx]{1,5})[\])]?\.?$/i;
/** The text of the link from a footnote back to its mark. */
const backText =
	/^(?:(?:[↩↑⤴⮐^←⇑\s]|\ufe0e|\ufe0f)+|\d{1,3}|[a-z]|back|return(?: to (?:text|article|content))?|jump up)$/iu;

const isBackText = (text: string): boolean => backText.test(text) || noteText.test(text);

const arrow = /^(?:[↩↑⤴⮐^←⇑\s]|\ufe0e|\ufe0f)+$/u;

/**
 * Finds footnotes in one pass: a link to a place in these roots, raised or named as a reference, whose text is a
 * number or sign, and whose target is named as a note or links back.
 */
export function findFootnotes(roots: readonly Node[], visuals?: Looks): Footnotes {
	const targets = new Map<string, Element>();
	const links: Element[] = [];
	const margin: Element[] = [];
	/** The first `dd` after each `dt`. */
	const details = new Map<Element, Element>();
	let term: Element | undefined;
	const signs: Element[] = [];
	/** Notes come after the places that refer to them. */
	const order = new Map<Element, number>();
	for (const root of roots) {
		if (root.kind !== 'element') continue;
		const look = (node: Node): boolean => {
			if (node.kind === 'text') return true;
			if (node.tag === 'dt') term = node;
			else if (node.tag === 'dd' && term !== undefined && term.parent === node.parent && !details.has(term))
				details.set(term, node);
			const sign = visuals === undefined ? undefined : signOf(node, visuals);
			if (sign !== undefined) signs.push(sign);
			if (isAside(node) || sign !== undefined) margin.push(node);
			const id = node.attributeBits & idBit ? node.attributes.id : node.tag === 'a' ? node.attributes.name : undefined;
			if (id !== undefined && !targets.has(id)) {
				targets.set(id, node);
				order.set(node, order.size);
			}
			if (node.tag === 'a' && node.attributeBits & hrefBit && node.attributes.href?.includes('#')) {
				links.push(node);
				if (!order.has(node)) order.set(node, order.size);
			}
			return true;
		};
		look(root);
		walk(root, look);
	}
	const notes = new Map<Element, string>();
	const references = new Map<Element, string>();
	const used = new Map<string, number>();
	const orphans = new Set<Element>();
	for (const link of links) {
		if (!isReference(link)) continue;
		const target = targets.get(decoded(link.attributes.href!.replace(/^[^#]*#/, '')));
		const isBelow = target !== undefined && order.get(target)! > order.get(link)!;
		const note = isBelow ? noteAt(target, link, details) : undefined;
		const number = isBelow ? termOf(target, details) : undefined;
		if (note !== undefined && number !== undefined) signs.push(number);
		if (note === undefined) {
			if (target === undefined && isRaised(link)) orphans.add(link);
			continue;
		}
		const label = notes.get(note) ?? freeLabel(labelOf(link), used);
		notes.set(note, label);
		references.set(link, label);
	}
	const asides = new Map(margin.map((element) => [element, freeLabel('*', used)]));
	return { notes, asides, references, orphans, signs };
}

/** Classes of notes in the margin. */
const asidePattern = /(?:^|\s)(?:side-?note|margin-?note|modern-footnotes-footnote__note|footnote-tooltip)(?=\s|$)/i;

function isAside({ tag, attributes }: Element): boolean {
	return (tag === 'span' || tag === 'small') && attributes.class !== undefined && asidePattern.test(attributes.class);
}

/** The number or sign directly before a hidden part of a line that it shows as a note. */
function signOf(element: Element, visuals: Looks): Element | undefined {
	const { tag, parent } = element;
	if ((tag !== 'span' && tag !== 'small') || parent === null || !visuals.hides(element)) return undefined;
	const before = parent.children[parent.children.indexOf(element) - 1];
	const isSign = before?.kind === 'element' && /^(?:a|sup|button|label|span)$/.test(before.tag);
	return isSign && noteText.test(textOf(before)) && textOf(element) !== '' ? before : undefined;
}

/** Writes a note that stands in the text: its label there, what it says at the end. */
export function aside(builder: Builder, element: Element): void {
	const label = builder.context.asides.get(element)!;
	const { content, others } = builder.apart(() => builder.children(element));
	if (content.length === 0 && others.length === 0) return;
	builder.run.push({ kind: 'note', label });
	const said: Block[] = content.length > 0 ? [{ kind: 'paragraph', content }] : [];
	builder.asides.push({ kind: 'note', label, children: [...said, ...others] });
}

/** A link that looks like a footnote's number in the text. */
function isReference(link: Element): boolean {
	const { role, class: name } = link.attributes;
	if (isBackLink(link) || !noteText.test(textOf(link))) return false;
	if (isRaised(link) || role === 'doc-noteref' || /#_?(?:ftn|edn)\d+$/i.test(link.attributes.href ?? '')) return true;
	return /footnote|noteref|fn-?ref|reference/i.test(`${name ?? ''} ${link.parent?.attributes.class ?? ''}`);
}

function isRaised(link: Element): boolean {
	return link.parent?.tag === 'sup' || link.children.some((child) => child.kind === 'element' && child.tag === 'sup');
}

/** The note that stands at a target of a link: one that is called so, or that links back. */
function noteAt(target: Element, link: Element, details: ReadonlyMap<Element, Element>): Element | undefined {
	const heading = headingOf(target);
	if (heading !== undefined) return headedBy(heading);
	const term = termOf(target, details);
	if (term !== undefined) return details.get(term);
	const note = target.tag === 'sup' && !beginsItsBlock(target) ? undefined : noteElement(target);
	if (note === undefined || contains(note, link)) return undefined;
	return isNamedNote(target) || isNamedNote(note) || linksBack(note) || leadsTo(note, link) ? note : undefined;
}

/** A raised number in the middle of a text is a reference itself. */
function beginsItsBlock(target: Element): boolean {
	return target.parent?.children.find((child) => child.kind === 'element' || child.data.trim() !== '') === target;
}

/** The term with the number of a note, as Docutils writes it: `<dt class="label" id="f1">1</dt><dd>…</dd>`. */
function termOf(target: Element, details: ReadonlyMap<Element, Element>): Element | undefined {
	const term = target.tag === 'dt' ? target : target.parent;
	if (term === null || !details.has(term)) return undefined;
	const isNote = /(?:^|\s)(?:footnote|citation)(?=\s|$)/.test(term.parent?.attributes.class ?? '');
	return isNote || linksBack(term) ? term : undefined;
}

/** The block that the id names or stands in. */
function noteElement(target: Element): Element | undefined {
	for (
		let element: Element | null = target, level = 0;
		element !== null && level < 4;
		element = element.parent, level++
	) {
		if (/^(?:li|p|div|aside|dd|section|blockquote)$/.test(element.tag)) return element;
		// Docutils before 0.18: a table of the number and the note.
		if (element.tag === 'table' && isNamedNote(element)) return element;
	}
	return undefined;
}

/** A heading that only has the number of a note and links back to its reference. */
function headingOf(target: Element): Element | undefined {
	const heading = /^h[1-6]$/.test(target.tag) ? target : target.parent;
	if (heading === null || !/^h[1-6]$/.test(heading.tag) || heading.parent === null) return undefined;
	const isBack = heading.children.some(
		(child) => child.kind === 'element' && child.attributes.href?.startsWith('#') === true,
	);
	return isBack && noteText.test(textOf(heading)) ? heading : undefined;
}

/** A note with its number as a heading above it, as Texinfo writes it, each in its own box. */
function headedBy(heading: Element): Element {
	const parent = heading.parent!;
	const start = parent.children.indexOf(heading);
	let end = start + 1;
	for (; end < parent.children.length; end++) {
		const node = parent.children[end]!;
		if (node.kind === 'element' && /^(?:h[1-6]|hr)$/.test(node.tag)) break;
	}
	const note = createElement('div');
	const parts = parent.children.splice(start, end - start, note);
	note.parent = parent;
	// The number is in the label.
	for (const part of parts.slice(1)) append(note, part);
	return note;
}

function isNamedNote({ attributes }: Element): boolean {
	return (
		/^_?(?:ftn|edn)\d+$/.test(attributes.name ?? '') ||
		/^doc-(?:footnote|endnote)$/.test(attributes.role ?? '') ||
		noteName.test(attributes.id ?? '') ||
		noteName.test(attributes.class ?? '') ||
		noteName.test(attributes.name ?? '')
	);
}

function linksBack(note: Element): boolean {
	let found = false;
	walk(note, (node) => {
		if (node.kind === 'element' && node.tag === 'a' && isBackLink(node)) found = true;
		return !found;
	});
	return found;
}

/** Whether a note has a link to the reference, whatever its id is. */
function leadsTo(note: Element, reference: Element): boolean {
	const id = reference.attributes.id ?? reference.parent?.attributes.id;
	let found = false;
	if (id !== undefined && id !== '')
		walk(note, (node) => {
			if (node.kind === 'element' && node.tag === 'a' && node.attributes.href === `#${id}`) found = true;
			return !found;
		});
	return found;
}

function contains(outer: Element, inner: Element): boolean {
	for (let element: Element | null = inner; element !== null; element = element.parent)
		if (element === outer) return true;
	return false;
}

function isBackLink({ attributes, children }: Element): boolean {
	if (attributes.role === 'doc-backlink' || attributes['data-footnote-backref'] !== undefined) return true;
	if (!attributes.href?.includes('#')) return false;
	return (
		/backref|backlink|back-link|footnote-back/i.test(attributes.class ?? '') ||
		// Ids of references to footnotes, as common generators write them.
		(/#(?:user-content-)?_?(?:fnref|cite_ref|footnote-?ref|footnote-anchor|ftnref|ednref|sdfootnote\d+anc|ref)/i.test(
			attributes.href,
		) &&
			children.length < 5)
	);
}

function labelOf(link: Element): string {
	return (
		textOf(link)
			.replace(/:\d+/, '')
			.replace(/[^\p{L}\p{N}]/gu, '') || '*'
	);
}

/** Two notes that are both called `a` get labels of their own. */
function freeLabel(wanted: string, used: Map<string, number>): string {
	const base = wanted === '*' ? String(used.size + 1) : wanted;
	let label = base;
	for (let count = used.get(base) ?? 0; used.has(label); count++) {
		used.set(base, count + 1);
		label = `${base}-${count + 1}`;
	}
	used.set(label, 1);
	return label;
}

function decoded(fragment: string): string {
	try {
		return decodeURIComponent(fragment);
	} catch {
		return fragment;
	}
}

function textOf(element: Element): string {
	let text = '';
	for (const child of element.children) text += child.kind === 'text' ? child.data : textOf(child);
	return text.length > 100 ? text.slice(0, 100) : text.trim();
}

/** Writes a footnote where it stands, without its number and the links back into the text. */
export function footnote(builder: Builder, element: Element): void {
	const label = builder.context.notes.get(element)!;
	findTools(element.children, builder.dropped, { text: false });
	const children = builder.nest(() => builder.children(element));
	const [first] = children ?? [];
	const [start] = first?.kind === 'paragraph' ? first.content : [];
	if (first?.kind === 'paragraph' && start?.kind === 'text') {
		const text = withoutNumber(start.text, label);
		if (text !== start.text) children![0] = { ...first, content: [{ kind: 'text', text }, ...first.content.slice(1)] };
	}
	if (children && children.length > 0) builder.add({ kind: 'note', label, children });
}

/** The text of a note without the label that it begins with: `1. RFC 9112`, `[1] RFC 9112`, or only the point after it. */
function withoutNumber(text: string, label: string): string {
	const bare = text.trimStart();
	if (bare.startsWith(`[${label}] `)) return bare.slice(label.length + 3);
	const rest = bare.startsWith(label) ? bare.slice(label.length) : bare;
	return /^[.:)]\s/.test(rest) ? rest.slice(1).trimStart() : text;
}

/** Marks what only leads about: links back, and a number that begins the note. */
function findTools(nodes: readonly Node[], dropped: Set<Element>, begun: { text: boolean }): void {
	for (const node of nodes) {
		if (node.kind === 'text') begun.text ||= node.data.trim() !== '';
		else if (isTool(node, begun.text)) dropped.add(node);
		else findTools(node.children, dropped, begun);
	}
}

function isTool(element: Element, afterText: boolean): boolean {
	const { tag, attributes } = element;
	if (attributes.class !== undefined && /backlink/.test(attributes.class)) return true;
	if (tag === 'a' && (isBackLink(element) || (attributes.href?.startsWith('#') && arrow.test(textOf(element)))))
		return true;
	if (afterText) return false;
	if (tag === 'a') return attributes.href?.includes('#') === true && isBackText(textOf(element));
	return (tag === 'sup' || tag === 'span') && noteText.test(textOf(element));
}
