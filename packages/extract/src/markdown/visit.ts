import { classBit, roleBit, styleBit } from '../dom/attribute-bits.ts';
import { keepsLinesBit } from '../dom/looks.ts';
import type { Element } from '../dom/node.ts';
import { textContent, walk } from '../dom/walk.ts';
import { type BuildContext, type Builder, withoutMark, wrapped } from './builder.ts';
import { admonition, admonitionTitle, caption, gutter, tabs } from './class-marks.ts';
import { codeElement, inlineCode, isCodeContainer, isColumnOfNumbers } from './code.ts';
import { anchor } from './links.ts';
import { definitionDetail, definitionTerm, list, listItem } from './lists.ts';
import { equationTable, isEquationTable, isMath, mathElement } from './math.ts';
import { embed, image, media, picture, svg } from './media.ts';
import type { Block, Inline, Mark } from './model.ts';
import { isNoise, shortText } from './noise.ts';
import { aside, footnote } from './notes.ts';
import { captionLine, cellGrid, figure, isCellGrid, isGrid, memberTable, table } from './table.ts';
import { panel, panelBeside, panelsOf } from './tabs.ts';

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
	if (noteLabel.test(label) && !startsWith(children[0]!, label))
		children.unshift({ kind: 'paragraph', content: wrapped([{ kind: 'text', text: label }], { name: 'strong' }) });
	builder.add({ kind: 'quote', children });
};

/** The title and content of a note; the title may have no class of its own. */
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
	if (tag === 'dt' || tag === 'header' || /^h[1-6]$/.test(tag)) return true;
	if (!titlePattern.test(tag)) return false;
	return (
		// Titles of Confluence, Bulma and mdBook.
		/(?:^|\s)(?:title|message-header|blockquote-tag-title)(?=\s|$)/.test(attributes.class ?? '') ||
		kind.test(shortText(element, 16))
	);
}

/** The type of what a term names, after the colon that a style sheet draws. */
const classifier: Handler = (builder, element) => {
	builder.run.text(': ');
	builder.children(element);
};

/** The name of a parameter, its type and its default, which Mintlify puts side by side. */
const parameter: Handler = (builder, element) => {
	const parts = builder.collect(() => builder.children(element)).filter((part) => part.kind === 'paragraph');
	const [name, ...more] = parts.map(({ content }) => content);
	if (name === undefined) return;
	const rest = more.flatMap((content): Inline[] => [{ kind: 'text', text: ' ' }, ...content]);
	builder.add({ kind: 'paragraph', content: [...wrapped(name, { name: 'strong' }), ...rest] });
};

/** The title inside a note or a sidebar of Asciidoctor. */
function isTitleOfBox({ parent }: Element): boolean {
	const name = parent?.attributes.class ?? '';
	if (name !== 'content') return false;
	return parent?.tag === 'td' || /(?:^|\s)sidebarblock(?=\s|$)/.test(parent?.parent?.attributes.class ?? '');
}

/** The first word of an admonition that names its kind. */
const kind = /^(?:note|tip|hint|info|important|warning|caution|danger|attention|example)[:!]?$/i;

const noteLabel = /^[\p{L} ]{2,24}$/u;

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

const titlePattern = /^(?:div|p|span|header|h[1-6])$/;

const lineBreak: Handler = (builder) => builder.lineBreak();

/** Form fields and their labels are not content. */
const label: Handler = (builder, element) => {
	const field = element.children.some(
		(child) =>
			child.kind === 'element' &&
			(/^(?:select|textarea)$/.test(child.tag) ||
				(child.tag === 'input' && !/^(?:checkbox|radio)$/i.test(child.attributes.type ?? 'text'))),
	);
	if (field) return;
	const beside = panelBeside(element);
	if (beside !== undefined && !builder.context.skip(beside)) {
		builder.panels.set(beside, element);
		return;
	}
	// The labels of tabs stand side by side in one box.
	if (builder.lastLabel !== undefined && builder.lastLabel === element.parent) builder.run.text(' ');
	builder.children(element);
	builder.lastLabel = element.parent ?? undefined;
};

