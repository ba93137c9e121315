import { KEEPS_LINES } from '../dom/looks.ts';
import type { Element } from '../dom/node.ts';
import { textContent } from '../dom/walk.ts';
import { type BuildContext, type Builder, withoutMark, wrapped } from './builder.ts';
import { ADMONITION, ADMONITION_TITLE, CAPTION } from './class-marks.ts';
import { codeElement, inlineCode, isCodeContainer } from './code.ts';
import { anchor } from './links.ts';
import { definitionDetail, definitionTerm, list, listItem } from './lists.ts';
import { equationTable, isEquationTable, isMath, mathElement } from './math.ts';
import { embed, image, media, picture, svg } from './media.ts';
import type { Block, Mark } from './model.ts';
import { isNoise, shortText } from './noise.ts';
import { aside, footnote } from './notes.ts';
import { captionLine, figure, isGrid, table } from './table.ts';

type Handler = (builder: Builder, element: Element) => void;

const mark =
	(name: Mark['name']): Handler =>
	(builder, element) =>
		builder.marked({ name }, () => builder.children(element));

const block: Handler = (builder, element) => {
	builder.flush();
	builder.children(element);
	builder.flush();
};
const transparent: Handler = (builder, element) => builder.children(element);
const nothing: Handler = () => {};

const heading: Handler = (builder, element) => {
	const aria = Number(element.attributes['aria-level']);
	const level = /^h[1-6]$/.test(element.tag) ? Number(element.tag[1]) : aria >= 1 && aria <= 6 ? Math.floor(aria) : 2;
	const { content, others } = builder.inline(() => builder.children(element));
	const plain = withoutMark(content, 'strong');
	if (plain.length > 0) builder.add({ kind: 'heading', level, content: plain });
	builder.addAll(others);
};

const quote: Handler = (builder, element) => {
	const children = builder.nest(() => builder.children(element));
	if (children && children.length > 0) builder.add({ kind: 'quote', children });
};

/** A note or a warning: a quote, which begins with its title in bold. */
const note: Handler = (builder, element) => {
	const label = element.attributes['aria-label']?.trim() ?? '';
	let children = builder.nest(() => noteParts(builder, element)) ?? [];
	// A box in a box of the same name is one note.
	while (children.length === 1 && children[0]!.kind === 'quote') children = [...children[0]!.children];
	if (children.length === 0) return;
	if (NOTE_LABEL.test(label) && !startsWith(children[0]!, label))
		children.unshift({ kind: 'paragraph', content: wrapped([{ kind: 'text', text: label }], { name: 'strong' }) });
	builder.add({ kind: 'quote', children });
};

/** What a note holds; its title may have no class of its own. */
function noteParts(builder: Builder, element: Element): void {
	const first = element.children.find((child) => child.kind === 'element');
	for (const child of element.children) {
		const isTitle = child === first && child.kind === 'element' && isPlainTitle(child);
		if (isTitle) noteTitle(builder, child);
		else if (child.kind === 'element' && child.tag === 'dd') block(builder, child);
		else builder.nodes([child]);
	}
}

/** Named as a title, a heading, or nothing but the kind of the note. */
function isPlainTitle(element: Element): boolean {
	const { tag, attributes } = element;
	if (tag === 'dt' || /^h[1-6]$/.test(tag)) return true;
	if (!TITLE.test(tag)) return false;
	return (
		/(?:^|\s)(?:title|blockquote-tag-title)(?=\s|$)/.test(attributes.class ?? '') || KIND.test(shortText(element, 16))
	);
}

const KIND = /^(?:note|tip|hint|info|important|warning|caution|danger|attention|example)[:!]?$/i;

const NOTE_LABEL = /^[\p{L} ]{2,24}$/u;

function startsWith(block: Block, label: string): boolean {
	if (block.kind !== 'paragraph' && block.kind !== 'heading') return true;
	const text = block.content.map((item) => (item.kind === 'text' ? item.text : '')).join('');
	return text.trim().toLowerCase().startsWith(label.toLowerCase());
}

