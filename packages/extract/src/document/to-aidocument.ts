import { present } from '@wayleave/protocols';
import {
	type AIDocument,
	type CacheInfo,
	computeEconomics,
	computeSignals,
	documentRef,
	type EconomicsInfo,
	type FreshnessPolicy,
	type IdentityInfo,
	type Pricing,
	type RenderMode,
	type Sha256,
	type StructureInfo,
} from '@wayleave/protocols/aidocument';
import type { Extraction } from '../types.ts';

/** How the page was come by: what an extraction cannot know. */
export interface Fetched {
	/** Absolute, after redirects. */
	readonly url: string;
	/** RFC 3339, of the snapshot. */
	readonly fetchedAt?: string;
	readonly statusCode?: number;
	readonly renderMode?: RenderMode;
	/** The policy that the caller asked for, whether it was met or not. */
	readonly freshnessPolicy: FreshnessPolicy;
	readonly cache: CacheInfo;
}

/** Functions that pure packages get from outside. */
export interface DocumentTools {
	readonly sha256: Sha256;
	/** With `rawHtml` it makes the `economics` group; `countTokens` of `@wayleave/extract/tokens` is one. */
	readonly countTokens?: (text: string) => number;
	/** The page as it was decoded. */
	readonly rawHtml?: string;
	readonly pricing?: Pricing;
}

/** Makes the AIDocument of a fetched page (AIWebIndex 2.0 §4). Fields without a value are left out. */
export function toAIDocument(extraction: Extraction, fetched: Fetched, tools: DocumentTools): AIDocument {
	const { markdown, headings, hasJsonLd } = extraction;
	const parts = {
		source: sourceOf(extraction, fetched),
		cache: fetched.cache,
		identity: identityOf(extraction),
		content: { markdown },
		structure: structureOf(extraction),
		signals: computeSignals({ markdown, headings, hasJsonLd }),
	};
	const economics = economicsOf(markdown, tools);
	return {
		schema: { name: 'AIDocument', version: '2.0', ref: documentRef(parts, tools.sha256) },
		...parts,
		...(economics && { economics }),
	};
}

function sourceOf({ canonicalUrl }: Extraction, fetched: Fetched): AIDocument['source'] {
	return {
		url: fetched.url,
		...present({
			canonical_url: canonicalUrl,
			fetched_at: fetched.fetchedAt,
			render_mode: fetched.renderMode,
			status_code: fetched.statusCode,
		}),
		freshness_policy: fetched.freshnessPolicy,
	};
}

function identityOf({ title, description, language, contentType }: Extraction): IdentityInfo {
	return {
		...present({
			title: title || undefined,
			description: description || undefined,
			language: language || undefined,
			content_type: contentType,
		}),
	};
}

function structureOf({ headings, links, images, structuredData }: Extraction): StructureInfo {
	return {
		...(headings.length > 0 && { headings }),
		...(links.length > 0 && { links }),
		...(images.length > 0 && { images }),
		...(structuredData && Object.keys(structuredData).length > 0 && { structured_data: structuredData }),
	};
}

function economicsOf(markdown: string, { countTokens, rawHtml, pricing }: DocumentTools): EconomicsInfo | undefined {
	if (countTokens === undefined || rawHtml === undefined) return undefined;
	return computeEconomics({
		outputTokens: countTokens(markdown),
		rawTokens: countTokens(rawHtml),
		...present({ pricing }),
	});
}
