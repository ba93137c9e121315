export interface ResolvedAddress {
	readonly address: string;
	readonly family: 4 | 6;
}

/** Host name to addresses, in the order in which to try them. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;
