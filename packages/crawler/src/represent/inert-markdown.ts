/**
 * Markdown of a stranger as text that does nothing: what would be an element is escaped, a link keeps its address only
 * where that is http(s), mail or relative, character references counting as a scheme (SOM-35). Fenced code is code already and stays.
 */
export function inertMarkdown(markdown: string): string {
	let fence = '';
	return markdown
		.split('\n')
		.map((line) => {
			const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
			const inside = fence !== '';
			if (!inside && mark !== '') fence = mark;
			else if (inside && mark.startsWith(fence)) fence = '';
			return inside || mark !== '' ? line : inertLine(line);
		})
		.join('\n');
}

function inertLine(line: string): string {
	return (
		line
			.replace(/(?<!\\)<(?=[a-z/!?])(?!https?:)/gi, '\\<')
			// Targets of links and definitions with a scheme other than http, https or mailto.
			.replace(/(\]\(\s*|^\s{0,3}\[[^\]\n]{1,200}\]:\s*)(?!https?:|mailto:)(?=[^\s)/?#]*[:&])/gi, '$1#')
	);
}
