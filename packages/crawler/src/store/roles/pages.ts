import type { Favor, Page } from '@wayleave/extract';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { Capture } from '../../model/exchange.ts';
import type { MinHashSignature } from '../../model/minhash-signature.ts';
import type { Ending, Outcome, Reason } from '../../model/outcome.ts';
import type { Representation } from '../../model/representation.ts';
import type { PolicyNote, Result } from '../../model/result.ts';
import type { Terms } from '../../response/policy-headers.ts';
import type { Validators } from '../../response/validators.ts';
import type { NewUrl } from './frontier.ts';

/** The target of a removal: one URL, or a whole host. */
export type ForgetTarget = { readonly url: string } | { readonly host: string };

/** The result of a removal. */
export interface Forgotten {
	readonly documents: number;
	/** Known addresses of the target that the crawler will not request. */
	readonly urls: number;
	/** Archives that still contain responses of the target. */
	readonly archives: readonly string[];
}

/** The content of a page, as a store keeps it. */
export interface PageContent {
	readonly document: AIDocument;
	readonly page?: Page;
	readonly policy?: PolicyNote;
	readonly representation?: Representation;
	/** Place of its source in an archive. */
	readonly capture?: Capture;
	/** How the document was read, where that was said. */
	readonly favor?: Favor;
	readonly terms?: Terms;
}

/** A page as it was last read. */
export interface Snapshot extends Validators, PageContent {
	readonly url: string;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
	/** When the site said last that it is good; milliseconds since 1970. */
	readonly checkedAt: number;
	/** Whether it is the last that is known of the page: that was not found gone, closed or another since. */
	readonly isCurrent: boolean;
}

/** The stored content of a page; without `document` only its validators. */
export interface Content extends Validators {
	/** Signature of its text, and the page it nearly duplicates; null if that cannot be computed. */
	readonly minHash?: { readonly value: MinHashSignature; readonly twin?: string; readonly prose?: number } | null;
	/** Undefined when the server said that nothing has changed: then only the time of the check moves. */
	readonly snapshot?: Partial<PageContent> & { readonly fetchedAt: number };
	/** When the page was looked at last, where it was not now; milliseconds since 1970. */
	readonly checkedAt?: number;
}

/** The text signature of a known page. */
export interface KnownMinHash {
	readonly url: string;
	readonly minHash: MinHashSignature;
	/** The hash of its prose, if known. */
	readonly prose?: number;
}

/** A page to compare others with. */
export interface Comparable extends Partial<Pick<KnownMinHash, 'minHash' | 'prose'>> {
	/** The name it was found by, or its own address. */
	readonly key: string;
	readonly url: string;
	/** Undefined while it waits for a visit. */
	readonly outcome?: Outcome;
	readonly bodyHash?: Uint8Array;
}

/** A page with its outcome. */
export interface KeptPage {
	readonly url: NewUrl;
	readonly ending: Ending;
	/** As in a visit. */
	readonly due?: number;
	readonly at: number;
	readonly status?: number;
	readonly redirectedTo?: string;
	readonly content?: Content;
}

export interface EmittedOptions {
	/** URLs that ended without a visit in earlier runs count as emitted. */
	readonly otherRuns: boolean;
	/** Up to which number what ended so in this run was given. */
	readonly upTo: number;
	/** Includes URLs without a document that ended without a visit. */
	readonly outcomes: boolean;
}

export interface StoredResultsOptions {
	/** Whether URLs without a document are included. Default false. */
	readonly outcomes?: boolean;
	/** Whether documents are included whose permission was for one use. Default false. */
	readonly spent?: boolean;
}

/** The pages of a host, and of those below it. */
export interface SiteOf {
	/** Host name. */
	readonly host: string;
	/** Whether the hosts below it count too. */
	readonly below: boolean;
}

/** A page of a site, as far as it was looked at. Times are milliseconds since 1970. */
export interface SitePage {
	readonly url: string;
	readonly outcome: Outcome;
	readonly reason?: Reason;
	readonly checkedAt: number;
	/** Of the stored document, if there is one. */
	readonly fetchedAt?: number;
}

/** A document that is kept, with its place in the order in which they came. */
export interface KeptDocument {
	readonly place: DocumentPlace;
	readonly url: string;
	readonly document: AIDocument;
	readonly policy?: PolicyNote;
}

/** `fetchedAt` in milliseconds since 1970, and what tells those of one moment apart. */
export interface DocumentPlace {
	readonly fetchedAt: number;
	readonly id: number;
}

