import { codeFence } from './escape.ts';
import type { Block, Inline, ListItem, Table } from './model.ts';
import { needsHtml, writeHtmlTable } from './write-html.ts';
import { writeInline } from './write-inline.ts';
import { writePipeTable } from './write-table.ts';

interface Style {
	readonly math: boolean;
}

/** Writes blocks as CommonMark with the tables, strikethrough, task lists and footnotes of GFM. */
export function writeMarkdown(blocks: readonly Block[], style: Style): string {
	let out = '';
	let previous: Block | undefined;
	let marker = 0;
	for (const block of blocks) {
		// A list right after a list of its kind would join it: the other marker keeps them apart.
		const joins = block.kind === 'list' && previous?.kind === 'list' && previous.ordered === block.ordered;
		marker = joins ? 1 - marker : 0;
		const text = writeBlock(block, style, marker);
		if (text === '') continue;
		if (previous !== undefined) out += isTight(previous, block) ? '\n' : '\n\n';
		out += text;
		previous = block;
	}
	return out;
}

function writeBlock(block: Block, style: Style, marker: number): string {
	switch (block.kind) {
		case 'paragraph':
			return paragraph(block.content, style);
		case 'heading':
			return heading(block.level, block.content, style);
		case 'code':
			return code(block.text, block.language);
		case 'math':
			return `$$\n${block.tex}\n$$`;
		case 'rule':
			return '---';
		case 'quote':
			return prefixed(writeMarkdown(block.children, style), '> ', '> ');
		case 'list':
			return list(block.items, block.ordered, style, marker);
		case 'term':
			return paragraph([openStrong, ...block.content, closeStrong], style);
		case 'detail':
			return detail(block.children, style);
		case 'note':
			return prefixed(writeMarkdown(block.children, style), `[^${block.label}]: `, '    ');
		case 'table':
			return table(block, style);
	}
}

const strong = { name: 'strong' } as const;
const openStrong: Inline = { kind: 'open', mark: strong };
const closeStrong: Inline = { kind: 'close', mark: strong };

function paragraph(content: readonly Inline[], { math }: Style): string {
	return writeInline(content, { math, lineBreak: '\\\n' });
}

function heading(level: number, content: readonly Inline[], { math }: Style): string {
	const text = writeInline(content, { math, lineBreak: ' ' });
	// A closing sequence of # would vanish (CommonMark §4.2).
	const safe = text.endsWith('#') ? text.replace(/(^|\s)(#+)$/, '$1\\$2') : text;
	return `${'#'.repeat(level)} ${safe}`;
}

function code(text: string, language: string): string {
	const fence = codeFence(text);
	return `${fence}${language}\n${text}\n${fence}`;
}

/** Writes `: ` before the first block of a detail and indents the others, as Markdown Extra does. */
function detail(children: readonly Block[], style: Style): string {
	const text = writeMarkdown(children, style);
	return isIndented(children) ? prefixed(text, ': ', '  ') : text;
}

/** Only text and bullets can follow the colon: fences, tables and headings need a line of their own. */
function isIndented([first]: readonly Block[]): boolean {
	return first?.kind === 'paragraph' || (first?.kind === 'list' && !first.ordered);
}

function table(block: Table, style: Style): string {
	const caption = block.caption.length > 0 ? `${paragraph(block.caption, style)}\n\n` : '';
	return caption + (needsHtml(block) ? writeHtmlTable(block) : writePipeTable(block, style));
}

/** Pairs of blocks that a parser tells apart without a blank line. */
function isTight(a: Block, b: Block): boolean {
	if (b.kind !== 'detail' || !isIndented(b.children)) return false;
	return a.kind === 'term' || (a.kind === 'detail' && a.children.length === 1 && a.children[0]!.kind === 'paragraph');
}

// --- lists ------------------------------------------------------------------------------------------------------

function list(items: readonly ListItem[], ordered: boolean, style: Style, marker: number): string {
	const loose = items.some(({ children }) =>
		children.some((child, i) => i > 0 && !isTightInItem(children[i - 1]!, child)),
	);
	const first = items[0]!.number;
	const shift = first < 0 || first + items.length > 999_999_999 ? 1 - first : 0;
	return items
		.map((item) => {
			const bullet = ordered ? `${item.number + shift}${marker ? ')' : '.'} ` : marker ? '* ' : '- ';
			const task = item.checked === undefined ? '' : item.checked ? '[x] ' : '[ ] ';
			return prefixed(task + listItem(item.children, loose, style), bullet, ' '.repeat(bullet.length));
		})
		.join(loose ? '\n\n' : '\n');
}

function listItem(children: readonly Block[], loose: boolean, style: Style): string {
	if (loose) return writeMarkdown(children, style).replace(/^---/, '***');
	return children
		.map((child) => writeBlock(child, style, 0))
		.join('\n')
		.replace(/^---/, '***');
}

/** Inside an item of a tight list no blank line may stand: these pairs need none. */
function isTightInItem(a: Block, b: Block): boolean {
	if (a.kind === 'heading' || a.kind === 'code')
		return b.kind === 'paragraph' || b.kind === 'code' || b.kind === 'list';
	if (a.kind !== 'paragraph') return false;
	return b.kind === 'code' || (b.kind === 'list' && (!b.ordered || b.items[0]!.number === 1));
}

/** `first` before the first line, `rest` before each further line that is not blank. */
function prefixed(text: string, first: string, rest: string): string {
	if (!text.includes('\n')) return first + text;
	const blank = rest.trimEnd();
	return (
		first + text.replace(/\n(?=(\n)?)/g, (_, empty: string | undefined) => `\n${empty === undefined ? rest : blank}`)
	);
}
