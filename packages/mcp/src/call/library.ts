import type { KnownUrl, Result } from '@wayleave/crawler';
import type { SiteTerms } from '@wayleave/crawler/check';
import type { Hit } from '../search/search-index.ts';

/** The backend of the tools: the crawler of this machine, or the service. */
export interface Library {
	/** A page, on the terms of its site. */
	fetch(url: string, refresh: boolean, signal: AbortSignal): Promise<Result>;
	/** The stored copy of a page, without a request to its site. */
	cached(url: string): Promise<Result | undefined>;
	/** The stored history of a page, without a request. */
	find(url: string): Promise<KnownUrl | undefined>;
	/** Full text over what is kept. */
	search(query: string, options: { readonly host?: string | undefined; readonly limit: number }): Promise<Hit[]>;
	/** Addresses of stored documents after a cursor. */
	list(after: string | undefined, limit: number): Promise<StoredAddresses>;
	/** The terms of a site. @param wantPage whether to request the page itself too */
	readTerms(url: string, wantPage: boolean, signal: AbortSignal): Promise<SiteTerms>;
	/** A policy file, or why it cannot be read. */
	readFile(url: string, signal: AbortSignal): Promise<{ readonly bytes: Uint8Array } | { readonly detail: string }>;
	/** Whether pages are opened in a browser. */
	readonly renders: boolean;
}

/** A page of the list of stored documents. */
export interface StoredAddresses {
	readonly urls: readonly string[];
	/** The cursor of the next page; undefined at the end. */
	readonly next?: string | undefined;
}