/** In bold, even where the page makes it a heading: it names the note, and no section of the page. */
const noteTitle: Handler = (builder, element) => {
	for (const part of builder.collect(() => builder.children(element))) {
		const isLine = part.kind === 'paragraph' || part.kind === 'heading';
		builder.add(isLine ? { kind: 'paragraph', content: wrapped(part.content, { name: 'strong' }) } : part);
	}
};

const TITLE = /^(?:div|p|span|header|h[1-6])$/;

const lineBreak: Handler = (builder) => builder.lineBreak();

/** What one is to fill in is no content, nor is its name. */
const label: Handler = (builder, element) => {
	const field = element.children.some(
		(child) =>
			child.kind === 'element' &&
			(/^(?:select|textarea)$/.test(child.tag) ||
				(child.tag === 'input' && !/^(?:checkbox|radio)$/i.test(child.attributes.type ?? 'text'))),
	);
	if (field) return;
	// The labels of tabs stand side by side in one box.
	if (builder.lastLabel !== undefined && builder.lastLabel === element.parent) builder.run.text(' ');
	builder.children(element);
	builder.lastLabel = element.parent ?? undefined;
};

/** In bold, unless it holds a heading; one that only says "more" is a button. */
const summary: Handler = (builder, element) => {
	const { parent } = element;
	const isTitle = parent !== null && isNote(parent, builder.classes.of(parent.attributes.class));
	if (!isTitle && MORE.test(shortText(element, 40))) return;
	const blocks = builder.collect(() => builder.children(element));
	const titled = blocks.some((part) => part.kind === 'heading');
	for (const part of blocks) {
		const bold = part.kind === 'paragraph' && !titled;
		builder.add(bold ? { kind: 'paragraph', content: wrapped(part.content, { name: 'strong' }) } : part);
	}
};

/** The sign of an admonition that is drawn as a table. */
const icon: Handler = (builder, element) => {
	builder.marked({ name: 'strong' }, () => builder.run.text(element.attributes.title!));
};

/** A function declaration laid out as a table, as Doxygen writes it: one line of code. */
const signature: Handler = (builder, element) => {
	const text = textContent(element)
		.replace(/\s+/g, ' ')
		.replace(/\s*([(])\s*/g, '$1')
		.replace(/\s+([),;])/g, '$1')
		.trim();
	builder.add({ kind: 'code', text, language: '' });
};

const JAVADOC = /(?:^|\s)(?:member|type|package|module)-signature(?=\s|$)/;
const SIGNATURE = /(?:^|\s)(?:memname|prototype|signature)(?=\s|$)/;

function isSignature({ tag, attributes, parent }: Element): boolean {
	if (tag === 'div') return JAVADOC.test(attributes.class ?? '');
	if (tag !== 'table') return false;
	return SIGNATURE.test(attributes.class ?? '') && /proto|signature|decl/i.test(parent?.attributes.class ?? '');
}

/** Prose whose style keeps line breaks: they become hard breaks, and blank lines separate paragraphs. */
const lines: Handler = (builder, element) => {
	const outer = builder.keepsLines;
	builder.keepsLines = true;
	(handlers.get(element.tag) ?? transparent)(builder, element);
	builder.keepsLines = outer;
};

function keepsLines({ tag, children }: Element, bits: number): boolean {
	if ((bits & KEEPS_LINES) === 0 || VERBATIM.test(tag)) return false;
	return children.some((child) => child.kind === 'text' && child.data.trim().includes('\n')) || children.length > 1;
}

const VERBATIM = /^(?:pre|code|kbd|samp|tt|textarea|table|ul|ol|dl|a)$/;

const MORE =
	/^(?:expand(?: description)?|(?:show|read|see|view) (?:more|details|all)|more|details|click to (?:expand|show))[\s.…]*$/i;

