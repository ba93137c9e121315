import type { Chunk, ChunkOptions, FieldReader } from '@wayleave/extract';
import { ByteBuffer } from '../base/byte-buffer.ts';
import { chunkDocument } from '../model/chunks.ts';
import { documentJson } from '../model/document-json.ts';
import { fieldsOf, pageWithoutFields } from '../model/fields.ts';
import type { Result } from '../model/result.ts';

export interface LineOptions {
	/** Whether URLs without a document are written too. Default false. */
	readonly outcomes?: boolean;
	/** Adds each document in pieces of a token budget, as `chunks`. */
	readonly chunks?: ChunkOptions | undefined;
	/** Adds the fields of this schema to each document, as `fields`. Of pages that were not read for it, from the document. */
	readonly fields?: FieldReader | undefined;
}

/** Whether a result is written, or left out because it has no document. */
export const isWritten = (result: Result, { outcomes = false }: LineOptions): boolean =>
	result.document !== undefined || outcomes;

/** `{ "url", "outcome", "document"?, "policy"?, "page"?, "representation"?, "fields"?, "chunks"? }` and what explains an outcome; nothing for one left out. */
export function formatLine(result: Result, options: LineOptions): string {
	single.clear();
	writeLine(single, result, options);
	return single.value.toString();
}

/** The line that is being written, at once. */
const single = new ByteBuffer();

/** Adds the line to a text; the document has been written before. */
export function writeLine(to: ByteBuffer, result: Result, options: LineOptions): void {
	if (!isWritten(result, options)) return;
	const { document, policy, page, representation } = result;
	const rest = JSON.stringify({
		policy,
		page: pageWithoutFields(page),
		representation,
		// Those of an earlier crawl stay in the store: an output has the fields that it is asked for.
		fields: options.fields && fieldsOf(result, options.fields),
		chunks: chunksOf(result, options),
	});
	to.text(JSON.stringify(pick(result, before)).slice(0, -1));
	if (document !== undefined) {
		to.text(',"document":');
		to.bytes(documentJson(document));
	}
	to.text(rest === '{}' ? '}\n' : `,${rest.slice(1)}\n`);
}

/** Members before the document, in this order. */
const before = ['url', 'outcome', 'reason', 'detail', 'status', 'redirectedTo', 'aliasOf', 'evidence'] as const;

const pick = (result: Result, names: readonly (keyof Result)[]) =>
	Object.fromEntries(names.map((name) => [name, result[name]]));

/** A document in pieces of a token budget, if these are asked for. */
export function chunksOf({ document }: Result, { chunks }: LineOptions): Chunk[] | undefined {
	if (document === undefined || chunks === undefined) return undefined;
	return chunkDocument(document, chunks);
}

/** A document as one JSON object per chunk: `{ "url", "title"?, "id", "headingPath", "start", "end", "text", "tokens", "cut"? }`. */
export function chunkLines(result: Result, options: LineOptions): string {
	const { url, page, document } = result;
	const title = page?.title ?? document?.identity.title;
	return (chunksOf(result, options) ?? []).map((chunk) => `${JSON.stringify({ url, title, ...chunk })}\n`).join('');
}