export interface PruneOptions {
	/** Documents that were last seen before this moment go; what tells whether the page has changed goes with them. */
	readonly before?: number;
	/** Pages that are gone are forgotten, with what is kept of them. Default false. */
	readonly gone?: boolean;
	/**
	 * Objects that no page names are deleted when they are older than this; milliseconds. Younger ones may belong to a
	 * crawl that is about to name them. Default: a day.
	 */
	readonly grace?: number;
	/** Counts, and changes nothing. Default false. */
	readonly dryRun?: boolean;
}

export interface Pruned {
	/** Documents that were thrown away, and their size in the store. */
	readonly documents: number;
	readonly bytes: number;
	/** Objects that no page named, and their bytes; absent for a store with all documents in the database. */
	readonly objects?: { readonly count: number; readonly bytes: number };
	/** URLs that were forgotten. */
	readonly gone: number;
	/** Earlier versions of pages, and changes in the log of a watch. */
	readonly versions?: number;
	readonly changes?: number;
}

/** The stored copy of a page. Times are RFC 3339. */
export interface StoredPage {
	readonly fetchedAt: string;
	readonly checkedAt: string;
	readonly etag?: string;
	readonly lastModified?: string;
	/** Bytes in the store; 0 if the document may not be kept. */
	readonly bytes: number;
	readonly policy?: PolicyNote;
	readonly representation?: Representation;
	readonly capture?: Capture;
}

/** Sizes are bytes. */
export interface StoreSize {
	readonly documents: number;
	/** Of the documents. */
	readonly bytes: number;
	/** Of the whole store. */
	readonly total: number;
}

/** One version of the document of a page. */
export interface DocumentVersion extends PageContent {
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
}

/** A document in the order in which the URLs were found. */
export interface NumberedDocument {
	/** The number of its URL. */
	readonly id: number;
	readonly url: string;
	readonly document: AIDocument;
}

/** A page whose document was replaced by a newer one. Times are milliseconds since 1970. */
export interface ReplacedDocument {
	/** The number of its URL. */
	readonly id: number;
	readonly url: string;
	readonly replacedAt: number;
	/** When the replaced one had been fetched. */
	readonly formerlyAt: number;
}

export interface ReplacedRequest {
	/** Replaced at this moment or later; milliseconds since 1970. */
	readonly since: number;
	/** Begins behind this one. */
	readonly after?: Pick<ReplacedDocument, 'replacedAt' | 'id'>;
	readonly limit: number;
}

/** The part of the page store that a reader needs. */
export interface PagesReader {
	/** The document of a page, and the one that it replaced, if the store has them: the newer one first. */
	versions(url: string): Promise<DocumentVersion[]>;
	/** Up to `limit` documents behind the URL with the number `after`, in the order found. */
	documents(after: number, limit: number): Promise<NumberedDocument[]>;
	/** Pages whose document was replaced, the latest first. */
	replaced(request: ReplacedRequest): Promise<ReplacedDocument[]>;
	/** All stored results in the order found, a few at a time. */
	results(options?: StoredResultsOptions): AsyncIterable<Result[]>;
	/** The stored copy of a page, without its document. */
	stored(url: string): Promise<StoredPage | undefined>;
	size(): Promise<StoreSize>;
}

/** The documents, and what identifies a page at another address. */
export interface Pages extends PagesReader {
	/** @param known an earlier snapshot of the page: returned itself if the store still has the same, byte for byte */
	snapshot(url: string, known?: Snapshot): Promise<Snapshot | undefined>;
	/** Records a page that was visited outside of a run. */
	keep(page: KeptPage): Promise<void>;
	/** Pages with a similar text; of pages that are near duplicates only the first. */
	lookalikes(minHash: MinHashSignature): Promise<KnownMinHash[]>;
	/** Pages by the names that visits gave them, and by their addresses. */
	comparable(names: readonly string[], urls: readonly string[]): Promise<Comparable[]>;
	/** Results that sinks got before this run was resumed, in the order found, a few at a time. */
	emitted(which: EmittedOptions): AsyncIterable<Result[]>;
	/** Up to `limit` visited pages of a site, sorted by address, after the address `after`. */
	pagesOf(site: SiteOf, after: string, limit: number): Promise<SitePage[]>;
	/** Up to `limit` kept documents that were fetched after `place`, oldest first. */
	documentsSince(place: DocumentPlace, limit: number): Promise<KeptDocument[]>;
	/** Removes the stored copies of up to `limit` pages of a site, or of one of them; returns their addresses. */
	forgetPages(site: SiteOf, url: string | undefined, limit: number): Promise<string[]>;
	/** Whether the user asked to forget the URL or its host: then it is never requested. */
	isForgotten(url: string): Promise<boolean>;
}