/** Spelled out where it first occurs. */
const abbreviation: Handler = (builder, element) => {
	builder.children(element);
	const title = element.attributes.title?.trim();
	if (!title || builder.abbreviations.has(title)) return;
	builder.abbreviations.add(title);
	builder.run.text(` (${title})`);
};

/** The reading behind its base, in brackets: `漢字(かんじ)`. The page's own brackets in `<rp>` are for old browsers. */
const reading: Handler = (builder, element) => {
	builder.run.text('(');
	builder.children(element);
	builder.run.text(')');
};

const quotation: Handler = (builder, element) => {
	builder.run.text('“');
	builder.children(element);
	builder.run.text('”');
};

/** Ordinals need no raised letters. */
const superscript: Handler = (builder, element) => {
	// Its number stands before the note that follows it, and the note gets one of its own.
	if (/(?:^|\s)modern-footnotes-footnote(?=\s|$)/.test(element.attributes.class ?? '')) return;
	const [only] = element.children;
	const plain =
		element.children.length === 1 &&
		only!.kind === 'text' &&
		/^\s*(?:st|nd|rd|th|er|re|ème|TM|SM|®|™|©)\s*$/i.test(only!.data);
	if (holdsReference(builder.context, element)) {
		// `[<a href="#note">1</a>]`: the brackets are in the sign already.
		for (const child of element.children)
			if (child.kind === 'element' || !/^[[\]\s]*$/.test(child.data)) builder.nodes([child]);
	} else if (plain) builder.children(element);
	else mark('sup')(builder, element);
};

/** `[^1]` is raised by itself. */
function holdsReference(context: BuildContext, element: Element): boolean {
	return element.children.some(
		(child) =>
			child.kind === 'element' &&
			(context.references.has(child) || context.orphans.has(child) || holdsReference(context, child)),
	);
}

/** Markup for readers without scripts, such as the picture that a script would load; pleas to allow scripts go. */
const noscript: Handler = (builder, element) => {
	let text = '';
	for (const child of element.children) if (child.kind === 'text') text += child.data;
	if (text.length < 300 && /javascript|enable|browser|activ/i.test(text)) return;
	builder.children(element);
};

/** Poems and songs in `<pre>`: the lines count, and it is no code. */
const VERSE = /(?:^|[\s_-])(?:verse|poem|poetry|lyrics)(?=$|[\s_-])/i;

const verse: Handler = (builder, element) => {
	const outer = builder.keepsLines;
	builder.keepsLines = true;
	block(builder, element);
	builder.keepsLines = outer;
};

const handlers = new Map<string, Handler>();
const define = (tags: string, handler: Handler): void => {
	for (const tag of tags.split(' ')) handlers.set(tag, handler);
};
define('b strong', mark('strong'));
define('i em cite dfn var', mark('em'));
define('del s strike', mark('del'));
define('sub', mark('sub'));
define('sup', superscript);
define('h1 h2 h3 h4 h5 h6', heading);
define('blockquote', quote);
define('br', lineBreak);
define('hr', (builder) => builder.add({ kind: 'rule' }));
define('a', anchor);
define('code kbd samp tt', inlineCode);
define('pre listing xmp plaintext', (builder, element) => {
	const isVerse = VERSE.test(element.attributes.class ?? '');
	(isVerse ? verse : codeElement)(builder, element);
});
define('ul ol menu dir', list);
define('li', listItem);
define('dt', definitionTerm);
define('dd', definitionDetail);
define('table', table);
define('figure', figure);
define('img amp-img', image);
define('picture', picture);
define('svg', svg);
define('video audio', media);
define('iframe embed object amp-iframe amp-youtube lite-youtube lite-vimeo youtube-video', embed);
define('math', mathElement);
define('summary', summary);
define('abbr acronym', abbreviation);
define('rt', reading);
define('rp', nothing);
define('q', quotation);
define('label', label);
define('noscript', noscript);
define(
	'address article aside body center dialog div details dl fieldset figcaption footer form header hgroup html main nav optgroup p search section tbody td th tr caption legend',
	block,
);
define(
	'script style template head title link meta base select option datalist textarea input button canvas noframes map area source track param wbr',
	nothing,
);

