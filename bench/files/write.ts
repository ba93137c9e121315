import type { Known, KnownBlock, KnownItem, Piece } from './known.ts';

// A known document as Markdown (for pandoc, and as what is to come back) and as HTML.

const isText = (piece: Piece): piece is Extract<Piece, { text: string }> => 'text' in piece;

/** Text as a reader sees it, without the marks of footnotes. */
export const plain = (content: readonly Piece[]): string =>
	content.map((piece) => (isText(piece) ? piece.text.replace('\u200b', '') : '')).join('');

function inline(content: readonly Piece[]): string {
	return content
		.map((piece) => {
			if (!isText(piece)) return `[^${piece.note}]`;
			const text = piece.text.replace('\u200b', '');
			if (piece.url !== undefined) return `[${text}](${piece.url})`;
			if (piece.mark === undefined) return text;
			return piece.mark === 'code' ? `\`${text}\`` : piece.mark === 'strong' ? `**${text}**` : `*${text}*`;
		})
		.join('');
}

export function toMarkdown(known: Known): string {
	const notes = known.notes.map((note, at) => `[^${at + 1}]: ${note}`);
	return [...known.blocks.map((block) => blockMarkdown(block, known)), ...notes].join('\n\n');
}

function blockMarkdown(block: KnownBlock, known: Known): string {
	switch (block.kind) {
		case 'heading':
			return `${'#'.repeat(block.level)} ${block.text}${block.level === 1 && known.kind === 'columns' ? '\n\n```{=ms}\n.2C\n```' : ''}`;
		case 'paragraph':
			return inline(block.content);
		case 'quote':
			return `> ${inline(block.content)}`;
		case 'code':
			return `\`\`\`\n${block.text}\n\`\`\``;
		case 'image':
			return `![${block.alt}](picture.png)`;
		case 'list':
			return block.items.map((item, at) => itemMarkdown(item, block.ordered ? `${at + 1}.` : '-')).join('\n');
		case 'table': {
			const [head = [], ...rows] = block.rows;
			return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
		}
	}
}

const itemMarkdown = ({ content, inner }: KnownItem, marker: string): string =>
	[`${marker} ${inline(content)}`, ...inner.map((text) => `    - ${text}`)].join('\n');

const escaped = (text: string): string =>
	text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] as string);

/** Words with soft hyphens, at which a line may end. */
const withSoftHyphens = (text: string): string => text.replace(/\p{L}{3}(?=\p{L}{3})/gu, '$&\u00ad');

/** `paged`: footnotes stand at the end of their page (CSS generated content for paged media). */
function html(content: readonly Piece[], known: Known, paged: boolean): string {
	return content
		.map((piece) => {
			if (!isText(piece))
				return paged
					? `<span class="note">${escaped(known.notes[piece.note - 1] ?? '')}</span>`
					: `<sup>${piece.note}</sup>`;
			const words = piece.text.replace('\u200b', '');
			const text = escaped(known.kind === 'hyphens' && !paged ? withSoftHyphens(words) : words);
			if (piece.url !== undefined) return `<a href="${piece.url}">${text}</a>`;
			return piece.mark === undefined ? text : `<${piece.mark}>${text}</${piece.mark}>`;
		})
		.join('');
}

export interface Look {
	readonly css: string;
	readonly paged: boolean;
}

export function toHtml(known: Known, { css, paged }: Look): string {
	const block = (one: KnownBlock): string => {
		switch (one.kind) {
			case 'heading':
				return `<h${one.level}>${escaped(one.text)}</h${one.level}>${one.level === 1 ? '<div class="body">' : ''}`;
			case 'paragraph':
				return `<p>${html(one.content, known, paged)}</p>`;
			case 'quote':
				return `<blockquote><p>${html(one.content, known, paged)}</p></blockquote>`;
			case 'code':
				return `<pre><code>${escaped(one.text)}</code></pre>`;
			case 'image':
				return `<p><img width="120" height="60" alt="${escaped(one.alt)}" src="${picture}"></p>`;
			case 'list': {
				const items = one.items.map(
					({ content, inner }) =>
						`<li>${html(content, known, paged)}${inner.length > 0 ? `<ul>${inner.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul>` : ''}</li>`,
				);
				return one.ordered ? `<ol>${items.join('')}</ol>` : `<ul>${items.join('')}</ul>`;
			}
			case 'table': {
				const [head = [], ...rows] = one.rows;
				return `<table><thead><tr>${head.map((cell) => `<th>${escaped(cell)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
			}
		}
	};
	const notes =
		paged || known.notes.length === 0
			? ''
			: `<hr>${known.notes.map((note, at) => `<p class="end"><sup>${at + 1}</sup> ${escaped(note)}</p>`).join('')}`;
	const direction = known.kind === 'rtl' ? ' dir="rtl"' : '';
	return `<!doctype html><html lang="${known.language}"${direction}><head><meta charset="utf-8"><title>${escaped(known.title)}</title><meta name="author" content="${known.author}"><style>${css}</style></head><body>${known.blocks.map(block).join('\n')}</div>${notes}</body></html>`;
}

/** A grey square. */
export const picture =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGNoaGjAgxhGpbEhAMnMZLGVpcnoAAAAAElFTkSuQmCC';
