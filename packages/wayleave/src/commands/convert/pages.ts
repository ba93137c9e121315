import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
	archivedPages,
	type FileSource,
	kindOfFile,
	type PageSource,
	type Result,
	warcProblems,
} from '@wayleave/crawler';
import { declaredUrl } from '@wayleave/extract';
import { FileError, fileError } from '@wayleave/io/messages';
import { mediaTypeOfFile } from '@wayleave/protocols/file-types';
import { isObjectPlace, streamObject } from '../../shared/objects.ts';
import { type Input, isArchiveInput, isFileName, readHtml, readPage } from '../../shared/page-files.ts';

/** A saved page, ready to be read. */
export interface SavedPage {
	/** For people: the file, and the place in it. */
	readonly where: string;
	/** It is one of many in an archive, which may have others than pages. */
	readonly isArchived: boolean;
	readonly source: PageSource | FileSource;
	readonly result: Omit<Result, 'document' | 'page'>;
}

/** How the pages are read. */
type Reading = Pick<PageSource, 'economics' | 'favor' | 'fields'>;

export type SavedItem =
	| { readonly page: SavedPage }
	/** A sentence that says what is wrong, and where. */
	| { readonly fault: string; readonly code: string; readonly file: string }
	/** A sentence about a record that was read despite a problem. */
	| { readonly warning: string }
	/** A page that says nowhere what its address is. */
	| { readonly nameless: string }
	| { readonly passedOver: string };

/** The pages of one input: itself, or those of a web archive, one after the other. */
export async function* savedPages(input: Input, reading: Reading): AsyncGenerator<SavedItem> {
	if (!isArchiveInput(input)) {
		yield saved(input, reading);
		return;
	}
	try {
		const source = Readable.from(sourceOf(input), { objectMode: false });
		for await (const item of archivedPages(source)) {
			if ('passedOver' in item) yield item;
			else if ('page' in item) {
				const { offset, source, result } = item.page;
				yield {
					page: { where: `${input.file}:${offset}`, isArchived: true, source: { ...source, ...reading }, result },
				};
			} else {
				const { code, offset, detail } = item.problem;
				const more = detail === undefined ? '' : ` (${detail})`;
				const message = `${input.file}:${offset}: ${code}: ${warcProblems[code]}${more}`;
				// The record was read despite the problem.
				if (code === 'warc-wrong-length') yield { warning: message };
				else yield { fault: message, code, file: input.file };
			}
		}
	} catch (error) {
		yield faultOf(error, input);
	}
}

function sourceOf({ file, path, bytes }: Input): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
	if (bytes !== undefined) return [bytes];
	return isObjectPlace(file) ? streamObject(file) : createReadStream(path);
}

/** The reason why a file cannot be converted; the code of a FileError if it could not be read. */
function faultOf(given: unknown, { file }: Input): SavedItem {
	const error = fileError(given, file, 'read');
	if (error instanceof FileError) return { fault: error.message, code: error.code, file };
	return { fault: `${file}: ${(error as Error).message}`, code: 'not-converted', file };
}

function saved(input: Input, reading: Reading): SavedItem {
	try {
		const { kind, body, url } = readSaved(input);
		if (url === undefined) return { nameless: input.file };
		const cache = { status: 'hit', origin_contacted: false, body_fetched: false } as const;
		// Nothing in the document claims that the page was fetched.
		const fetched = { url, freshnessPolicy: 'cache_first', cache } as const;
		const source = {
			body,
			contentType: undefined,
			contentLanguage: undefined,
			fetched,
			...reading,
		};
		const result = { url, outcome: 'fetched', depth: 0, at: savedAt(input).toISOString() } as const;
		return {
			page: {
				where: input.file,
				isArchived: false,
				source: kind === 'html' ? { ...source, kind } : { ...source, kind },
				result,
			},
		};
	} catch (error) {
		return faultOf(error, input);
	}
}

/** When the page was saved, as far as its file tells, so that a second run writes the same bytes. */
const savedAt = ({ path, bytes }: Input): Date => (bytes === undefined ? statSync(path).mtime : new Date());

/** @throws Error with a sentence that says what is wrong with the file. */
function readSaved(input: Input): { kind: 'html' | FileSource['kind']; body: Uint8Array; url: string | undefined } {
	if (isFileName(input.path)) {
		const body = readPage(input);
		const kind = kindOfFile(undefined, body) ?? kindOfFile(mediaTypeOfFile(input.path), body);
		if (kind !== undefined) return { kind, body, url: input.url };
	}
	const { body, text } = readHtml(input);
	return { kind: 'html', body, url: input.url ?? declaredUrl(text) };
}