/** Whether nothing else in the parent is text. */
function isAllOf(parent: Element, element: Element): boolean {
	return parent.children.every(
		(child) => child === element || (child.kind === 'text' ? child.data.trim() === '' : shortText(child, 10) === ''),
	);
}

/** Buttons with content: the question of an accordion, an item of a list. */
const KEEPS_BUTTON = /^(?:h[1-6]|summary|dt|li)$/;

/** Writes one element and what is in it. */
export function visit(builder: Builder, element: Element): void {
	handlerOf(builder, element)(builder, element);
}

function handlerOf({ classes, context, dropped, noiseNames }: Builder, element: Element): Handler {
	const { tag, attributes, parent } = element;
	const marks = classes.of(attributes.class);
	// Formulas first: typesetters hide the copy that we want.
	if (isMath(element, marks)) return mathElement;
	if (context.asides.has(element)) return aside;
	if (dropped.has(element) || context.skip(element) || isNoise(element, noiseNames)) return nothing;
	if (context.notes.has(element)) return footnote;
	if (isCodeContainer(element, marks, context.visuals)) return codeElement;
	if (isSignature(element)) return signature;
	if (isNote(element, marks)) return note;
	if (context.visuals !== undefined && keepsLines(element, context.visuals.of(element))) return lines;
	if (marks & ADMONITION_TITLE && TITLE.test(tag)) return noteTitle;
	if (attributes.role === 'heading') return heading;
	if (marks !== 0 && (tag === 'div' || tag === 'aside' || tag === 'p')) {
		if (marks & CAPTION) return captionLine;
	}
	if (tag === 'i' && attributes.title !== undefined && parent?.tag === 'td' && parent.attributes.class === 'icon')
		return icon;
	if (isEquationTable(element)) return equationTable;
	if (isGrid(element)) return table;
	if (tag === 'button' && parent !== null && KEEPS_BUTTON.test(parent.tag) && isAllOf(parent, element))
		return transparent;
	if (!isInlined(element)) {
		const handler = handlers.get(tag);
		if (handler !== undefined) return handler;
	}
	return isBlockByStyle(element) ? block : transparent;
}

function isNote({ tag, attributes }: Element, marks: number): boolean {
	if (tag === 'dl') return DOXYGEN.test(attributes.class ?? '');
	if (tag === 'aside' && STATE.test(attributes.class ?? '')) return true;
	if (marks & ADMONITION && !(marks & ADMONITION_TITLE)) return NOTE.test(tag);
	if (tag === 'details') return DETAILS.test(attributes.class ?? '');
	return attributes.role === 'note' && NOTE.test(tag);
}

const NOTE = /^(?:div|aside|section|blockquote|details|p|figure)$/;
/** Notes as Doxygen writes them: `<dl class="section warning">`. */
const DOXYGEN = /(?:^|\s)section\s+(?:note|warning|attention|remark|important|tip|todo|bug|deprecated)(?=\s|$)/;
const STATE = /(?:^|\s)(?:success|info|error)(?=\s|$)/;

/** Collapsible admonitions, as MkDocs writes them. */
const DETAILS =
	/(?:^|\s)(?:abstract|summary|info|todo|success|question|failure|bug|example|quote|attention|seealso|hint)(?=\s|$)/;

/** `<div style="display: inline">` does not break the line. */
function isInlined({ tag, attributes }: Element): boolean {
	return tag === 'div' && attributes.style !== undefined && /(?:^|;)\s*display\s*:\s*inline/i.test(attributes.style);
}

function isBlockByStyle({ attributes }: Element): boolean {
	return (
		attributes.style !== undefined &&
		/(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item)/i.test(attributes.style)
	);
}
