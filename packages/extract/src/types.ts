import type { Heading, Image, Link } from '@wayleave/protocols/aidocument';
import type { CharsetSource } from './charset/index.ts';
import type { Chunk, ChunkOptions } from './chunks/index.ts';
import type { Document } from './dom/node.ts';
import type { Fields } from './fields/types.ts';
import type { PageProblem } from './metadata/problems.ts';

/** The page classes we tell apart; also `identity.content_type` of a document. */
export type PageType =
	| 'article'
	| 'documentation'
	| 'product'
	| 'forum'
	| 'listing'
	| 'collection'
	| 'service'
	| 'profile'
	| 'home';

/** Metadata of a page without a field in an AIDocument; it is delivered next to the document. */
export interface Page {
	/**
	 * The address of the page where its canonical link says nothing: it names the front page of a site, or a part of a
	 * page. What the page states elsewhere (`og:url`, JSON-LD), else its own.
	 */
	address?: string;
	/** Our best title; `identity.title` follows the draft to the letter. */
	title?: string;
	author?: string[];
	/** ISO 8601, as precise as the page says. */
	published?: string;
	modified?: string;
	siteName?: string;
	/** Absolute URL. */
	image?: string;
	license?: string;
	feeds?: { url: string; title?: string; type: string }[];
	breadcrumbs?: { name: string; url?: string }[];
	/** `content` of every robots-like meta tag, by lower-case name (`robots`, `googlebot`, ...). */
	robots?: { name: string; content: string }[];
	/** `<link>` elements that concern discovery: rel, absolute href, type, hreflang. */
	links?: { rel: string; url: string; type?: string; hreflang?: string }[];
	/**
	 * The same content in another form: the files of a landing page, or the landing pages of a file. Those of a file are set
	 * by the crawler.
	 */
	alternates?: Alternate[];
	/** Target of a `<meta http-equiv=refresh>`, absolute; `noscript` tells where it stood. */
	refresh?: { seconds: number; url: string; noscript: boolean };
	/** Products, recipes, events, jobs and similar items, in one form for JSON-LD, microdata and RDFa. */
	structuredData?: StructuredItem[];
	/** The fields of a schema, if `fields` asks for them. */
	fields?: Fields;
	/** Parts of the content that are hidden when the page opens: accordions, tabs, text that a script fades in. */
	hiddenParts?: HiddenPart[];
	/** How the bytes became text; set by the decoder. */
	charset?: { encoding: string; source: CharsetSource; conflict?: string };
	/**
	 * The barrier in front of the content of a page that has next to none: scripts create it, or the page asks for a login
	 * or for cookie consent. Set by the caller that fetched the page.
	 */
	barrier?: 'scripts' | 'login' | 'consent';
	/** The file that the document was made from, if it is no web page; set by the caller that fetched it. */
	file?: FileFacts;
	/** The page whose text this one repeats, as far as a crawl has seen it before; set by the crawler. */
	nearDuplicateOf?: string;
	/** Problems of the page: positions are 0, since its tree has no lines. */
	problems?: PageProblem[];
}

/** An address that has the content of a page in another form. */
export interface Alternate {
	/** Absolute. */
	url: string;
	/** Media type, where the page or the header states it. */
	type?: string;
}

/** A PDF or an office file that became a document. */
export interface FileFacts {
	format: string;
	/** Of a PDF; slides, sheets, or the files of a book. */
	pages?: number;
	/** Where each page begins: an anchor in the Markdown, and its place there in UTF-16 code units. */
	anchors?: { page: number; id: string; at: number }[];
	/** Parts that are not in the document, in words: hidden slides and sheets, rows beyond the limit. */
	leftOut?: string[];
}

/** A part of the content that a reader does not see at once. */
export interface HiddenPart {
	/** A control of the page opens it, or a script shows it. */
	state: 'offered' | 'waiting';
	/** Of its text in the document. */
	words: number;
	/** The first characters of its text. */
	begins: string;
}

/** An item that a page describes, in the form of JSON-LD; a property with one value is not a list. */
export interface StructuredItem {
	/** The syntaxes that state it: where they differ, the first one counts. */
	sources: ('json-ld' | 'microdata' | 'rdfa')[];
	/** Its schema.org type. */
	'@type': string;
	[property: string]: unknown;
}

/** Everything `extract` finds in a page. */
export interface Extraction {
	/** The URL that was given: absolute. */
	url: string;
	title?: string;
	description?: string;
	language?: string;
	contentType?: PageType;
	/** Resolved against the base; http(s) only. */
	canonicalUrl?: string;
	markdown: string;
	/** The main content without markup: one line per block. */
	text: string;
	headings: Heading[];
	links: Link[];
	/** Addresses outside the links of the text: frames and areas of image maps. Absolute. */
	further?: string[];
	images: Image[];
	structuredData?: Record<string, unknown>;
	hasJsonLd: boolean;
	page: Page;
	/** `markdown` in pieces of a token budget, if `chunks` asks for them. */
	chunks?: Chunk[];
}

/** Preference if the main content is ambiguous: `recall` keeps more, `precision` keeps less. */
export type Favor = 'recall' | 'precision';

export interface ExtractOptions {
	/** Of the main content. Default: both alike. */
	favor?: Favor;
	/** Content-Language header of the response. */
	contentLanguage?: string;
	/** Cuts `markdown` into chunks. `language` is that of the page by default. */
	chunks?: ChunkOptions;
	/** Fills a schema from the page, as `page.fields`: see `readFieldSchema` of `@wayleave/extract/fields`. */
	fields?: FieldReader;
}

/** A page whose fields can be read: an extraction, or what a store has of one. */
export interface ReadablePage
	extends Pick<Extraction, 'url' | 'title' | 'description' | 'language' | 'canonicalUrl' | 'markdown' | 'page'> {
	readonly headings: readonly Heading[];
	/** Without it, selectors and meta tags are not read. */
	readonly html?: Document | undefined;
}

/** Fills one schema: made by `readFieldSchema` of `@wayleave/extract/fields`. */
export interface FieldReader {
	/** Digest of the schema. */
	readonly schema: string;
	read(page: ReadablePage): Fields;
}

export type { Fields };
