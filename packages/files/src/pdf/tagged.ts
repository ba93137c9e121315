import { inRtl } from './bidi.ts';
import { cellBlocks, codeBlock, extentOf, headingLevel, startOf, withoutBold } from './blocks.ts';
import { joinLines, plainText } from './join.ts';
import { inColumns } from './join-tables.ts';
import { lineOf, linesOf } from './lines.ts';
import { lonelyMarker } from './regions.ts';
import type { Style } from './style.ts';
import type { Block, Cell, Inline, Line, Segment } from './types.ts';

/** The structure tree of one page, as pdf.js gives it (ISO 32000-1 §14.7). */
export interface StructNode {
	readonly role?: string;
	readonly alt?: string;
	readonly children?: readonly (StructNode | StructContent)[];
}

interface StructContent {
	readonly type: string;
	readonly id: string;
}

const isContent = (node: StructNode | StructContent): node is StructContent => 'type' in node;

const contentId = /_mc(\d+)$/;
const maxDepth = 200;

export interface TaggedPage {
	readonly tree: StructNode;
	readonly segments: ReadonlyMap<number, readonly Segment[]>;
}

/** Marked content of a tree. */
export function idsIn(tree: StructNode, depth = 0): number[] {
	if (depth > maxDepth) return [];
	return (tree.children ?? []).flatMap((child) => {
		if (!isContent(child)) return idsIn(child, depth + 1);
		const [, id] = contentId.exec(child.id) ?? [];
		return id === undefined ? [] : [Number(id)];
	});
}

/** Blocks of a page as its structure tree orders them. */
export function taggedBlocks(page: TaggedPage, style: Style, namesHeadings: boolean): Block[] {
	return new TaggedReader(page, style, namesHeadings).blocks(page.tree, 0);
}

const inlineRoles = new Set([
	'Span',
	'Link',
	'Reference',
	'Em',
	'Strong',
	'Quote',
	'Annot',
	'Lbl',
	'Code',
	'BibEntry',
	'Ruby',
	'Warichu',
	'NonStruct',
	'Form',
	'Sub',
]);
const containers = new Set([
	'Document',
	'DocumentFragment',
	'Part',
	'Art',
	'Sect',
	'Div',
	'Aside',
	'NonStruct',
	'Private',
	'TOC',
	'TOCI',
	'Index',
	'THead',
	'TBody',
	'TFoot',
]);

class TaggedReader {
	readonly #page: TaggedPage;
	readonly #style: Style;
	/** Else every paragraph outside of lists and tables may be one, by its look. */
	readonly #namesHeadings: boolean;
	#nested = 0;
	readonly #isRtl: boolean;
	/** Right end of the text of the page. */
	readonly #right: number;

	constructor(page: TaggedPage, style: Style, namesHeadings: boolean) {
		this.#page = page;
		this.#style = style;
		this.#namesHeadings = namesHeadings;
		const all = [...page.segments.values()].flat();
		this.#right = all.reduce((right, { x1 }) => Math.max(right, x1), 0);
		this.#isRtl = all.filter(({ rtl }) => rtl).length > all.length / 3;
	}

