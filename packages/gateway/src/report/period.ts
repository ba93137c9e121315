/** A period of the ledger. Milliseconds since 1970; `until` is not included. */
export interface Period {
	readonly since: number;
	readonly until: number;
}
