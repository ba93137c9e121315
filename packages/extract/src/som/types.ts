import type { elementRoles, regionRoles } from './known-roles.ts';

/** A SOM document (SOM-SPEC 1.0 §2). */
export interface SomDocument {
	som_version: string;
	url: string;
	title: string;
	lang: string;
	regions: SomRegion[];
	meta: SomMeta;
	structured_data?: SomStructuredData;
}

export interface SomMeta {
	html_bytes: number;
	/** UTF-8 length of the compact document, this number included. */
	som_bytes: number;
	element_count: number;
	interactive_count: number;
}

export interface SomStructuredData {
	json_ld?: Record<string, unknown>[];
	open_graph?: Record<string, string>;
	twitter_card?: Record<string, string>;
	meta?: Record<string, string>;
	links?: SomLinkElement[];
}

export interface SomLinkElement {
	rel: string;
	href: string;
	type?: string;
	hreflang?: string;
}

export type RegionRole = (typeof regionRoles)[number];

export interface SomRegion {
	id: string;
	role: RegionRole;
	label?: string;
	action?: string;
	method?: string;
	target?: string;
	enctype?: string;
	novalidate?: boolean;
	accept_charset?: string;
	autocomplete?: string;
	elements: SomElement[];
}

export type ElementRole = (typeof elementRoles)[number];

export type Action = 'click' | 'type' | 'clear' | 'select' | 'toggle';

export interface SomElement {
	id: string;
	role: ElementRole;
	html_id?: string;
	text?: string;
	label?: string;
	actions?: Action[];
	attrs?: SomAttributes;
	hints?: string[];
	shadow?: { mode: 'open' | 'closed'; elements: SomElement[] };
}

/** Role-specific attributes (§4.3): the commonest by name, the rest as they are in the source. */
export interface SomAttributes {
	href?: string;
	level?: number;
	alt?: string;
	src?: string;
	ordered?: boolean;
	items?: { text: string }[];
	headers?: string[];
	rows?: string[][];
	options?: SomOption[];
	aria?: Record<string, boolean | string>;
	[name: string]: unknown;
}

export interface SomOption {
	value: string;
	text: string;
	selected?: true;
	disabled?: true;
	group?: string;
}

/** How much of the page a document covers (SOM directives, `SOM-Scope`). */
export type SomScope = 'full-page' | 'main-content' | 'article-body';

/** Limits per region (§8.1). */
export interface SomBudget {
	/** Characters of any text. */
	textMax: number;
	firstParagraphMax: number;
	laterParagraphMax: number;
	maxParagraphs: number;
	maxListItems: number;
	maxLinks: number;
	maxNavigationLinks: number;
	maxElements: number;
	maxCellChars: number;
	maxTableRows: number;
	maxTableColumns: number;
}
