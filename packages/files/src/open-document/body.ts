import { elementsOf, type XmlElement, type XmlNode } from '../office/xml.ts';
import type { Block, Cell, Inline } from '../pdf/types.ts';
import { frameBlocks, inlineOf, type Surroundings, withStyle } from './inline.ts';
import type { OdtStyles } from './styles.ts';

/** Columns and rows that a file repeats, at most. */
const maxRepeated = 1000;

/** The blocks of a text document, in the order of the file. */
export function bodyBlocks(body: XmlElement, styles: OdtStyles, formulaOf: (object: string) => string): Block[] {
	return new BodyReader({ styles, formulaOf, ground: false, isHeader: false }).blocks(body);
}

interface Context extends Pick<Surroundings, 'styles' | 'formulaOf' | 'ground'> {
	/** Cells whose text is bold by their style. */
	readonly isHeader: boolean;
}

class BodyReader {
	readonly #context: Context;

	constructor(context: Context) {
		this.#context = context;
	}

	get #styles(): OdtStyles {
		return this.#context.styles;
	}

	blocks(element: XmlElement): Block[] {
		const blocks: Block[] = [];
		for (const child of elementsOf(element)) {
			const next = this.#block(child);
			for (const block of next) {
				const before = blocks.at(-1);
				// Each line of a listing is a paragraph.
				if (block.kind === 'code' && before?.kind === 'code')
					blocks[blocks.length - 1] = { kind: 'code', text: `${before.text}\n${block.text}` };
				else if (block.kind === 'quote' && before?.kind === 'quote')
					blocks[blocks.length - 1] = { kind: 'quote', blocks: [...before.blocks, ...block.blocks] };
				else blocks.push(block);
			}
		}
		return blocks;
	}

	#block(element: XmlElement): Block[] {
		const { name, attributes } = element;
		switch (name) {
			case 'text:h':
				return this.#heading(element, Number(attributes['text:outline-level'] ?? 1) || 1);
			case 'text:p':
				return this.#paragraph(element);
			case 'text:list':
				return this.#list(element, attributes['text:style-name'], 1);
			case 'table:table':
				return this.#table(element);
			case 'text:section':
				if (attributes['text:display'] === 'none' || attributes['text:is-hidden'] === 'true') return [];
				return this.blocks(element);
			case 'text:soft-page-break':
			case 'text:tracked-changes':
			case 'text:sequence-decls':
			case 'office:forms':
				return [];
			case 'draw:frame':
			case 'draw:custom-shape':
				return frameBlocks(element, this.#around(undefined).around);
			// Indexes, with their title and body.
			default:
				return /^(?:text:.*(?:index|table-of-content|bibliography|title).*|draw:.*|text:numbered-paragraph)$/.test(name)
					? this.blocks(element)
					: [];
		}
	}

	#around(style: string | undefined): { around: Surroundings; asides: Block[] } {
		const asides: Block[] = [];
		const around: Surroundings = {
			...this.#context,
			look: {},
			marks: {},
			blocks: (inner) => this.blocks(inner),
			aside: (block) => asides.push(block),
		};
		const styled = withStyle(around, style);
		return { around: this.#context.isHeader ? unmarked(styled) : styled, asides };
	}

	#heading(element: XmlElement, level: number): Block[] {
		const { around, asides } = this.#around(element.attributes['text:style-name']);
		const content = trimmed(inlineOf(element.children, unmarked(around)));
		return [
			...(content.length > 0 ? [{ kind: 'heading' as const, level: Math.min(level, 6), content }] : []),
			...asides,
		];
	}

	#paragraph(element: XmlElement): Block[] {
		const style = element.attributes['text:style-name'];
		const names = this.#styles.namesOf(style);
		if (names.includes('Title')) return this.#heading(element, 1);
		const { around, asides } = this.#around(style);
		const isCode = names.some((name) => /^(?:Preformatted Text|Source Code)$/.test(name)) || isMono(element, around);
		if (isCode && asides.length === 0) {
			const text = linesOf(element.children);
			return [{ kind: 'code', text }];
		}
		const content = trimmed(inlineOf(element.children, around));
		const paragraph: Block[] = content.length > 0 ? [{ kind: 'paragraph', content }] : [];
		const isQuote = names.some((name) => /^(?:Quotations|Quote|Block Text)$/i.test(name));
		return [
			...(isQuote && paragraph.length > 0 ? [{ kind: 'quote' as const, blocks: paragraph }] : paragraph),
			...asides,
		];
	}

	/** A heading with a number is in a list of its own. */
	#list(list: XmlElement, style: string | undefined, level: number): Block[] {
		const own = list.attributes['text:style-name'] ?? style;
		const items = elementsOf(list).filter(({ name }) => name === 'text:list-item' || name === 'text:list-header');
		const read = items.map((item) => this.#item(item, own, level));
		if (read.some((blocks) => blocks.some(({ kind }) => kind === 'heading'))) return read.flat();
		const filled = read.filter((blocks) => blocks.length > 0);
		if (filled.length === 0) return [];
		const first = this.#styles.startOf(own, level);
		const start = Number(items[0]?.attributes['text:start-value'] ?? first) || 1;
		return [{ kind: 'list', ordered: first !== undefined, start, items: filled }];
	}

	#item(item: XmlElement, style: string | undefined, level: number): Block[] {
		return elementsOf(item).flatMap((child) =>
			child.name === 'text:list' ? this.#list(child, style, level + 1) : this.#block(child),
		);
	}

	#table(table: XmlElement): Block[] {
		const rows: Cell[][] = [];
		const visit = (element: XmlElement, header: boolean): void => {
			for (const child of elementsOf(element)) {
				if (child.name === 'table:table-header-rows') visit(child, true);
				else if (/^table:table-row(?:s|-group)$/.test(child.name)) visit(child, header);
				else if (child.name === 'table:table-row' && child.attributes['table:visibility'] === undefined)
					rows.push(this.#row(child, header));
			}
		};
		visit(table, false);
		return rows.some((row) => row.some(({ blocks }) => blocks.length > 0)) ? [{ kind: 'table', rows }] : [];
	}

	#row(row: XmlElement, header: boolean): Cell[] {
		return elementsOf(row).flatMap((cell): Cell[] => {
			if (cell.name !== 'table:table-cell') return [];
			const { attributes } = cell;
			const number = (name: string): number => Math.min(Math.max(Number(attributes[name] ?? 1) || 1, 1), maxRepeated);
			const ground = this.#context.ground || this.#styles.hasGround(attributes['table:style-name']);
			const inner = new BodyReader({ ...this.#context, ground, isHeader: header });
			const read: Cell = {
				header,
				columns: number('table:number-columns-spanned'),
				rows: number('table:number-rows-spanned'),
				blocks: inner.blocks(cell),
			};
			return Array.from({ length: number('table:number-columns-repeated') }, () => read);
		});
	}
}

