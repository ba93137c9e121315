import type { Addresses } from '../addresses.ts';
import type { Looks } from '../dom/looks.ts';
import type { Element, Node } from '../dom/node.ts';
import { Marks } from '../marks.ts';
import { classMarks } from './class-marks.ts';
import { InlineRun, tidy } from './inline.ts';
import type { Block, Inline, ListItem, Mark } from './model.ts';

/** Quotes and lists nest no deeper than this; further ones dissolve, so that the output stays linear in the input. */
const maxNesting = 16;

export interface BuildContext {
	readonly addresses: Addresses;
	readonly skip: (element: Element) => boolean;
	/** Called for each element. */
	readonly visit: (builder: Builder, element: Element) => void;
	/** On pages that load a typesetter: writes text that holds formulas between delimiters. */
	readonly typeset: ((builder: Builder, text: string) => void) | undefined;
	/** Visibility of the page's elements by its styles. */
	readonly visuals: Looks | undefined;
	/** Elements that footnote references point to, with their labels. */
	readonly notes: ReadonlyMap<Element, string>;
	/** Notes that stand in the text where they belong, with their labels. */
	readonly asides: ReadonlyMap<Element, string>;
	/** The labels of the links that are footnote references. */
	readonly references: ReadonlyMap<Element, string>;
	/** The text is a converted file: its pages have anchors, and each of its pictures counts. */
	readonly isFile: boolean;
	/** References to notes that are left out. */
	readonly orphans: ReadonlySet<Element>;
}

/** Turns nodes into blocks: holds the block list and the inline run that are being filled. */
export class Builder {
	readonly context: BuildContext;
	run = new InlineRun();
	/** Abbreviations that were spelled out already. */
	readonly abbreviations = new Set<string>();
	readonly classes = new Marks(classMarks);
	/** Class name → whether it means noise, for names seen so far. */
	readonly noiseNames = new Map<string, boolean>();
	/** Elements that were found to be no content while others were written. */
	readonly dropped = new Set<Element>();
	/** Panels that are still to be written → their tabs. */
	readonly panels = new Map<Element, Element>();
	/** Element → whether it holds the source of a formula, for elements seen so far. */
	readonly mathParents = new Map<Element, boolean>();
	/** Pictures that were shown already. */
	readonly images = new Set<string>();
	/** The picture met last, where it has an address. */
	lastImage: Element | undefined;
	/** The elements of the label and the list written last. */
	lastLabel: Element | undefined;
	lastList: Element | undefined;
	/** In a table a repeated picture is a value. */
	inCell = false;
	/** Keeps the line breaks of the source. */
	keepsLines = false;
	/** Whether the page has formulas. */
	math = false;
	#blocks: Block[] = [];
	#nesting = 0;

	constructor(context: BuildContext) {
		this.context = context;
	}

	nodes(nodes: readonly Node[]): void {
		for (const node of nodes) {
			if (node.kind === 'text') this.#text(node.data);
			else this.context.visit(this, node);
		}
	}

