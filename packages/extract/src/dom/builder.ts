import {
	append,
	createElement,
	createText,
	createWith,
	type Document,
	detach,
	type Element,
	lookThrough,
	type Node,
	type OwnAttributes,
} from './node.ts';
import {
	blockEndBit,
	breakoutBit,
	closesPBit,
	foreignFlags,
	formattingBit,
	headBit,
	headingBit,
	impliedEndBit,
	integrationBit,
	markerBit,
	scopeBit,
	specialBit,
	type Tag,
	tableContextBit,
	tablePartBit,
	tagOf,
	voidBit,
} from './tags.ts';

type Attributes = OwnAttributes | null;

/** Browsers stop nesting at 512 too: deeper elements become siblings, so every later walk is bounded. */
const maxDepth = 512;
/** Formatting elements that are reopened in each new block: bounded, or unclosed tags would grow without end. */
const maxFormatting = 16;
/** Markers that stay in the list of formatting elements. */
const firstFormatting = 3;

const htmlNamespace = 0;
const svgNamespace = 1;
const mathNamespace = 2;
type Namespace = typeof htmlNamespace | typeof svgNamespace | typeof mathNamespace;

type Phase = 'head' | 'after-head' | 'body';

/**
 * Builds the tree from tags and text by the rules of HTML §13.2.6 that move content: implied and missing tags,
 * paragraphs closed by blocks, formatting that overlaps blocks, content astray in tables, foreign elements.
 * Departures, each harmless to content: scripts never run, so `noscript` is ordinary markup, also in `head`;
 * the quirks mode is not told apart; a frameset is a body, and the limits inside `select` are not modelled.
 */
export class TreeBuilder {
	readonly document: Document;
	readonly #styles: Element[] = [];
	readonly #templates: Element[] = [];
	readonly #stack: Element[];
	/** The flags of the stack's elements. */
	readonly #flags: number[];
	/** The namespace of the stack's elements. */
	readonly #foreign: Namespace[];
	/** How many elements of a name are open: most scope searches end here. */
	readonly #open = new Map<string, number>();
	/**
	 * Open formatting elements, to be reopened in later blocks; `null` is a marker. The first ones stay: an array that is
	 * emptied loses its room, and gets it again with the next link.
	 */
	readonly #formatting: (Element | null)[] = [null, null, null];
	#phase: Phase = 'head';
	/** The source has a `<head>` tag: what stands in a `noscript` before its end is not the body's. */
	#headTag = false;
	/** Open elements below the deepest level. */
	#overflow = 0;
	#form: Element | null = null;
	#text = '';
	#skipNewline = false;

