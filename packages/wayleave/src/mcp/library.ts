import { explainReason, type KnownUrl, type Reason, type Result } from '@wayleave/crawler';
import type { SiteTerms } from '../check/read-site.ts';
import { placeOf } from '../output/place.ts';
import type { Hit } from '../search/search-index.ts';

/** What the tools stand on: the crawler of this machine, or the service. */
export interface Library {
	/** A page, on the terms of its site. */
	fetch(url: string, refresh: boolean, signal: AbortSignal): Promise<Result>;
	/** What is known of a page without asking anybody. */
	find(url: string): Promise<KnownUrl | undefined>;
	/** Full text over what is kept. */
	search(query: string, options: { readonly host?: string | undefined; readonly limit: number }): Promise<Hit[]>;
	/** What a site says. @param wantPage whether the page itself is asked too */
	readTerms(url: string, wantPage: boolean): Promise<SiteTerms>;
	/** A policy file, or why it cannot be read. */
	readFile(url: string): Promise<{ readonly bytes: Uint8Array } | { readonly detail: string }>;
}

/** Why there is no document, with the lines that say so. */
export function failureText({ url, outcome, reason, evidence = [], retryAt, detail }: Result): string {
	const sentence = reason === undefined ? outcome : `${outcome}: ${explainReason(reason as Reason)}`;
	return [
		`${url}: ${sentence}${detail === undefined ? '' : ` (${detail})`}.`,
		...evidence.map((line) => `- ${placeOf(line)}: ${line.text}`),
		...(retryAt === undefined ? [] : [`Not before ${retryAt}.`]),
	].join('\n');
}
