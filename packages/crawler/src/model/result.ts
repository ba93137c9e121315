import type { Chunk, Page } from '@wayleave/extract';
import type { Evidence } from '@wayleave/protocols';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { Limits, Obligations } from '@wayleave/protocols/policy';
import type { Outcome, Reason } from './outcome.ts';
import type { Representation } from './representation.ts';

/** The terms for using a document; delivered next to it. */
export interface PolicyNote {
	/** Intended uses, and the site's statement on each. */
	readonly uses: Readonly<Record<string, 'allow' | 'deny' | 'ask' | 'limited' | 'unspecified'>>;
	readonly obligations?: Obligations;
	readonly limits?: Limits;
	/** The lines that say so. */
	readonly because?: readonly Evidence[];
	/** Where the site refers to licence terms (RSL), which are not read: lines of robots.txt, `Link` fields, `<link>`. */
	readonly licences?: readonly Evidence[];
}

/** Whether the site has allowed one use only, which was spent by the visit that brought the document. */
export const isSpent = (policy: PolicyNote | undefined): boolean => policy?.limits?.once === true;

/** One URL and how it ended: what `crawl` yields, after it is safely stored. */
export interface Result {
	readonly url: string;
	readonly outcome: Outcome;
	readonly reason?: Reason;
	/** Details for people. */
	readonly detail?: string;
	/** For `refused`: the lines that forbid it. */
	readonly evidence?: readonly Evidence[];
	/** HTTP status of the last response, where there was one. */
	readonly status?: number;
	/** Target of redirects; absent if there were none. */
	readonly redirectedTo?: string;
	/** For `alias`: the page whose other address this is; that page has the document. */
	readonly aliasOf?: string;
	/** Links away from a seed; a seed has 0. */
	readonly depth: number;
	/** The page, sitemap or redirect that led here. */
	readonly foundOn?: string;
	/** RFC 3339. */
	readonly at: string;
	/** For `deferred`: when the host may be asked again; RFC 3339. */
	readonly retryAt?: string;
	/** For `fetched` and `unchanged`. */
	readonly document?: AIDocument;
	readonly page?: Page;
	/** The document in pieces of a token budget, if `chunks` asks for them. */
	readonly chunks?: readonly Chunk[];
	readonly policy?: PolicyNote;
	/** Source of the document, the reason, and its cost. */
	readonly representation?: Representation;
}
