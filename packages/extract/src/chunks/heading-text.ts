/** Escapes, code spans, images, links, footnote marks, tags and marks of emphasis, in the order in which they bind. */
const inline =
	/\\([!-/:-@[-`{-~])|(`+)([^`]|[^`][\s\S]*?[^`])\2(?!`)|!?\[((?:\\.|[^\]\\])*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)|\[\^[^\]]+\]|<\/?[a-z][^>]*>|\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|&(amp|lt|gt|quot|nbsp|#\d+);/giu;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The words of a heading without its Markdown. */
export function headingText(markdown: string): string {
	return plain(markdown, 0).replace(/\s+/g, ' ').trim();
}

function plain(markdown: string, depth: number): string {
	return markdown.replace(
		inline,
		(_, escaped?: string, ticks?: string, code?: string, label?: string, entity?: string) => {
			if (escaped !== undefined) return escaped;
			if (ticks !== undefined) return code!.trim();
			if (label !== undefined) return depth < 3 ? plain(label, depth + 1) : label;
			if (entity !== undefined) return entities[entity.toLowerCase()] ?? numbered(entity);
			return '';
		},
	);
}

function numbered(entity: string): string {
	const code = Number(entity.slice(1));
	return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
