import type { Result } from '@wayleave/crawler';
import { manyLines } from '@wayleave/protocols/text';

/** Why a document is empty, and what to do; `theirs` is the little text it has. */
export interface Emptiness {
	readonly ours: readonly string[];
	readonly theirs: string;
}

/** Why a page has no text to read; undefined if it has. @param renders whether pages are opened in a browser */
export function emptiness({ document, page, reason }: Result, renders: boolean): Emptiness | undefined {
	// A page without text has no document.
	const isRead = page !== undefined && (reason === 'no-content' || reason === 'needs-rendering');
	if (document === undefined && !isRead) return undefined;
	const { markdown = '' } = document?.content ?? {};
	const theirs = manyLines(markdown.trim());
	if (page?.barrier !== undefined) return { ours: barriers[page.barrier](renders), theirs };
	if (markdown.replace(/!\[\]\([^)]*\)/g, '').trim() !== '') return undefined;
	const hasImages = markdown.trim() !== '';
	const what = hasImages ? 'The page shows pictures without a word of text' : 'The page was sent, and has no text';
	const isStored = document?.cache.body_fetched === false;
	return {
		ours: [
			`${what}: there is nothing to quote or summarise.`,
			isStored
				? 'Call again with refresh: true, or try another address.'
				: 'Try another address, or say that it is empty.',
		],
		theirs,
	};
}

const inventNothing = 'Say so; do not guess at the content.';

const barriers = {
	scripts: (renders: boolean) => [
		'The page is rendered by scripts: it has no readable content without them.',
		renders
			? `A browser could not render it either. ${inventNothing}`
			: `A browser can render it: wayleave mcp --render auto, or wayleave fetch --render auto ADDRESS. ${inventNothing}`,
	],
	login: () => [
		'The page requires a login: its content is not public and cannot be read.',
		`Look for a public page with the same content, or ask the user for the text. ${inventNothing}`,
	],
	consent: () => [
		'The page asks for consent to cookies and shows no content without it.',
		`Nothing is accepted on behalf of the user. Look for another page with the same content. ${inventNothing}`,
	],
} as const;