/** In bold, unless it holds a heading; one that only says "more" is a button. */
const summary: Handler = (builder, element) => {
	const { parent } = element;
	const isTitle = parent !== null && isNote(parent, builder.classes.of(parent.attributes.class));
	if (!isTitle && more.test(shortText(element, 40))) return;
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

const javadoc = /(?:^|\s)(?:member|type|package|module)-signature(?=\s|$)/;
const signaturePattern = /(?:^|\s)(?:memname|prototype|signature)(?=\s|$)/;

function isSignature({ tag, attributes, parent }: Element): boolean {
	if (tag === 'div') return javadoc.test(attributes.class ?? '');
	if (tag !== 'table') return false;
	return (
		signaturePattern.test(attributes.class ?? '') &&
		/proto|signature|decl|mlabels/i.test(parent?.attributes.class ?? '')
	);
}

/** Prose whose style keeps line breaks: they become hard breaks, and blank lines separate paragraphs. */
const lines: Handler = (builder, element) => {
	const outer = builder.keepsLines;
	builder.keepsLines = true;
	(handlers.get(element.tag) ?? transparent)(builder, element);
	builder.keepsLines = outer;
};

function keepsLines({ tag, children }: Element, bits: number): boolean {
	if ((bits & keepsLinesBit) === 0 || verbatim.test(tag)) return false;
	return children.some((child) => child.kind === 'text' && child.data.trim().includes('\n')) || children.length > 1;
}

/** Lines as Docutils writes them: `<div class="line-block"><div class="line">`. An empty one parts stanzas. */
const lineBlock: Handler = (builder, element) => {
	builder.flush();
	for (const child of element.children) {
		if (child.kind === 'text') continue;
		if (isLineBlock(child)) lineBlock(builder, child);
		else if (shortText(child, 2) === '') builder.flush();
		else {
			builder.lineBreak();
			builder.children(child);
		}
	}
	builder.flush();
};

/** Pandoc parts the lines of its `line-block` by `<br>` instead. */
function isLineBlock({ attributes, children }: Element): boolean {
	return (
		/(?:^|\s)line-block(?=\s|$)/.test(attributes.class ?? '') &&
		children.every((child) => (child.kind === 'text' ? child.data.trim() === '' : child.tag === 'div'))
	);
}

const verbatim = /^(?:pre|code|kbd|samp|tt|textarea|table|ul|ol|dl|a)$/;

/** Whole labels of controls that unfold more text. */
const more =
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
const versePattern = /(?:^|[\s_-])(?:verse|poem|poetry|lyrics)(?=$|[\s_-])/i;

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
define('i em dfn var', mark('em'));
// A whole reference is not emphasised: MediaWiki's `<cite class="citation book">`.
define('cite', (builder, element) => {
	const isReference = /(?:^|\s)citation(?=\s|$)/.test(element.attributes.class ?? '');
	(isReference ? transparent : mark('em'))(builder, element);
});
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
	const { attributes, parent } = element;
	const isVerse =
		versePattern.test(attributes.class ?? '') || /(?:^|\s)verseblock(?=\s|$)/.test(parent?.attributes.class ?? '');
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
const keepsButton = /^(?:h[1-6]|summary|dt|li)$/;

/** Writes one element and what is in it. */
export function visit(builder: Builder, element: Element): void {
	const tab = builder.panels.size === 0 ? undefined : builder.panels.get(element);
	if (tab === undefined) handlerOf(builder, element)(builder, element);
	else panel(builder, tab, () => builder.block(() => handlerOf(builder, element)(builder, element)));
}

/** The names of the tabs stand above their panels. */
const tabList: Handler = (builder, element) => {
	const panels = panelsOf(element, builder.context.skip);
	if (panels === undefined) (handlers.get(element.tag) ?? transparent)(builder, element);
	else for (const [found, tab] of panels) builder.panels.set(found, tab);
};

function handlerOf({ classes, context, dropped, noiseNames }: Builder, element: Element): Handler {
	const { tag, attributes, attributeBits } = element;
	// Most elements have none of these: each look at their attributes costs more.
	const name = attributeBits & classBit ? attributes.class : undefined;
	const marks = name === undefined ? 0 : classes.of(name);
	// Formulas first: typesetters hide the copy that we want.
	if (isMath(element, marks)) return mathElement;
	if (context.asides.has(element)) return aside;
	if (dropped.has(element) || context.skip(element) || isNoise(element, noiseNames)) return nothing;
	if (context.notes.has(element)) return footnote;
	const isPlain = (attributeBits & (classBit | roleBit | styleBit)) === 0 && !saysMore.has(tag);
	return isPlain ? plainHandler(context, element) : handlerByLook(context, element, name, marks);
}

/** Without a class, a role and a style these may still be something else, by what is in them or around them. */
const saysMore: ReadonlySet<string> = new Set(['button', 'code', 'i', 'table']);

/** For an element that only its tag, the styles of the page and its part in a component describe. */
function plainHandler({ visuals }: BuildContext, element: Element): Handler {
	if (visuals !== undefined && keepsLines(element, visuals.of(element))) return lines;
	return componentPart(element) ?? handlers.get(element.tag) ?? transparent;
}

function componentPart({ attributes }: Element): Handler | undefined {
	const part = attributes['data-component-part'];
	if (part === 'step-number') return nothing;
	return part === 'param-head' ? parameter : undefined;
}

function handlerByLook({ visuals }: BuildContext, element: Element, name: string | undefined, marks: number): Handler {
	const { tag, attributes, attributeBits, parent } = element;
	const role = attributeBits & roleBit ? attributes.role : undefined;
	if (role === 'tablist' || marks & tabs) return tabList;
	if (isCodeContainer(element, marks, visuals)) return codeElement;
	if (marks & gutter && tag !== 'span' && isColumnOfNumbers(element)) return nothing;
	if (isSignature(element)) return signature;
	if (isNote(element, marks)) return note;
	if (tag === 'div' && isLineBlock(element)) return lineBlock;
	if (visuals !== undefined && keepsLines(element, visuals.of(element))) return lines;
	if (marks & admonitionTitle && titlePattern.test(tag)) return noteTitle;
	if (name === 'title' && tag === 'div' && isTitleOfBox(element)) return noteTitle;
	if (tag === 'p' && name === 'rubric') return noteTitle;
	if (tag === 'td' && name === 'icon' && isNoteLabel(element)) return noteTitle;
	if (tag === 'span' && name === 'classifier') return classifier;
	const part = componentPart(element);
	if (part !== undefined) return part;
	if (role === 'heading') return heading;
	if (marks !== 0 && (tag === 'div' || tag === 'aside' || tag === 'p')) {
		if (marks & caption) return captionLine;
	}
	if (tag === 'i' && attributes.title !== undefined && parent?.tag === 'td' && parent.attributes.class === 'icon')
		return icon;
	if (isEquationTable(element)) return equationTable;
	if (tag === 'table' && name === 'memberdecls') return memberTable;
	if (isGrid(element)) return table;
	if (isCellGrid(element)) return cellGrid;
	if (tag === 'button' && parent !== null && keepsButton.test(parent.tag) && isAllOf(parent, element))
		return transparent;
	if (!isInlined(element)) {
		const handler = handlers.get(tag);
		if (handler !== undefined) return handler;
	}
	return isBlockByStyle(element) ? block : transparent;
}

function isNote(element: Element, marks: number): boolean {
	const { tag, attributes } = element;
	if (tag === 'table') return (marks & admonition) !== 0 && isRowOfNote(element);
	if (tag === 'dl') return doxygen.test(attributes.class ?? '');
	if (tag === 'aside' && state.test(attributes.class ?? '')) return true;
	if (marks & admonition && !(marks & admonitionTitle)) return notePattern.test(tag);
	if (tag === 'details') return details.test(attributes.class ?? '');
	return attributes.role === 'note' && notePattern.test(tag);
}

/** Notes as tables: `<table class="admonition"><tr><td>Note</td><td>…</td></tr></table>`. */
function isRowOfNote(element: Element): boolean {
	const cells: Element[] = [];
	walk(element, (node) => {
		const isCell = node.kind === 'element' && (node.tag === 'td' || node.tag === 'th');
		if (isCell) cells.push(node);
		return !isCell;
	});
	return cells.length === 1 || (cells.length === 2 && isNoteLabel(cells[0]));
}

const isNoteLabel = (cell: Element | undefined): boolean => cell !== undefined && kind.test(shortText(cell, 16));

const notePattern = /^(?:div|aside|section|blockquote|details|p|figure)$/;
/** Notes as Doxygen writes them: `<dl class="section warning">`. */
const doxygen = /(?:^|\s)section\s+(?:note|warning|attention|remark|important|tip|todo|bug|deprecated)(?=\s|$)/;
const state = /(?:^|\s)(?:success|info|error)(?=\s|$)/;

/** Collapsible admonitions, as MkDocs writes them. */
const details =
	/(?:^|\s)(?:abstract|summary|info|todo|success|question|failure|bug|example|quote|attention|seealso|hint)(?=\s|$)/;

/** `<div style="display: inline">` does not break the line. */
function isInlined({ tag, attributes }: Element): boolean {
	return tag === 'div' && attributes.style !== undefined && /(?:^|;)\s*display\s*:\s*inline/i.test(attributes.style);
}

function isBlockByStyle({ attributes }: Element): boolean {
	return (
		attributes.style !== undefined &&
		// An inline element that its style makes a block.
		/(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item)/i.test(attributes.style)
	);
}