	#text(data: string): void {
		if (this.keepsLines && data.includes('\n')) this.#lines(data);
		else this.#plain(data);
	}

	#lines(data: string): void {
		for (const [i, line] of data.split('\n').entries()) {
			if (i > 0) this.lineBreak();
			this.#plain(line);
		}
	}

	/** A line break; the second in a row ends the paragraph. */
	lineBreak(): void {
		if (this.run.endsWithBreak()) this.flush();
		else this.run.lineBreak();
	}

	#plain(data: string): void {
		if (this.context.typeset !== undefined && /\\[([]|\$[^$]+\$|\$\$/.test(data)) this.context.typeset(this, data);
		else this.run.text(data);
	}

	children(element: Element): void {
		this.nodes(element.children);
	}

	/** Ends the paragraph that is being written, if there is one. */
	flush(): void {
		const content = this.run.take();
		if (content.length === 0) return;
		const sign = content.length === 1 && content[0]!.kind === 'text' ? content[0]!.text : '';
		if (rule.test(sign) && !this.inCell) this.#blocks.push({ kind: 'rule' });
		else if (!idle.test(sign) || this.inCell) this.#blocks.push({ kind: 'paragraph', content });
	}

	add(block: Block): void {
		this.flush();
		if (block.kind === 'heading' && isSameHeading(block, this.#blocks.at(-1))) return;
		this.#blocks.push(block);
	}

	/** Takes back the line that only says what language the code below it is in. */
	dropLabel(language: string): void {
		const last = this.#blocks.at(-1);
		if (language === '' || last?.kind !== 'paragraph' || last.content.length !== 1) return;
		const [only] = last.content;
		if (only!.kind === 'text' && only!.text.trim().toLowerCase() === language) this.#blocks.pop();
	}

	/** Notes beside the text, written at the end. */
	readonly asides: Block[] = [];

	/** Puts the output of `fill` into blocks of its own. */
	block(fill: () => void): void {
		this.flush();
		fill();
		this.flush();
	}

	/** Returns the output of `fill` as blocks. */
	collect(fill: () => void): Block[] {
		this.flush();
		const outer = this.#blocks;
		this.#blocks = [];
		fill();
		this.flush();
		const collected = this.#blocks;
		this.#blocks = outer;
		return collected;
	}

	/** Blocks for a container, or undefined where it would nest too deep: then they were added here. */
	nest(fill: () => void): Block[] | undefined {
		if (this.#nesting >= maxNesting) {
			this.block(fill);
			return undefined;
		}
		this.#nesting++;
		const collected = this.collect(fill);
		this.#nesting--;
		return collected;
	}

	/** Adds items to the list that was written last, if that is directly before and of the same kind. */
	extendList(ordered: boolean, items: readonly ListItem[]): boolean {
		this.flush();
		const last = this.#blocks.at(-1);
		if (last?.kind !== 'list' || last.ordered !== ordered) return false;
		if (ordered && items[0]!.number !== last.items.at(-1)!.number + 1) return false;
		last.items.push(...items);
		return true;
	}

	addAll(blocks: readonly Block[]): void {
		for (const block of blocks) this.add(block);
	}

	marked(mark: Mark, fill: () => void): void {
		this.run.open(mark);
		fill();
		this.run.close(mark);
	}

	/** The same in the middle of a run, which goes on after it. */
	apart(fill: () => void): { content: Inline[]; others: Block[] } {
		const outer = this.run;
		this.run = new InlineRun();
		const found = this.inline(fill);
		this.run = outer;
		return found;
	}

	/** Returns the output of `fill` as one inline run, and blocks other than paragraphs separately. */
	inline(fill: () => void): { content: Inline[]; others: Block[] } {
		const content: Inline[] = [];
		const others: Block[] = [];
		for (const block of this.collect(fill)) {
			if (block.kind !== 'paragraph' && block.kind !== 'heading' && block.kind !== 'term') others.push(block);
			else {
				if (content.length > 0) content.push({ kind: 'text', text: ' ' });
				content.push(...block.content);
			}
		}
		return { content: tidy(content), others };
	}

	/** Absolute form of a URL in the page; undefined when it leads nowhere that a reader could follow. */
	resolve(url: string | undefined): string | undefined {
		return url === undefined || forbidden.test(url) ? undefined : this.context.addresses.resolve(url)?.url;
	}
}

/** Asterisks that part sections. */
const rule = /^(?:[*_⁂∗–—-]\s?){3,}$|^⁂$/u;
/** Bullets and strokes that stood between things that are gone. */
const idle = /^[\s•·|/\\–—»«›‹>,;:-]+$/;
const forbidden = /^[\s\0-\x1f]*(?:javascript|vbscript|data|blob|about|file|filesystem|chrome|webpack)\s*:/i;

/** Pages for narrow and wide screens say a heading twice. */
function isSameHeading(heading: Block & { kind: 'heading' }, last: Block | undefined): boolean {
	return (
		last?.kind === 'heading' &&
		last.level === heading.level &&
		last.content.length === heading.content.length &&
		JSON.stringify(last.content) === JSON.stringify(heading.content)
	);
}

/** Marks of one name taken out: a heading is bold already. */
export function withoutMark(content: readonly Inline[], name: Mark['name']): Inline[] {
	return content.filter((item) => !((item.kind === 'open' || item.kind === 'close') && item.mark.name === name));
}

/** The whole run inside one mark. */
export function wrapped(content: readonly Inline[], mark: Mark): Inline[] {
	return [{ kind: 'open', mark }, ...withoutMark(content, mark.name), { kind: 'close', mark }];
}