	constructor() {
		const html = createElement('html');
		const head = createElement('head');
		const body = createElement('body');
		append(html, head);
		append(html, body);
		this.document = { html, head, body, styles: this.#styles, templates: this.#templates };
		this.#stack = [html, head];
		this.#flags = [tagOf('html').flags, tagOf('head').flags];
		this.#foreign = [htmlNamespace, htmlNamespace];
	}

	inForeign(): boolean {
		const top = this.#stack.length - 1;
		return this.#foreign[top]! !== htmlNamespace && (this.#flags[top]! & integrationBit) === 0;
	}

	addText(data: string): void {
		this.#text += data;
	}

	finish(): Document {
		this.#flushText();
		return this.document;
	}

	/** @param written the name in lower case; `image` is `img` in all but foreign markup */
	startTag(written: string, attributes: Attributes, selfClosing: boolean): void {
		this.#flushText();
		const tag = tagOf(written);
		if (this.inForeign()) {
			if (!breaksOut(written, tag, attributes)) {
				const outer = this.#foreign[this.#foreign.length - 1]!;
				const space = written === 'svg' && this.#current().tag === 'annotation-xml' ? svgNamespace : outer;
				const flags = foreignFlags(written, space === mathNamespace, attributes?.attributes.encoding);
				this.#insert(written, 0, flags, attributes, !selfClosing, space);
				return;
			}
			while (this.inForeign()) this.#pop();
		}
		if (this.#phase !== 'body' && this.#startInHead(tag, attributes)) return;
		this.#startInBody(tag, attributes, selfClosing);
	}

	/** True when the tag belongs before the body. */
	#startInHead(tag: Tag, attributes: Attributes): boolean {
		const { name, flags } = tag;
		const { html, head, body } = this.document;
		const current = this.#current();
		if (name === 'html' || name === 'body') {
			if (name === 'body') this.#enterBody();
			mergeAttributes(name === 'html' ? html : body, attributes);
			return true;
		}
		if (name === 'head') {
			this.#headTag = true;
			return true;
		}
		if (
			this.#phase === 'head' &&
			current !== head &&
			(this.#headTag || current.tag !== 'noscript' || isHeadMatter(tag))
		) {
			// Inside a `noscript` or `template` of the head.
			this.#insert(name, flags, 0, attributes, (flags & voidBit) === 0, htmlNamespace);
			return true;
		}
		if (flags & headBit || (name === 'noscript' && this.#phase === 'head')) {
			if (this.#phase === 'head') this.#insert(name, flags, 0, attributes, (flags & voidBit) === 0, htmlNamespace);
			else {
				const element = createWith(name, attributes);
				if (name === 'style' || name === 'template') this.#note(element);
				append(head, element);
				if (!(flags & voidBit)) this.#push(element, flags, htmlNamespace);
			}
			return true;
		}
		this.#enterBody();
		return false;
	}

	#enterBody(): void {
		while (this.#stack.length > 1) this.#pop();
		this.#push(this.document.body, tagOf('body').flags, htmlNamespace);
		this.#phase = 'body';
	}

	#startInBody(tag: Tag, attributes: Attributes, selfClosing: boolean): void {
		const { name, flags } = tag;
		if (this.#overflow === 0 && flags & tablePartBit && this.#startInTable(tag, attributes)) return;
		if (flags & closesPBit) {
			if (name === 'li') this.#closeItem('li', 'li');
			else if (name === 'dd' || name === 'dt') this.#closeItem('dd', 'dt');
			if (name === 'form' && this.#form !== null) return;
			this.#closeParagraph();
			if (flags & headingBit && this.#topFlags() & headingBit) this.#pop();
		}
		switch (name) {
			case 'html':
			case 'body':
				mergeAttributes(name === 'html' ? this.document.html : this.document.body, attributes);
				return;
			case 'head':
			case 'frameset':
				return;
			case 'button':
				if (this.#inScope('button')) this.#closeThrough('button');
				break;
			case 'a':
				if (this.#activeFormatting('a') !== undefined) this.#adopt('a');
				break;
			case 'nobr':
				if (this.#inScope('nobr')) this.#adopt('nobr');
				break;
			case 'option':
			case 'optgroup':
				if (this.#current().tag === 'option') this.#pop();
				if (name === 'optgroup' && this.#current().tag === 'optgroup') this.#pop();
				break;
			case 'rb':
			case 'rtc':
				if (this.#inScope('ruby')) this.#impliedEnds('');
				break;
			case 'rp':
			case 'rt':
				if (this.#inScope('ruby')) this.#impliedEnds('rtc');
				break;
			case 'svg':
			case 'math':
				this.#reconstruct();
				this.#insert(name, 0, 0, attributes, !selfClosing, name === 'svg' ? svgNamespace : mathNamespace);
				return;
		}
		if (!(flags & (closesPBit | headBit)) && name !== 'param' && name !== 'source' && name !== 'track')
			this.#reconstruct();
		const element = this.#insert(name, flags, 0, attributes, (flags & voidBit) === 0, htmlNamespace);
		if (flags & formattingBit) this.#pushFormatting(element);
		if (name === 'form') this.#form = element;
		if (name === 'pre' || name === 'listing' || name === 'textarea') this.#skipNewline = true;
	}

	/** Table structure: `<td>` opens the row and section it needs and closes the cell before it. */
	#startInTable(tag: Tag, attributes: Attributes): boolean {
		const { name, flags } = tag;
		if (name === 'script' || name === 'style' || name === 'template' || name === 'form') return false;
		if (name === 'table') {
			if (this.#topFlags() & tableContextBit) this.#popThrough('table');
			return false;
		}
		if (!this.#inTableScope('table')) return true;
		const context = name === 'tr' ? bodyContext : name === 'td' || name === 'th' ? rowContext : tableOnly;
		if (name === 'col' && this.#current().tag === 'colgroup') {
			this.#insert(name, flags, 0, attributes, false, htmlNamespace);
			return true;
		}
		while (!context.has(this.#current().tag)) this.#pop();
		if (name === 'col') this.#insertImplied('colgroup');
		if (name === 'tr' || name === 'td' || name === 'th') {
			if (this.#current().tag === 'table') this.#insertImplied('tbody');
			if (name !== 'tr' && this.#current().tag !== 'tr') this.#insertImplied('tr');
		}
		this.#insert(name, flags, 0, attributes, (flags & voidBit) === 0, htmlNamespace);
		return true;
	}

	endTag(written: string): void {
		this.#flushText();
		const { name, flags } = tagOf(written);
		if (this.#overflow > 0 && !(flags & voidBit)) {
			this.#overflow--;
			return;
		}
		if (this.#phase !== 'body') this.#endInHead(name);
		else if (name !== 'body' && name !== 'html') this.#endInBody(written, name, flags);
	}

	#endInHead(name: string): void {
		const top = this.#stack.length - 1;
		if (name === 'head' && this.#phase === 'head') {
			while (this.#stack.length > 1) this.#pop();
			this.#phase = 'after-head';
		} else if (name === 'body' || name === 'html' || name === 'br') {
			this.#enterBody();
			if (name === 'br') this.#insert('br', voidBit, 0, null, false, htmlNamespace);
		} else {
			for (let i = top; i >= (this.#phase === 'head' ? 2 : 1); i--) {
				if (this.#stack[i]!.tag === name) {
					this.#popTo(i);
					return;
				}
			}
		}
	}

	#endInBody(written: string, name: string, flags: number): void {
		if (this.#foreign[this.#stack.length - 1]! !== htmlNamespace && this.#endForeign(written)) return;
		if (flags & formattingBit) this.#adopt(name);
		else if (flags & tablePartBit && flags & specialBit && name !== 'form' && !(flags & headBit)) {
			if (this.#inTableScope(name)) this.#popThrough(name);
		} else if (name === 'p') {
			if (!this.#inButtonScope('p')) this.#insert('p', tagOf('p').flags, 0, null, true, htmlNamespace);
			this.#closeThrough('p');
		} else if (name === 'br') {
			this.#reconstruct();
			this.#insert('br', voidBit, 0, null, false, htmlNamespace);
		} else if (flags & headingBit) this.#endHeading();
		else if (name === 'form') this.#endForm();
		else if (name === 'li') {
			if (this.#inScope('li', listTags)) this.#closeThrough('li');
		} else if (flags & blockEndBit || name === 'dd' || name === 'dt') {
			if (this.#inScope(name)) this.#closeThrough(name);
		} else this.#endOther(name);
	}

	/** True when the tag ends an element of svg or math (§13.2.6.5, "any other end tag"). */
	#endForeign(name: string): boolean {
		if (name === 'p' || name === 'br') {
			while (this.inForeign()) this.#pop();
			return false;
		}
		for (let i = this.#stack.length - 1; i > 0 && this.#foreign[i]! !== htmlNamespace; i--) {
			if (this.#stack[i]!.tag === name) {
				this.#popTo(i);
				return true;
			}
		}
		return false;
	}

	#endHeading(): void {
		for (let i = this.#stack.length - 1; i > 0 && !(this.#flags[i]! & scopeBit); i--) {
			if (this.#flags[i]! & headingBit) {
				this.#popTo(i);
				return;
			}
		}
	}

	/** A form that is closed among other elements leaves them open. */
	#endForm(): void {
		const form = this.#form;
		this.#form = null;
		const index = form === null ? -1 : this.#stack.lastIndexOf(form);
		if (index < 0 || !this.#inScope('form')) return;
		this.#impliedEnds('');
		if (this.#current() === form) this.#pop();
		else this.#removeFromStack(index);
	}

	#endOther(name: string): void {
		if (!this.#open.get(name)) return;
		for (let i = this.#stack.length - 1; i > 0; i--) {
			if (this.#stack[i]!.tag === name) {
				this.#popTo(i);
				return;
			}
			if (this.#flags[i]! & specialBit) return;
		}
	}

	// --- text ---------------------------------------------------------------------------------------------

	#flushText(): void {
		let data = this.#text;
		if (data === '') return;
		this.#text = '';
		if (this.#skipNewline) {
			this.#skipNewline = false;
			if (data.startsWith('\n')) data = data.slice(1);
			if (data === '') return;
		}
		if (this.#phase !== 'body') {
			const current = this.#current();
			if (current === this.document.head || current === this.document.html) {
				if (isBlank(data)) return;
				this.#enterBody();
			}
		}
		if (this.#phase === 'body') {
			if (this.#topFlags() & tableContextBit && !isBlank(data)) {
				this.#reconstruct();
				this.#place(createText(data));
				return;
			}
			if (this.#formatting.length > firstFormatting) this.#reconstruct();
		}
		append(this.#current(), createText(data));
	}

	// --- the stack ----------------------------------------------------------------------------------------

	#current(): Element {
		return this.#stack[this.#stack.length - 1]!;
	}

	#topFlags(): number {
		return this.#flags[this.#flags.length - 1]!;
	}

	#push(element: Element, flags: number, foreign: Namespace): void {
		this.#stack.push(element);
		this.#flags.push(flags);
		this.#foreign.push(foreign);
		this.#open.set(element.tag, (this.#open.get(element.tag) ?? 0) + 1);
		if (flags & markerBit) this.#formatting.push(null);
	}

	#pop(): Element {
		const element = this.#stack.pop()!;
		this.#foreign.pop();
		this.#open.set(element.tag, (this.#open.get(element.tag) ?? 1) - 1);
		if (this.#flags.pop()! & markerBit) this.#clearFormatting();
		return element;
	}

	/** Pops the element at `index` and all above it. */
	#popTo(index: number): void {
		while (this.#stack.length > index) this.#pop();
	}

	#popThrough(name: string): void {
		while (this.#stack.length > 1 && this.#pop().tag !== name);
	}

	#closeThrough(name: string): void {
		this.#popThrough(name);
	}

	#removeFromStack(index: number): void {
		const [element] = this.#stack.splice(index, 1);
		this.#flags.splice(index, 1);
		this.#foreign.splice(index, 1);
		this.#open.set(element!.tag, this.#open.get(element!.tag)! - 1);
	}

	#impliedEnds(except: string): void {
		while (this.#topFlags() & impliedEndBit && this.#current().tag !== except) this.#pop();
	}

	#inScope(name: string, extra: ReadonlySet<string> = noTags): boolean {
		if (!this.#open.get(name)) return false;
		for (let i = this.#stack.length - 1; i >= 0; i--) {
			const { tag } = this.#stack[i]!;
			if (tag === name) return true;
			if (this.#flags[i]! & scopeBit || extra.has(tag)) return false;
		}
		return false;
	}

	#inButtonScope(name: string): boolean {
		return this.#inScope(name, buttonTags);
	}

	#inTableScope(name: string): boolean {
		if (!this.#open.get(name)) return false;
		for (let i = this.#stack.length - 1; i >= 0; i--) {
			const { tag } = this.#stack[i]!;
			if (tag === name) return true;
			if (tag === 'table' || tag === 'template') return false;
		}
		return false;
	}

	#closeParagraph(): void {
		if (this.#inButtonScope('p')) this.#popThrough('p');
	}

	/** A new list item closes the one before it, unless a list stands between. */
	#closeItem(a: string, b: string): void {
		for (let i = this.#stack.length - 1; i > 0; i--) {
			const { tag } = this.#stack[i]!;
			if (tag === a || tag === b) {
				this.#popTo(i);
				return;
			}
			if (this.#flags[i]! & specialBit && tag !== 'address' && tag !== 'div' && tag !== 'p') return;
		}
	}

	// --- insertion ----------------------------------------------------------------------------------------

	#insert(
		name: string,
		flags: number,
		integration: number,
		attributes: Attributes,
		stays: boolean,
		foreign: Namespace,
	): Element {
		const element = createWith(name, attributes);
		if (foreign === htmlNamespace && (name === 'style' || name === 'template')) this.#note(element);
		if (this.#topFlags() & tableContextBit && !(flags & tablePartBit) && !isHiddenInput(element)) this.#place(element);
		else append(this.#current(), element);
		if (stays) {
			if (this.#stack.length >= maxDepth) this.#overflow++;
			else this.#push(element, flags | integration, foreign);
		}
		return element;
	}

	#note(element: Element): void {
		(element.tag === 'style' ? this.#styles : this.#templates).push(element);
	}

	#insertImplied(name: string): void {
		this.#insert(name, tagOf(name).flags, 0, null, true, htmlNamespace);
	}

	/** In front of the table when the current node is table structure (foster parenting, §13.2.6.1). */
	#place(node: Node): void {
		const top = this.#stack.length - 1;
		if (!(this.#flags[top]! & tableContextBit)) append(this.#current(), node);
		else this.#placeBeside(node, top);
	}

	#placeBeside(node: Node, from: number): void {
		let index = from;
		while (index > 0 && this.#stack[index]!.tag !== 'table' && this.#stack[index]!.tag !== 'template') index--;
		const table = this.#stack[index]!;
		const parent = table.tag === 'table' ? table.parent : table;
		if (parent === null || parent === table) {
			append(index > 0 && table.tag === 'table' ? this.#stack[index - 1]! : table, node);
			return;
		}
		const siblings = parent.children;
		const at = siblings.lastIndexOf(table);
		const before = siblings[at - 1];
		if (node.kind === 'text' && before?.kind === 'text') {
			before.data += node.data;
			return;
		}
		node.parent = parent;
		// The table is nearly always the last: no search and no shift, however much is astray.
		if (at === siblings.length - 1) {
			siblings[at] = node;
			siblings.push(table);
		} else siblings.splice(at, 0, node);
	}

	// --- formatting elements (§13.2.4.3, §13.2.6.4.7) ------------------------------------------------------

	#pushFormatting(element: Element): void {
		let same = 0;
		for (let i = this.#formatting.length - 1; i >= 0; i--) {
			const entry = this.#formatting[i];
			if (entry === null || entry === undefined) break;
			if (entry.tag === element.tag && sameAttributes(entry, element) && ++same === 3) {
				this.#formatting.splice(i, 1);
				break;
			}
		}
		this.#formatting.push(element);
		const isFull = this.#formatting.length > firstFormatting + maxFormatting;
		if (isFull && this.#formatting[firstFormatting] !== null) this.#formatting.splice(firstFormatting, 1);
	}

	#clearFormatting(): void {
		while (this.#formatting.length > firstFormatting && this.#formatting.pop() !== null);
	}

	#dropFormatting(element: Element): void {
		const list = this.#formatting;
		if (list[list.length - 1] === element) list.pop();
		else list.splice(list.lastIndexOf(element), 1);
	}

	#activeFormatting(name: string): Element | undefined {
		for (let i = this.#formatting.length - 1; i >= 0; i--) {
			const entry = this.#formatting[i];
			if (entry === null || entry === undefined) return undefined;
			if (entry.tag === name) return entry;
		}
		return undefined;
	}

	/** Reopens formatting that a block closed: `<p><b>one<p>two` makes two bold paragraphs. */
	#reconstruct(): void {
		const list = this.#formatting;
		let i = list.length - 1;
		if (i < 0 || this.#overflow > 0) return;
		const last = list[i];
		if (last === null || last === undefined || this.#isOpen(last)) return;
		while (i > 0 && list[i - 1] !== null && !this.#isOpen(list[i - 1]!)) i--;
		for (; i < list.length; i++) {
			const entry = list[i]!;
			list[i] = this.#insert(entry.tag, tagOf(entry.tag).flags, 0, entry, true, htmlNamespace);
		}
	}

	#isOpen(element: Element): boolean {
		return (this.#open.get(element.tag) ?? 0) > 0 && this.#stack.lastIndexOf(element) >= 0;
	}

	/** The adoption agency algorithm: overlapping formatting is split at the block's border. */
	#adopt(name: string): void {
		const current = this.#current();
		if (current.tag === name && !this.#formatting.includes(current)) {
			this.#pop();
			return;
		}
		for (let round = 0; round < 8; round++) {
			const subject = this.#activeFormatting(name);
			if (subject === undefined) {
				if (round === 0) this.#endOther(name);
				return;
			}
			const index = this.#stack.lastIndexOf(subject);
			if (index < 0) {
				this.#dropFormatting(subject);
				return;
			}
			for (let i = this.#stack.length - 1; i > index; i--) if (this.#flags[i]! & scopeBit) return;
			let block = index + 1;
			while (block < this.#stack.length && !(this.#flags[block]! & specialBit)) block++;
			if (block === this.#stack.length) {
				this.#popTo(index);
				this.#dropFormatting(subject);
				return;
			}
			this.#split(subject, index, block);
		}
	}

	#split(subject: Element, index: number, blockIndex: number): void {
		const list = this.#formatting;
		const block = this.#stack[blockIndex]!;
		const ancestor = this.#stack[index - 1]!;
		let bookmark: Element = subject;
		let last: Element = block;
		let steps = 0;
		for (let i = blockIndex - 1; i > index; i--) {
			const node = this.#stack[i]!;
			let entry = list.lastIndexOf(node);
			if (++steps > 3 && entry >= 0) {
				list.splice(entry, 1);
				entry = -1;
			}
			if (entry < 0) {
				this.#removeFromStack(i);
				continue;
			}
			const copy = createWith(node.tag, node);
			list[entry] = copy;
			this.#stack[i] = copy;
			if (last === block) bookmark = copy;
			detach(last);
			append(copy, last);
			last = copy;
		}
		detach(last);
		if (this.#flags[index - 1]! & tableContextBit) this.#placeBeside(last, index - 1);
		else append(ancestor, last);
		const copy = createWith(subject.tag, subject);
		copy.children = block.children;
		for (const child of copy.children) child.parent = copy;
		block.children = [];
		append(block, copy);
		const at = list.lastIndexOf(subject);
		if (bookmark === subject) list[at] = copy;
		else {
			list.splice(at, 1);
			list.splice(list.lastIndexOf(bookmark) + 1, 0, copy);
		}
		const flags = this.#flags[index]!;
		this.#removeFromStack(index);
		const place = this.#stack.lastIndexOf(block) + 1;
		this.#stack.splice(place, 0, copy);
		this.#flags.splice(place, 0, flags);
		this.#foreign.splice(place, 0, htmlNamespace);
		this.#open.set(copy.tag, (this.#open.get(copy.tag) ?? 0) + 1);
	}
}

const noTags: ReadonlySet<string> = new Set();
const buttonTags: ReadonlySet<string> = new Set(['button']);
const listTags: ReadonlySet<string> = new Set(['ol', 'ul']);
const tableOnly: ReadonlySet<string> = new Set(['table', 'template', 'html']);
const bodyContext: ReadonlySet<string> = new Set(['tbody', 'thead', 'tfoot', 'table', 'template', 'html']);
const rowContext: ReadonlySet<string> = new Set(['tr', 'tbody', 'thead', 'tfoot', 'table', 'template', 'html']);

/** Whether an HTML tag closes the enclosing svg or math; `image` becomes `img` only outside of them. */
function breaksOut(written: string, { flags }: Tag, attributes: Attributes): boolean {
	if (written === 'font')
		return ['color', 'face', 'size'].some((name) => attributes !== null && name in attributes.attributes);
	return (flags & breakoutBit) !== 0 && written !== 'image';
}

function isBlank(data: string): boolean {
	for (let i = 0; i < data.length; i++) {
		const c = data.charCodeAt(i);
		if (c !== 32 && c !== 10 && c !== 9 && c !== 13 && c !== 12) return false;
	}
	return true;
}

/** Elements allowed in a `noscript` of the head, and pixels of trackers, which are often there. */
const isHeadMatter = ({ name, flags }: Tag): boolean => (flags & headBit) !== 0 || name === 'img' || name === 'iframe';

function isHiddenInput(element: Element): boolean {
	return element.tag === 'input' && element.attributes.type?.toLowerCase() === 'hidden';
}

function sameAttributes(a: Element, b: Element): boolean {
	if (a.attributes === b.attributes) return true;
	const keys = Object.keys(a.attributes);
	if (keys.length !== Object.keys(b.attributes).length) return false;
	return keys.every((key) => a.attributes[key] === b.attributes[key]);
}

/** A second `<html>` or `<body>` only adds the attributes that the first did not have. */
function mergeAttributes(element: Element, attributes: Attributes): void {
	if (attributes === null) return;
	Object.assign(element, lookThrough({ ...attributes.attributes, ...element.attributes }));
}
