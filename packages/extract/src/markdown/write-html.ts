import type { Block, Cell, Inline, Table } from './model.ts';

/** GFM tables have no spans, and no lines of code in a cell. */
export function needsHtml({ rows }: Table): boolean {
	return rows.some((row) => row.some((cell) => cell.columns > 1 || cell.rows > 1 || cell.children.some(isCodeBlock)));
}

function isCodeBlock(block: Block): boolean {
	return block.kind === 'code' && block.text.includes('\n');
}

/** Writes a table as plain HTML: no blank line inside, since one would end the HTML block (CommonMark §4.6). */
export function writeHtmlTable({ rows, head }: Table): string {
	const lines = rows.map((row, i) => `<tr>${row.map((cell) => writeCell(cell, i < head)).join('')}</tr>`);
	return ['<table>', ...lines, '</table>'].join('\n');
}

function writeCell({ header, columns, rows, children }: Cell, inHead: boolean): string {
	const name = header || inHead ? 'th' : 'td';
	const colspan = columns > 1 ? ` colspan="${columns}"` : '';
	const rowspan = rows > 1 ? ` rowspan="${rows}"` : '';
	return `<${name}${colspan}${rowspan}>${cellHtml(children)}</${name}>`;
}

/** A single paragraph needs no element of its own. */
function cellHtml(children: readonly Block[]): string {
	const [only] = children;
	return children.length === 1 && only!.kind === 'paragraph' ? inlineHtml(only!.content) : blocksHtml(children);
}

function blocksHtml(blocks: readonly Block[]): string {
	return blocks.map(blockHtml).join('');
}

function blockHtml(block: Block): string {
	switch (block.kind) {
		case 'paragraph':
			return `<p>${inlineHtml(block.content)}</p>`;
		case 'heading':
			return `<h${block.level}>${inlineHtml(block.content)}</h${block.level}>`;
		case 'code':
			return `<pre>${escapeHtml(block.text).replace(/\n(?=\n)/g, '&#10;')}</pre>`;
		case 'math':
			return `<p>$$${escapeHtml(block.tex)}$$</p>`;
		case 'rule':
			return '<hr>';
		case 'quote':
			return `<blockquote>${blocksHtml(block.children)}</blockquote>`;
		case 'list': {
			const name = block.ordered ? 'ol' : 'ul';
			return `<${name}>${block.items.map(({ children }) => `<li>${cellHtml(children)}</li>`).join('')}</${name}>`;
		}
		case 'term':
			return `<p><strong>${inlineHtml(block.content)}</strong></p>`;
		case 'table':
			return block.rows.map((row) => `<p>${row.map((cell) => cellHtml(cell.children)).join(' ')}</p>`).join('');
		default:
			return blocksHtml(block.children);
	}
}

function inlineHtml(run: readonly Inline[]): string {
	return run.map(itemHtml).join('');
}

function itemHtml(item: Inline): string {
	switch (item.kind) {
		case 'text':
			return escapeHtml(item.text);
		case 'code':
			return `<code>${escapeHtml(item.text)}</code>`;
		case 'math':
			return `$${escapeHtml(item.tex)}$`;
		case 'image':
			return `<img src="${escapeHtml(item.url)}" alt="${escapeHtml(item.alt)}">`;
		case 'note':
			return `<sup>${escapeHtml(item.label)}</sup>`;
		case 'anchor':
			return `<a id="${item.id}"></a>`;
		case 'break':
			return '<br>';
		case 'open':
			return item.mark.name === 'link' ? `<a href="${escapeHtml(item.mark.url ?? '')}">` : `<${item.mark.name}>`;
		case 'close':
			return item.mark.name === 'link' ? '</a>' : `</${item.mark.name}>`;
	}
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => entities[character]!);
}
