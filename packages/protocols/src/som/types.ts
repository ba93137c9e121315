import type { SomAuth, SomFormat, SomScope } from './values.ts';

/** Where a directive can stand, the highest first (SOM directives §5.4). */
export const somLayers = ['link', 'meta', 'schema-org', 'robots'] as const;
export type SomLayer = (typeof somLayers)[number];

/** A value as one layer states it. */
export interface Stated<Value> {
	readonly value: Value;
	/** As written. */
	readonly written: string;
	/** Counts from 1; 0 where a layer has no lines. */
	readonly line: number;
	readonly column: number;
}

/** The target: an endpoint gets the page as a parameter, a representation is requested by its own URL. */
export interface SomTarget {
	readonly kind: 'endpoint' | 'representation';
	/** Absolute, http or https, without fragment. */
	readonly url: string;
}

/** The values of one layer. */
export interface SomDeclaration {
	readonly target?: Stated<SomTarget>;
	/** `undefined` as a value: a format is stated that we do not know. */
	readonly format?: Stated<SomFormat | undefined>;
	readonly scope?: Stated<SomScope>;
	/** Seconds. */
	readonly freshness?: Stated<number>;
	/** Tokens of cl100k_base. */
	readonly tokenBudget?: Stated<number>;
	/** `undefined` as a value: some authentication that we do not know. */
	readonly auth?: Stated<SomAuth | undefined>;
	/** Tokens of this very page, as Schema.org markup tells. */
	readonly tokenCount?: Stated<number>;
}

export type SomDeclarations = Partial<Record<SomLayer, SomDeclaration>>;

/** A record of robots.txt: what the robots parser keeps of a line. */
export interface SomRecord {
	readonly key: string;
	readonly value: string;
	readonly line: number;
	readonly column: number;
}

/** A `<meta name content>` element, already extracted. */
export interface SomMetaTag {
	readonly name: string;
	readonly content: string;
	readonly line?: number;
}
