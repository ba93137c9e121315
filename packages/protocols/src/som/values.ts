import { parseUrl } from '../url/parse-url.ts';

export const somFormats = ['SOM/1.0', 'markdown', 'accessibility-tree'] as const;
export const somScopes = ['full-page', 'main-content', 'article-body'] as const;
export const somAuths = ['none', 'api-key', 'bearer'] as const;

/** SOM directives §4.2.2. */
export type SomFormat = (typeof somFormats)[number];
/** SOM directives §4.2.3. */
export type SomScope = (typeof somScopes)[number];
/** From the companion proposal: read where it stands, never required. */
export type SomAuth = (typeof somAuths)[number];

/** Default values (SOM directives, table 1). Freshness in seconds. */
export const somDefaults = { format: 'SOM/1.0', scope: 'full-page', freshness: 86_400, auth: 'none' } as const;

/** The media types of the formats; any other `+json` is judged by its content. */
export const somMediaTypes = {
	'SOM/1.0': 'application/som+json',
	markdown: 'text/markdown',
	'accessibility-tree': 'application/json',
} as const satisfies Record<SomFormat, string>;

/** Finds a fixed value whatever its case. */
export function readChoice<Choice extends string>(choices: readonly Choice[], text: string): Choice | undefined {
	const wanted = text.trim().toLowerCase();
	return choices.find((choice) => choice.toLowerCase() === wanted);
}

/** Reads digits and nothing else, up to 2^53 - 1. */
export function readCount(text: string): number | undefined {
	const value = /^\d{1,16}$/.test(text.trim()) ? Number(text) : Number.NaN;
	return Number.isSafeInteger(value) ? value : undefined;
}

/** An http or https URL without fragment; undefined for anything else and for URLs that carry credentials. */
export function readHttpUrl(text: string, base?: string): URL | undefined {
	const url = parseUrl(text, base);
	if (url === undefined) return undefined;
	url.hash = '';
	const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
	return isHttp && url.username === '' && url.password === '' ? url : undefined;
}
