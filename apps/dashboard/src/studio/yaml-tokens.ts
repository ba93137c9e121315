/** A part of a line with its colour. */
export interface Token {
	readonly kind: 'key' | 'text' | 'comment' | 'word' | 'mark';
	readonly text: string;
}

/** One piece of a line: a comment, a quoted text, a mark, a word with the colon behind it, or blanks. */
const piece =
	/(#.*$)|("(?:[^"\\]|\\.)*"?|'[^']*'?)|([{}[\],]|- )|([^\s{}[\],#"'][^{}[\],#"':]*(?::(?!\s|$)[^{}[\],#"':]*)*)(:(?=\s|$))?|(\s+|.)/g;

/** A line of a YAML file in parts, for colours only. */
export function tokensOf(line: string): Token[] {
	const tokens: Token[] = [];
	for (const [all, comment, quoted, mark, word, colon] of line.matchAll(piece)) {
		if (comment !== undefined) tokens.push({ kind: 'comment', text: comment });
		else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
		else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
		else if (word !== undefined && colon !== undefined)
			tokens.push({ kind: 'key', text: word }, { kind: 'mark', text: colon });
		else if (word !== undefined) tokens.push({ kind: 'word', text: word });
		else tokens.push({ kind: 'mark', text: all });
	}
	return tokens;
}