/** Whether all text of a paragraph has one width. */
function isMono(element: XmlElement, around: Surroundings): boolean {
	const pieces = inlineOf(element.children, { ...around, aside: () => {} });
	const texts = pieces.filter((piece) => 'text' in piece && piece.text.trim() !== '');
	return texts.length > 0 && texts.every((piece) => 'code' in piece && piece.code === true && !('href' in piece));
}

/** The text of a listing, whose spaces and lines count. */
function linesOf(nodes: readonly XmlNode[]): string {
	return nodes
		.map((node) => {
			if (typeof node === 'string') return node.replace(/[ \t\r\n]+/g, ' ');
			if (node.name === 'text:s') return ' '.repeat(Math.min(Number(node.attributes['text:c'] ?? 1) || 1, 200));
			if (node.name === 'text:tab') return '\t';
			return node.name === 'text:line-break' ? '\n' : linesOf(node.children);
		})
		.join('');
}

/** Headings and header cells are bold by their style. */
const unmarked = (around: Surroundings): Surroundings => ({
	...around,
	look: { ...around.look, bold: false, italic: false },
	marks: {},
});

/** Without pieces that have no text. */
const trimmed = (content: Inline[]): Inline[] =>
	content.some((piece) => 'text' in piece && piece.text.trim() !== '') ? content : [];
