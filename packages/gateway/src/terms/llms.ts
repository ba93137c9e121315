/** A page in llms.txt. */
export interface LlmsPage {
	/** Absolute. */
	readonly url: string;
	readonly title: string;
	readonly description?: string;
}

export interface LlmsDraft {
	readonly title: string;
	readonly summary?: string;
	/** Where the terms stand, and other files for agents. */
	readonly files: readonly LlmsPage[];
	readonly pages: readonly LlmsPage[];
}

/** Writes an llms.txt: a title, a summary, lists of links. Text from pages is put so that it cannot be markup. */
export function formatLlmsTxt({ title, summary, files, pages }: LlmsDraft): string {
	const blocks = [
		[`# ${plain(title)}`],
		summary === undefined ? [] : [`> ${plain(summary)}`],
		pages.length === 0 ? [] : ['## Pages', '', ...pages.map(item)],
		['## For agents', '', ...files.map(item)],
	];
	return blocks
		.filter((block) => block.length > 0)
		.map((block) => `${block.join('\n')}\n`)
		.join('\n');
}

function item({ url, title, description }: LlmsPage): string {
	const target = url.replace(
		/[()<>\s]/g,
		(character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
	);
	return `- [${plain(title)}](${target})${description === undefined ? '' : `: ${plain(description)}`}`;
}

/** One line, its Markdown taken as text. */
function plain(text: string): string {
	return text
		.trim()
		.replace(/\s+/g, ' ')
		.replace(/[\\`*_[\]<>#]/g, '\\$&');
}
