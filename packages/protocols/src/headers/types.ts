/**
 * A value of a structured field (RFC 9651 §3.3), with its type: `1` and `1.0` differ on the wire.
 * A `date` counts seconds from 1970 UTC.
 */
export type BareItem =
	| { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
	| { readonly type: 'string' | 'token' | 'display-string'; readonly value: string }
	| { readonly type: 'bytes'; readonly value: Uint8Array }
	| { readonly type: 'boolean'; readonly value: boolean };

/** Parameters in their order; a repeated key keeps its last value (RFC 9651 §3.1.2). */
export type Parameters = ReadonlyMap<string, BareItem>;

export type Item = BareItem & { readonly params: Parameters };

export interface InnerList {
	readonly type: 'inner-list';
	readonly value: readonly Item[];
	readonly params: Parameters;
}

export type Member = Item | InnerList;
export type List = readonly Member[];
export type Dictionary = ReadonlyMap<string, Member>;
