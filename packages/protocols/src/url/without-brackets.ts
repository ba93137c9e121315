/** `</x>` is `/x` as text and Markdown have it, which some pages take over. No address may have such characters. */
export function withoutBrackets(text: string): string {
	return text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1).trim() : text;
}
