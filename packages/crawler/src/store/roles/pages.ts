import type { Favor, Page } from '@wayleave/extract';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { Capture } from '../../model/exchange.ts';
import type { MinHashSignature } from '../../model/minhash-signature.ts';
import type { Ending, Outcome, Reason } from '../../model/outcome.ts';
import type { Representation } from '../../model/representation.ts';
import type { PolicyNote } from '../../model/result.ts';
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

/** A page as it was last read. */
export interface Snapshot extends Validators {
	readonly url: string;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
	/** When the site said last that it is good; milliseconds since 1970. */
	readonly checkedAt: number;
	/** Whether it is the last that is known of the page: that was not found gone, closed or another since. */
	readonly stands: boolean;
	readonly document: AIDocument;
	readonly page?: Page;
	readonly policy?: PolicyNote;
	readonly representation?: Representation;
	/** Where an archive has what it was made from. */
	readonly capture?: Capture;
	/** How the document was read, where that was said. */
	readonly favor?: Favor;
	readonly terms?: Terms;
}

/** What is kept of the content of a page; without `document` only what tells a change (AMB-10). */
export interface Content extends Validators {
	/** What its text is like, and which page it is a near duplicate of; null where that cannot be told. */
	readonly likeness?: { readonly value: MinHashSignature; readonly twin?: string; readonly prose?: number } | null;
	/** Undefined when the server said that nothing has changed: then only the time of the check moves. */
	readonly snapshot?: {
		readonly fetchedAt: number;
		readonly document?: AIDocument;
		readonly page?: Page;
		readonly policy?: PolicyNote;
		readonly representation?: Representation;
		readonly capture?: Capture;
		readonly favor?: Favor;
		readonly terms?: Terms;
	};
	/** When the page was looked at last, where it was not now; milliseconds since 1970. */
	readonly checkedAt?: number;
}

/** What the text of a page is like. */
export interface KnownLikeness {
	readonly url: string;
	readonly likeness: MinHashSignature;
	/** The hash of its prose, if known. */
	readonly prose?: number;
}

/** A page to compare others with. */
export interface Comparable extends Partial<Pick<KnownLikeness, 'likeness' | 'prose'>> {
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

export interface GivenOptions {
	/** What ended without a visit in earlier runs counts as given. */
	readonly otherRuns: boolean;
	/** Up to which number what ended so in this run was given. */
	readonly told: number;
	/** Of what ended without a visit also URLs without a document. */
	readonly outcomes: boolean;
}

export interface UnvisitedOptions {
	/** Only those that ended in this run. */
	readonly thisRun: boolean;
	/** Only those with a document. */
	readonly documents: boolean;
}

export interface StoredResultsOptions {
	/** Whether URLs without a document are given too. Default false. */
	readonly outcomes?: boolean;
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
	/** Counts, and changes nothing. Default false. */
	readonly dryRun?: boolean;
}

export interface Pruned {
	/** Documents that were thrown away, and their size in the store. */
	readonly documents: number;
	readonly bytes: number;
	/** URLs that were forgotten. */
	readonly gone: number;
}
