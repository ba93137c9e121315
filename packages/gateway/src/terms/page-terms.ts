import { formatLinkHeader } from '@wayleave/protocols/headers';
import { manifestPath, manifestRelation } from '@wayleave/protocols/pagedigest';
import {
	type SomScope,
	type SomSettings,
	somLinkRelation,
	somMediaTypes,
	somSchemaType,
} from '@wayleave/protocols/som';
import type { Signals } from './signals.ts';
import { compressionOf, type PageTokens, somPageLayers } from './som-terms.ts';

/** Files published next to the pages. */
export interface PageTermsInput {
	readonly signals: Signals;
	/** The endpoint, where it is announced. */
	readonly som?: SomSettings;
	/** There is a manifest. */
	readonly manifest: boolean;
	/** Representations of this page in files: absolute paths. */
	readonly somFile?: string;
	/** Scope of the SOM file. */
	readonly somScope?: SomScope;
	readonly markdownFile?: string;
	/** Tokens of page and representation, if known. */
	readonly tokens?: PageTokens;
	/** A honeypot says nothing in its head (robots2 §7). */
	readonly honeypot?: boolean;
}

/** Headers of a page about its use and its representations. Names in lower case. */
export function pageHeaders(input: PageTermsInput, pageUrl: string): Record<string, string> & { link: string } {
	return { link: links(input, pageUrl).join(', '), ...input.signals.headers };
}

function links(input: PageTermsInput, pageUrl: string): string[] {
	const { som, somFile, markdownFile, manifest } = input;
	const link = (target: string, rel: string, type?: string) =>
		formatLinkHeader([{ target, rel: [rel], params: new Map(type === undefined ? [] : [['type', type]]) }]);
	return [
		...(manifest ? [link(manifestPath, manifestRelation)] : []),
		...(som === undefined ? [] : [somPageLayers(som, pageUrl).link]),
		...(som === undefined && somFile !== undefined ? [link(somFile, somLinkRelation, somMediaTypes['SOM/1.0'])] : []),
		...(markdownFile === undefined ? [] : [link(markdownFile, 'alternate', somMediaTypes.markdown)]),
	];
}

/**
 * The same for the head of the page, one element a line: for hosts that do not let their users set headers. ASCII only.
 */
export function pageTags(input: PageTermsInput, pageUrl: string): string[] {
	if (input.honeypot) return [];
	const { signals, som, somFile, markdownFile, manifest } = input;
	const layers = som === undefined ? undefined : somPageLayers(som, pageUrl, input.tokens);
	const file = layers === undefined && somFile !== undefined ? somFileNode(somFile, input, pageUrl) : undefined;
	const node = layers?.schemaOrg ?? file;
	return [
		...(manifest ? [`<link rel="${manifestRelation}" href="${manifestPath}">`] : []),
		...signals.meta.map(({ name, content }) => `<meta name="${name}" content="${content}">`),
		...(layers?.meta ?? []),
		...(node === undefined ? [] : [`<script type="application/ld+json">${scriptText(node)}</script>`]),
		...(markdownFile === undefined
			? []
			: [
					`<link rel="alternate" type="${somMediaTypes.markdown}" href="${markdownFile.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
				]),
	];
}

/** The representation as the Schema.org layer of the draft names it (SOM directives §5.2). */
function somFileNode(
	somFile: string,
	{ somScope: scope, tokens }: Pick<PageTermsInput, 'somScope' | 'tokens'>,
	pageUrl: string,
): Readonly<Record<string, string | number>> {
	return {
		'@context': 'https://schema.org',
		'@type': somSchemaType,
		sourceUrl: pageUrl,
		representationUrl: new URL(somFile, pageUrl).href,
		representationFormat: 'SOM/1.0',
		...(tokens && { tokenCount: tokens.som, compressionRatio: compressionOf(tokens) }),
		...(scope && { contentScope: scope }),
	};
}

/** JSON that cannot end the script element that it stands in, in ASCII. */
function scriptText(node: object): string {
	const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return JSON.stringify(node).replace(/[<>&\u0080-\uffff]/g, escaped);
}
