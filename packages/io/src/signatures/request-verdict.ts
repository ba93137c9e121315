/** A request as it was received. */
export interface SignedRequest {
	readonly method: string;
	/** Absolute, with the path and query as they were sent. */
	readonly url: string;
	/** A header by lower-case name, several lines joined with a comma and a space. */
	header(name: string): string | null | undefined;
}

/** Why a signature proves nothing. */
export type SignatureFault =
	| 'malformed'
	| 'missing-parameter'
	| 'uncovered-component'
	| 'unsupported-algorithm'
	| 'not-yet-valid'
	| 'expired'
	| 'too-long'
	| 'foreign-authority'
	| 'unknown-key'
	/** The private half of the key is printed in a standard. */
	| 'test-key'
	| 'wrong-signature'
	| 'replayed';

/**
 * - `absent`: no signature identifies an agent; that is evidence of nothing
 * - `unverifiable`: there is one, but its key could not be fetched
 * - `invalid`: there is one, and it does not hold
 */
export type RequestVerdict =
	| { readonly outcome: 'valid'; readonly agent: string; readonly keyId: string; readonly label: string }
	| { readonly outcome: 'absent' }
	| {
			readonly outcome: 'unverifiable';
			readonly reason: 'no-agent' | 'directory-unavailable';
			readonly detail: string;
			readonly agent?: string;
	  }
	| {
			readonly outcome: 'invalid';
			readonly reason: SignatureFault;
			readonly detail: string;
			readonly agent?: string;
	  };

/** The verdict that a signature does not hold. */
export function invalid(reason: SignatureFault, detail: string, agent?: string) {
	return { outcome: 'invalid', reason, detail, ...(agent !== undefined && { agent }) } as const;
}
