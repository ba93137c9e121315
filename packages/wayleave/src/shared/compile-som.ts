import { type FetchOptions, fetchDocument, type Result, type Source } from '@wayleave/crawler';
import {
	decodeHtml,
	parseSom,
	type SomDocument,
	type SomScope,
	somToMarkdown,
	somToTree,
	type ToSomOptions,
	toSom,
} from '@wayleave/extract';
import { countTokens } from '@wayleave/extract/tokens';
import { sha256 } from '@wayleave/io/hash';
import { isFileKind } from '@wayleave/protocols/file-types';
import { bytes } from '@wayleave/protocols/text';
import { UsageError } from '../terminal/command.ts';

export type SomForm = 'SOM/1.0' | 'markdown' | 'accessibility-tree';

export interface SomFlags {
	readonly scope?: SomScope;
	readonly format?: SomForm;
	/** Tokens, or `none`: then nothing is cut at all. */
	readonly budget?: number | 'none';
}

/** A page in another form, and what that saves. */
export interface Compiled {
	readonly text: string;
	/** For people, a line each. */
	readonly remarks: readonly string[];
}

/** The page at a URL on the terms of its site, and what its document was made from; no source: the result says why. */
export async function fetchSource(
	url: string,
	options: FetchOptions,
): Promise<{ readonly result: Result; readonly source?: Source }> {
	let source: Source | undefined;
	const result = await fetchDocument(url, {
		prefer: 'html',
		...options,
		onSource: (given) => {
			source = given;
		},
	});
	return result.document === undefined || source === undefined ? { result } : { result, source };
}

/**
 * Compiles what was fetched; a representation of the publisher stays as it is, but for its format.
 *
 * @throws UsageError for a PDF or an office file, which has no SOM document
 */
export async function somOfSource(source: Source, flags: SomFlags): Promise<Compiled> {
	if (isFileKind(source.kind))
		throw new UsageError(
			`${source.url} is a file of type ${source.kind.toUpperCase()}, and SOM documents are made from HTML pages only: read it with wayleave fetch, --format json or markdown`,
		);
	const text = decodeHtml(source.body, source.contentType).text;
	if (source.kind === 'html') return compilePage(text, source.url, flags);
	const som = source.kind === 'som' ? parseSom(new TextDecoder().decode(source.body)).value : undefined;
	const form = som === undefined ? new TextDecoder().decode(source.body) : inForm(som, flags.format);
	return {
		text: form.trimEnd(),
		remarks: [`as the site serves it (${source.kind}): ${size(form)}; the site sets scope and budget`],
	};
}

/** Compiles a page. */
export function compilePage(html: string, url: string, { scope, format, budget }: SomFlags): Compiled {
	const write = writerOf(format);
	const options: ToSomOptions = {
		sha256,
		...(scope !== undefined && { scope }),
		...(budget === 'none' && { budget }),
		...(typeof budget === 'number' && { tokenBudget: budget, countTokens }),
		...(write && { write }),
	};
	const { som, fit } = toSom(html, url, options);
	const text = inForm(som, format).trimEnd();
	const before = countTokens(html);
	const after = countTokens(text);
	const dropped = Object.entries(fit?.dropped ?? {}).map(([role, count]) => `${count} ${role}`);
	const gone = [...dropped, ...(fit?.droppedData ?? []).map((part) => `structured_data.${part}`)];
	return {
		text,
		remarks: [
			`HTML ${size(html)} → ${format ?? 'SOM/1.0'} ${size(text)}: ${compared(before, after)}`,
			...(gone.length > 0 ? [`left out to fit the budget: ${gone.join(', ')}`] : []),
			...(fit?.fits === false ? [`the budget of ${budget} tokens is too small for the headings alone`] : []),
		],
	};
}

/** A small page has more markup as SOM than as HTML. */
function compared(before: number, after: number): string {
	const times = (more: number, fewer: number) => (more / Math.max(fewer, 1)).toFixed(1);
	return after > before ? `${times(after, before)} times as many tokens` : `${times(before, after)} times fewer tokens`;
}

function inForm(som: SomDocument, format: SomForm | undefined): string {
	return writerOf(format)?.(som) ?? JSON.stringify(som);
}

/** None for the document itself. */
function writerOf(format: SomForm = 'SOM/1.0'): ToSomOptions['write'] {
	if (format === 'markdown') return (som) => somToMarkdown(som);
	if (format === 'accessibility-tree') return (som) => JSON.stringify(somToTree(som));
	return undefined;
}

function size(text: string): string {
	return `${bytes(Buffer.byteLength(text))}, ${countTokens(text).toLocaleString('en')} tokens`;
}
