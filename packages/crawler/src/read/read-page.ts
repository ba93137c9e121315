import {
	type Alternate,
	charsetProblem,
	decodeHtml,
	type Extraction,
	extract,
	extractWhole,
	type Favor,
	type Fetched,
	type Page,
	toAIDocument,
} from '@wayleave/extract';
import { sha256 } from '@wayleave/io/hash';
import { present } from '@wayleave/protocols';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { FileKind } from '@wayleave/protocols/file-types';
import { type FieldSchema, readerOf } from '../model/fields.ts';
import type { MinHashSignature } from '../model/minhash-signature.ts';
import type { ContentKind } from '../response/classify.ts';
import { readText } from '../response/read-text.ts';
import { addAlternates } from './add-alternates.ts';
import { barrierOf } from './barrier.ts';
import { dependsOnScripts } from './depends-on-scripts.ts';
import { minHashOf } from './minhash.ts';
import { type Prose, proseOf } from './prose.ts';

/** Plain data, so that the work can be done elsewhere. */
export interface PageSource {
	readonly kind: ContentKind;
	readonly body: Uint8Array;
	/** The whole header. */
	readonly contentType: string | undefined;
	readonly contentLanguage: string | undefined;
	readonly fetched: Fetched;
	readonly economics: boolean;
	/** The file that `body` was converted from: all of it is content. */
	readonly file?: { readonly kind: FileKind; readonly pages?: number; readonly leftOut?: readonly string[] };
	/** Other forms that the response names. */
	readonly alternates?: readonly Alternate[] | undefined;
	/** If the main content is ambiguous. */
	readonly favor?: Favor | undefined;
	/** The schema whose fields are read. */
	readonly fields?: FieldSchema | undefined;
}

export interface PageReading {
	readonly document: AIDocument;
	readonly page: Page;
	/** Absolute, in document order; the first `maxLinks` of them. */
	readonly links: readonly string[];
	/** How many more links there are. */
	readonly furtherLinks?: number;
	/** The page says little, and would say more if its scripts ran. */
	readonly dependsOnScripts?: boolean;
	/** Of the main text. */
	readonly minHash?: MinHashSignature | undefined;
	/** Its text, without its links. */
	readonly prose?: Prose;
}

/** Decodes, parses, extracts: everything between the bytes of a page and its document. */
export type ReadPage = (source: PageSource) => Promise<PageReading>;

/** Reads a page in this thread. */
export const readPage: ReadPage = async (page) => {
	const reading = page.file === undefined ? await readContent(page) : await readConverted(page, page.file);
	const { alternates, fetched } = page;
	return alternates === undefined
		? reading
		: { ...reading, page: addAlternates(reading.page, fetched.url, alternates) };
};

async function readContent(page: PageSource): Promise<PageReading> {
	const { kind, body, contentType, contentLanguage, fetched, economics, favor } = page;
	const { text, encoding, source, conflict } = decodeHtml(body, contentType);
	const fields = page.fields && (await readerOf(page.fields));
	const options = present({ contentLanguage, favor, fields });
	const extraction = kind === 'html' ? extract(text, fetched.url, options) : readText(text, fetched.url, kind);
	const countTokens = economics ? (await import('@wayleave/extract/tokens')).countTokens : undefined;
	const tools = { sha256, ...(countTokens && { countTokens, rawHtml: text }) };
	const charset = charsetProblem({ encoding, ...(conflict && { conflict }) });
	const bare = kind === 'html' && dependsOnScripts(text, extraction.text);
	const barrier = kind === 'html' ? barrierOf(text, extraction.text, bare) : undefined;
	return {
		document: toAIDocument(extraction, fetched, tools),
		// The page keeps the source of its encoding.
		page: {
			...extraction.page,
			...(fields && kind !== 'html' && { fields: fields.read(extraction) }),
			charset: { encoding, source, ...(conflict && { conflict }) },
			...(charset && { problems: [...(extraction.page.problems ?? []), charset] }),
			...(barrier !== undefined && { barrier }),
		},
		...firstLinks(linksOf(extraction)),
		dependsOnScripts: bare,
		minHash: minHashOf(extraction.text),
		prose: proseOf(extraction.title ?? '', extraction.markdown, fetched.url),
	};
}

/** A file has no markup of its own, no scripts and no barrier. */
async function readConverted(
	{ body, contentLanguage, fetched, fields }: PageSource,
	file: NonNullable<PageSource['file']>,
): Promise<PageReading> {
	const { kind: format, ...facts } = file;
	const extraction = extractWhole(new TextDecoder().decode(body), fetched.url, {
		format,
		...facts,
		...(contentLanguage !== undefined && { contentLanguage }),
	});
	return {
		document: toAIDocument(extraction, fetched, { sha256 }),
		page: { ...extraction.page, ...(fields && { fields: (await readerOf(fields)).read(extraction) }) },
		...firstLinks(linksOf(extraction).filter((link) => withoutFragment(link) !== withoutFragment(fetched.url))),
		minHash: minHashOf(extraction.text),
		prose: proseOf(extraction.title ?? '', extraction.markdown, fetched.url),
	};
}

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '');

/** `<link>` elements that lead to further pages. */
const pageRelations = new Set(['next', 'prev', 'canonical', 'alternate']);

/** Links taken from one page: menus and main text come before the filler of a longer page. */
const maxLinks = 10_000;

function firstLinks(all: readonly string[]): Pick<PageReading, 'links' | 'furtherLinks'> {
	if (all.length <= maxLinks) return { links: all };
	const distinct = [...new Set(all)];
	const more = distinct.length - maxLinks;
	return { links: distinct.slice(0, maxLinks), ...(more > 0 && { furtherLinks: more }) };
}

function linksOf({ links, further = [], page, canonicalUrl }: Extraction): string[] {
	const related = (page.links ?? []).filter(({ rel, type }) => {
		const relations = rel.toLowerCase().split(/\s+/);
		const isPage = type === undefined || /^(?:text\/html|application\/xhtml\+xml|text\/markdown)\b/i.test(type);
		return isPage && relations.some((relation) => pageRelations.has(relation));
	});
	return [
		...links.map(({ url }) => url),
		...further,
		...related.map(({ url }) => url),
		...(canonicalUrl === undefined ? [] : [canonicalUrl]),
		// Without scripts the page under `<noscript>` is the one that counts: its refresh is followed too.
		...(page.refresh === undefined ? [] : [page.refresh.url]),
	];
}
