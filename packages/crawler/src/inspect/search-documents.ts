import type { StoreReader } from '../store/roles/reader.ts';

/** A document that contains a text. */
export interface DocumentHit {
	readonly url: string;
	readonly title: string;
	/** The place in the text, with some words around it; absent where only the title or the URL matches. */
	readonly excerpt?: string;
}

export interface DocumentHits {
	readonly hits: readonly DocumentHit[];
	/** Documents examined. */
	readonly examined: number;
	/** Where the search goes on; undefined at the end of the store. */
	readonly next?: number;
}

/** The Markdown of a file without its anchors of pages, in which a search for "page" would find every page. */
export const withoutPageAnchors = (markdown: string): string =>
	markdown.replace(/<a id="(?:page|slide|sheet|chapter)-\d+"><\/a>\s*/g, '');

/** Characters before and after a place. */
const around = 90;

/**
 * Searches some documents of a store for a text in URL, title and content; the case of letters does not matter. It
 * examines up to `rows` documents behind the URL with the number `after`, and stops at `limit` hits.
 */
export async function searchDocuments(
	{ pages }: Pick<StoreReader, 'pages'>,
	text: string,
	{ after, rows, limit }: { readonly after: number; readonly rows: number; readonly limit: number },
): Promise<DocumentHits> {
	const wanted = text.toLowerCase();
	const documents = await pages.documents(after, rows);
	const hits: DocumentHit[] = [];
	let examined = 0;
	let last = after;
	for (const { id, url, document } of documents) {
		examined++;
		last = id;
		const title = document.identity?.title ?? '';
		const excerpt = excerptOf(withoutPageAnchors(document.content?.markdown ?? ''), wanted);
		if (excerpt === undefined && !`${title} ${url}`.toLowerCase().includes(wanted)) continue;
		hits.push({ url, title, ...(excerpt !== undefined && { excerpt }) });
		if (hits.length === limit) break;
	}
	const isEnd = documents.length < rows && examined === documents.length;
	return { hits, examined, ...(!isEnd && { next: last }) };
}

function excerptOf(text: string, wanted: string): string | undefined {
	// Lower case can be longer than the original: the place is then off by some characters, which an excerpt bears.
	const at = text.toLowerCase().indexOf(wanted);
	if (at < 0) return undefined;
	const start = Math.max(0, at - around);
	// Not in the middle of a word.
	const from = start === 0 ? 0 : Math.min(at, start + text.slice(start, at).search(/\s|$/));
	const to = Math.min(text.length, at + wanted.length + around);
	const words = text.slice(from, to).replace(/\s+/g, ' ').trim();
	return `${from > 0 ? '… ' : ''}${words}${to < text.length ? ' …' : ''}`;
}
