import { type Chunk, type ChunkOptions, chunkMarkdown } from '@wayleave/extract';
import type { Result } from '../model/result.ts';

export interface LineOptions {
	/** Whether URLs without a document are written too. Default false. */
	readonly outcomes?: boolean;
	/** Adds each document in pieces of a token budget, as `chunks`. */
	readonly chunks?: ChunkOptions | undefined;
}

/** Whether a result is written, or left out because it has no document. */
export const isTold = (result: Result, { outcomes = false }: LineOptions): boolean =>
	result.document !== undefined || outcomes;

/** `{ "url", "outcome", "document"?, "policy"?, "page"?, "representation"?, "chunks"? }` and what explains an outcome; nothing for one left out. */
export function formatLine(result: Result, options: LineOptions): string {
	if (!isTold(result, options)) return '';
	const {
		url,
		outcome,
		reason,
		detail,
		status,
		redirectedTo,
		aliasOf,
		evidence,
		document,
		policy,
		page,
		representation,
	} = result;
	const line = {
		url,
		outcome,
		reason,
		detail,
		status,
		redirectedTo,
		aliasOf,
		evidence,
		document,
		policy,
		page,
		representation,
		chunks: chunksOf(result, options),
	};
	return `${JSON.stringify(line)}\n`;
}

/** A document in pieces of a token budget, if these are asked for. */
export function chunksOf({ document }: Result, { chunks }: LineOptions): Chunk[] | undefined {
	if (document === undefined || chunks === undefined) return undefined;
	return chunkMarkdown(document.content.markdown, { language: document.identity.language, ...chunks });
}

/** A document as one JSON object per chunk: `{ "url", "title"?, "id", "headingPath", "start", "end", "text", "tokens", "cut"? }`. */
export function chunkLines(result: Result, options: LineOptions): string {
	const { url, page, document } = result;
	const title = page?.title ?? document?.identity.title;
	return (chunksOf(result, options) ?? []).map((chunk) => `${JSON.stringify({ url, title, ...chunk })}\n`).join('');
}
