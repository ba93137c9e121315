import type { Block, Cell, Inline } from './pdf/types.ts';

export interface HtmlHead {
	readonly title?: string | undefined;
	readonly language?: string | undefined;
	readonly authors?: readonly string[];
	readonly description?: string | undefined;
	readonly keywords?: string | undefined;
	readonly published?: string | undefined;
	readonly modified?: string | undefined;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);

/** A document of plain elements: the form in which files leave this package. */
export function writeDocument(head: HtmlHead, body: string): string {
	const language = head.language === undefined ? '' : ` lang="${escapeHtml(head.language)}"`;
	const metas = [
		...(head.authors ?? []).map((author) => ['author', author] as const),
		['description', head.description] as const,
		['keywords', head.keywords] as const,
		['article:published_time', head.published] as const,
		['article:modified_time', head.modified] as const,
	].flatMap(([name, content]) => {
		if (content === undefined || content.trim() === '') return [];
		const kind = name.includes(':') ? 'property' : 'name';
		return [`<meta ${kind}="${name}" content="${escapeHtml(content.trim())}">`];
	});
	const title = head.title === undefined ? '' : `<title>${escapeHtml(head.title)}</title>`;
	return `<!doctype html><html${language}><head><meta charset="utf-8">${title}${metas.join('')}</head><body><main>${body}</main></body></html>`;
}

export const writeBlocks = (blocks: readonly Block[]): string => blocks.map(writeBlock).join('\n');

function writeBlock(block: Block): string {
	switch (block.kind) {
		case 'heading':
			return `<h${block.level}>${writeInline(block.content)}</h${block.level}>`;
		case 'paragraph':
			return `<p>${writeInline(block.content)}</p>`;
		case 'code':
			return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
		case 'figure':
			return block.alt.trim() === '' ? '' : `<p><img alt="${escapeHtml(block.alt.trim())}" src="#"></p>`;
		case 'quote':
			return `<blockquote>${writeBlocks(block.blocks)}</blockquote>`;
		case 'note':
			return `<div role="doc-footnote" id="fn-${escapeHtml(block.label)}">${writeInline(block.content)}</div>`;
		case 'page':
			return pageAnchor(block.page);
		case 'list': {
			const items = block.items.map((item) => `<li>${writeItem(item)}</li>`).join('');
			if (!block.ordered) return `<ul>${items}</ul>`;
			return `<ol${block.start === 1 ? '' : ` start="${block.start}"`}>${items}</ol>`;
		}
		case 'table': {
			const caption = block.caption === undefined ? '' : `<caption>${writeInline(block.caption)}</caption>`;
			return `<table>${caption}${block.rows.map((row) => `<tr>${row.map(writeCell).join('')}</tr>`).join('')}</table>`;
		}
	}
}

/** Where a page begins: the target of `#page-3`. */
export const pageAnchor = (page: number): string => `<a id="page-${page}"></a>`;

function writeItem(blocks: readonly Block[]): string {
	const [first, ...others] = blocks;
	if (first?.kind !== 'paragraph') return writeBlocks(blocks);
	return writeInline(first.content) + writeBlocks(others);
}

function writeCell({ header, columns, rows, blocks }: Cell): string {
	const name = header ? 'th' : 'td';
	const spans = `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`;
	return `<${name}${spans}>${writeItem(blocks)}</${name}>`;
}

function writeInline(content: readonly Inline[]): string {
	return content.map(writePiece).join('').trim();
}

function writePiece(piece: Inline): string {
	if ('page' in piece) return pageAnchor(piece.page);
	if (piece.note !== undefined)
		return `<sup><a role="doc-noteref" href="#fn-${escapeHtml(piece.note)}">${escapeHtml(piece.text.trim())}</a></sup>`;
	const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(piece.text) ?? [];
	if (text === '') return piece.text;
	let html = escapeHtml(text);
	if (piece.code === true) html = `<code>${html}</code>`;
	if (piece.shift !== undefined) html = `<${piece.shift}>${html}</${piece.shift}>`;
	if (piece.italic === true) html = `<em>${html}</em>`;
	if (piece.bold === true) html = `<strong>${html}</strong>`;
	if (piece.href !== undefined) html = `<a href="${escapeHtml(piece.href)}">${html}</a>`;
	return before + html + after;
}
