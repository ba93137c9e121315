/** An AIDocument 2.0: the structured extraction of one URL (AIWebIndex 2.0 §4). */
export interface AIDocument {
	schema: SchemaInfo;
	source: SourceInfo;
	cache: CacheInfo;
	identity: IdentityInfo;
	content: ContentInfo;
	structure: StructureInfo;
	signals: SignalsInfo;
	economics?: EconomicsInfo;
}

export interface SchemaInfo {
	name: 'AIDocument';
	/** `major.minor`; we emit `2.0`. */
	version: string;
	/** `aidoc:sha256:` and 32 hex digits. */
	ref?: string;
}

export type RenderMode = 'static' | 'rendered' | 'static_after_render_failure';
export type FreshnessPolicy = 'cache_first' | 'force_refresh';
export type CacheStatus = 'hit' | 'miss' | 'refreshed' | 'stale_revalidated';

export interface SourceInfo {
	/** Absolute, after redirects. */
	url: string;
	canonical_url?: string;
	/** RFC 3339, of the snapshot. */
	fetched_at?: string;
	render_mode?: RenderMode;
	status_code?: number;
	freshness_policy: FreshnessPolicy;
}

export interface CacheInfo {
	status: CacheStatus;
	origin_contacted: boolean;
	body_fetched: boolean;
}

export interface IdentityInfo {
	title?: string;
	description?: string;
	/** BCP 47. */
	language?: string;
	/** Page class such as `article`, never a MIME type. */
	content_type?: string;
}

export interface ContentInfo {
	markdown: string;
}

export interface Heading {
	level: number;
	text: string;
	id?: string;
}

export interface Link {
	url: string;
	text?: string;
	internal: boolean;
	rel?: string;
}

export interface Image {
	url: string;
	alt?: string;
}

export interface StructureInfo {
	headings?: Heading[];
	links?: Link[];
	images?: Image[];
	structured_data?: Record<string, unknown>;
}

export interface SignalsInfo {
	word_count?: number;
	/** Minutes. */
	reading_time?: number;
	has_json_ld: boolean;
	heading_hierarchy_ok: boolean;
}

export interface EconomicsInfo {
	output_tokens_approx: number;
	raw_html_tokens_approx: number;
	token_savings: number;
	token_savings_percent: number;
	estimated_cost_usd: { our_output: number; raw_html: number; savings: number };
	pricing_basis: { input_price_per_1k_usd: number; model_class: string; note?: string };
}
