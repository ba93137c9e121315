/**
 * Writes a JSON object whose last member has one entry a line, so that versions compare line by line.
 * `head` holds the members before it, of which there is at least one.
 */
export function formatByLine(
	head: object,
	name: string,
	[open, close]: '[]' | '{}' | string,
	entries: readonly string[],
): string {
	const start = JSON.stringify(head, undefined, 2).slice(0, -2);
	const lines = entries.length === 0 ? '' : `\n    ${entries.join(',\n    ')}\n  `;
	return `${start},\n  "${name}": ${open}${lines}${close}\n}\n`;
}