	blocks(node: StructNode, depth: number): Block[] {
		if (depth > maxDepth) return [];
		const blocks: Block[] = [];
		let inline: Segment[] = [];
		const flush = () => {
			if (inline.length > 0) blocks.push(...this.#paragraph(inline));
			inline = [];
		};
		for (const child of node.children ?? []) {
			if (isContent(child) || this.#isInline(child, depth)) {
				if (!isContent(child) && child.role === 'NonStruct' && this.#beginsLine(inline, child, depth)) flush();
				inline.push(...this.#segments(isContent(child) ? { children: [child] } : child, depth));
				continue;
			}
			flush();
			blocks.push(...this.#block(child, depth + 1));
		}
		flush();
		return blocks;
	}

	/** Whether an element of any kind begins on a new line, although its first word had fitted into the line before. */
	#beginsLine(before: readonly Segment[], node: StructNode, depth: number): boolean {
		const [last, [first]] = [before.at(-1), this.#segments(node, depth)];
		if (last === undefined || first === undefined || first.rtl || first.y - last.y < last.size * 0.6) return false;
		const word = /^\S+/.exec(first.text)?.[0] ?? '';
		const width = ((first.x1 - first.x0) / Math.max(1, first.text.length)) * word.length;
		return last.x1 + last.size * 0.4 + width < this.#right;
	}

	/** An element inside of a line, without blocks inside. */
	#isInline(node: StructNode, depth: number): boolean {
		if (depth > maxDepth || !inlineRoles.has(node.role ?? '')) return false;
		return (node.children ?? []).every((child) => isContent(child) || this.#isInline(child, depth + 1));
	}

	#segments(node: StructNode, depth: number): Segment[] {
		if (depth > maxDepth) return [];
		return (node.children ?? []).flatMap((child) => {
			if (!isContent(child))
				return child.role === 'Note' || child.role === 'FENote' ? [] : this.#segments(child, depth + 1);
			const [, id] = contentId.exec(child.id) ?? [];
			return id === undefined ? [] : (this.#page.segments.get(Number(id)) ?? []);
		});
	}

	#notes(node: StructNode, depth: number): Block[] {
		if (depth > maxDepth) return [];
		return (node.children ?? []).flatMap((child) => {
			if (isContent(child)) return [];
			return child.role === 'Note' || child.role === 'FENote'
				? this.#block(child, depth + 1)
				: this.#notes(child, depth + 1);
		});
	}

	#block(node: StructNode, depth: number): Block[] {
		const role = node.role ?? '';
		const [, level] = /^H([1-6])$/.exec(role) ?? [];
		if (level !== undefined) return this.#heading(node, Number(level), depth);
		if (role === 'H' || role === 'Title') return this.#heading(node, 1, depth);
		if (role === 'Table') return this.#within(() => this.#table(node, depth));
		if (role === 'L') return this.#within(() => this.#list(node, depth));
		if (role === 'Figure' || role === 'Formula') return this.#figure(node, depth);
		if (role === 'BlockQuote') return [{ kind: 'quote', blocks: this.blocks(node, depth) }];
		if (role === 'Note' || role === 'FENote') return this.#note(node, depth);
		if (role === 'Artifact') return [];
		if (containers.has(role) || this.#hasBlocks(node, depth)) return this.blocks(node, depth);
		const segments = this.#segments(node, depth);
		return [...(segments.length > 0 ? this.#paragraph(segments) : []), ...this.#notes(node, depth)];
	}

	#within(read: () => Block[]): Block[] {
		this.#nested++;
		const blocks = read();
		this.#nested--;
		return blocks;
	}

	#hasBlocks(node: StructNode, depth: number): boolean {
		return (
			depth < maxDepth &&
			(node.children ?? []).some((child) => !isContent(child) && !this.#isInline(child, depth) && child.role !== 'Note')
		);
	}

	#heading(node: StructNode, level: number, depth: number): Block[] {
		const content = withoutBold(joinLines(contentLines(this.#segments(node, depth)), this.#style.words));
		if (plainText(content).trim() === '') return [];
		return [{ kind: 'heading', level, content }, ...this.#notes(node, depth)];
	}

	#paragraph(segments: readonly Segment[]): Block[] {
		const lines = contentLines(segments);
		if (segments.every(({ typeface }) => typeface.mono)) return this.#monospaced(lines);
		const content = joinLines(lines, this.#style.words);
		const text = plainText(content).trim();
		if (text === '') return [];
		const level = this.#namesHeadings || this.#nested > 0 ? undefined : headingLevel(lines, text, this.#style);
		if (level !== undefined) return [{ kind: 'heading', level, content: withoutBold(content) }];
		return [{ kind: 'paragraph', content, open: !/[.!?:;"”»)\]。！？…؟]$/u.test(text) }];
	}

	/** Several lines in such a font are code; a single word is a word. */
	#monospaced(lines: readonly Line[]): Block[] {
		const apart = linesOf(lines.flatMap(({ segments }) => segments));
		if (apart.length > 1 || /[\s(){}=;]/.test(apart[0]?.text ?? '')) return [codeBlock(apart)];
		return [{ kind: 'paragraph', content: joinLines(lines, this.#style.words) }];
	}

	#figure(node: StructNode, depth: number): Block[] {
		const inner = this.blocks({ children: node.children ?? [] }, depth);
		const alt = node.alt?.trim() ?? '';
		return alt === '' ? inner : [{ kind: 'figure', alt }, ...inner];
	}

	#note(node: StructNode, depth: number): Block[] {
		const lines = contentLines(this.#allSegments(node, depth));
		const [first] = lines;
		const [start, ...others] = first?.segments ?? [];
		if (start === undefined) return [];
		const [, label, rest = ''] = /^\[?([\p{L}\p{N}*†‡§]{1,4})[\].)]?\s*(.*)$/u.exec(start.text) ?? [];
		const isLabel =
			label !== undefined &&
			(rest === '' ? others.length + lines.length > 1 : start.shift === 'sup' || /^\p{N}/u.test(label));
		const kept = isLabel ? [...(rest === '' ? [] : [{ ...start, text: rest }]), ...others] : [start, ...others];
		const body = [...(kept.length > 0 ? [lineOf(kept)] : []), ...lines.slice(1)];
		return [{ kind: 'note', label: isLabel ? label : '', content: joinLines(body, this.#style.words) }];
	}

	#allSegments(node: StructNode, depth: number): Segment[] {
		return this.#segments(
			{ children: (node.children ?? []).map((child) => (isContent(child) ? child : { ...child, role: 'Span' })) },
			depth,
		);
	}

	#list(node: StructNode, depth: number): Block[] {
		const items: Block[][] = [];
		let [marker, blocks] = ['', [] as Block[]];
		for (const child of node.children ?? []) {
			if (isContent(child)) continue;
			// A list directly in a list belongs to the item before it.
			if (child.role === 'L') (items.at(-1) ?? blocks).push(...this.#list(child, depth + 1));
			else if (depth < maxDepth) {
				const item = this.#item(child, depth + 1);
				marker ||= item.marker;
				if (item.blocks.length > 0) items.push(item.blocks);
			}
		}
		if (items.length === 0) return blocks;
		const ordered = /[\p{L}\p{N}]/u.test(marker) && !/^o$/.test(marker);
		const start = startOf(marker);
		return [{ kind: 'list', ordered, start, items }, ...blocks];
	}

	#item(node: StructNode, depth: number): { readonly marker: string; readonly blocks: Block[] } {
		const labels = (node.children ?? []).filter((child) => !isContent(child) && child.role === 'Lbl') as StructNode[];
		const others = (node.children ?? []).filter((child) => isContent(child) || child.role !== 'Lbl');
		const stated = labels
			.flatMap((label) => this.#segments(label, depth))
			.map(({ text }) => text)
			.join('');
		const blocks = this.blocks(
			{
				children: others.flatMap((child) =>
					!isContent(child) && child.role === 'LBody' ? (child.children ?? []) : [child],
				),
			},
			depth,
		);
		const [first] = blocks;
		if (stated !== '' || first?.kind !== 'paragraph') return { marker: stated, blocks };
		// The marker is part of the text.
		const [piece, ...rest] = first.content;
		if (piece === undefined || !('text' in piece)) return { marker: '', blocks };
		const [, sign, text = ''] = /^(\S{1,5})(?:\s+(.*))?$/su.exec(piece.text) ?? [];
		if (sign === undefined || !lonelyMarker.test(sign)) return { marker: '', blocks };
		const content = text === '' ? trimmed(rest) : [{ ...piece, text }, ...rest];
		return { marker: sign, blocks: [{ ...first, content }, ...blocks.slice(1)] };
	}

	#table(node: StructNode, depth: number): Block[] {
		const rows: Cell[][] = [];
		let caption: Inline[] | undefined;
		const walk = (parent: StructNode, inHead: boolean, level: number) => {
			for (const child of parent.children ?? []) {
				if (isContent(child) || level > maxDepth) continue;
				if (child.role === 'TR') rows.push(this.#row(child, inHead, level + 1));
				else if (child.role === 'Caption')
					caption = joinLines(contentLines(this.#segments(child, level)), this.#style.words);
				else walk(child, inHead || child.role === 'THead', level + 1);
			}
		};
		walk(node, false, depth);
		if (rows.length === 0) return this.blocks(node, depth + 1);
		// The header that is repeated on a further page is no content: its cells are empty there.
		const kept = rows.filter((row) => row.some(({ blocks }) => blocks.length > 0));
		if (kept.length === 0) return [];
		const columns = Math.max(...kept.map((row) => row.length));
		// The tree does not name cells that span others: those of a shorter row are placed by their text.
		const placed = kept.map((row) => inColumns(row, kept, columns) ?? row);
		return [{ kind: 'table', rows: placed, ...(caption !== undefined && { caption }) }];
	}

	#row(node: StructNode, inHead: boolean, depth: number): Cell[] {
		return (node.children ?? []).flatMap((child) => {
			if (isContent(child)) return [];
			const header = child.role === 'TH' || inHead;
			const blocks = this.#cell(child, depth + 1);
			return [{ header, columns: 1, rows: 1, blocks, ...extentOf(this.#allSegments(child, depth + 1)) }];
		});
	}

	#cell(node: StructNode, depth: number): Block[] {
		const blocks = this.blocks(node, depth);
		if (blocks.some(({ kind }) => kind !== 'paragraph' && kind !== 'heading')) return blocks;
		const segments = this.#segments(node, depth);
		return cellBlocks(this.#isRtl ? segments.map(inRtl) : segments, this.#style);
	}
}

const trimmed = (content: readonly Inline[]): Inline[] => {
	const [first, ...rest] = content;
	return first !== undefined && 'text' in first && first.text.trim() === '' ? rest : [...content];
};

/** Lines in the order of the content; a line ends where the next text stands lower, or begins further left. */
export function contentLines(segments: readonly Segment[]): Line[] {
	const groups: Segment[][] = [];
	for (const segment of segments) {
		const last = groups.at(-1);
		const main = last?.reduce((a, b) => (b.size > a.size ? b : a));
		const large = Math.max(main?.size ?? 0, segment.size);
		const same =
			main !== undefined && Math.abs(segment.y - main.y) < large * (segment.size === main.size ? 0.25 : 0.65);
		if (last !== undefined && same) last.push(segment);
		else groups.push([segment]);
	}
	return groups.map(lineOf);
}

/** Whether nearly all that is seen belongs to the structure, and in one place only. */
export function isTrusted(pages: readonly TaggedPage[], untagged: number): boolean {
	let [inside, outside] = [0, untagged];
	for (const { tree, segments } of pages) {
		const ids = idsIn(tree);
		const known = new Set(ids);
		if (known.size !== ids.length) return false;
		for (const [id, parts] of segments) {
			const length = parts.reduce((sum, { text }) => sum + text.length, 0);
			if (known.has(id)) inside += length;
			else outside += length;
		}
	}
	return inside > 0 && outside <= inside * 0.02;
}

/** Whether a structure names anything but paragraphs. */
export const saysMuch = (tree: StructNode): boolean => hasRole(tree, /^(?:H[1-6]?|Table|L)$/);

export const namesHeadings = (tree: StructNode): boolean => hasRole(tree, /^(?:H[1-6]?|Title)$/);

function hasRole(tree: StructNode, role: RegExp, depth = 0): boolean {
	if (depth > maxDepth) return false;
	if (role.test(tree.role ?? '')) return true;
	return (tree.children ?? []).some((child) => !isContent(child) && hasRole(child, role, depth + 1));
}
