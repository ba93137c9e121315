import type { KeptReverseAnswer } from '@wayleave/io/dns';
import type { RangeAnswer } from '@wayleave/io/ranges';
import type { RequestVerdict } from '@wayleave/io/signatures';
import type { Sender } from './client-address.ts';
import type { IdentityReason } from './reasons.ts';

/** One request, as far as it says who sends it. */
export interface RequestFacts extends Sender {
	readonly method: string;
	/** The request target as it stood on the wire: `/path?query`, or a whole URL. */
	readonly target: string;
}

/** One thing that was looked at, with what it said: evidence, to be stored as it is. */
export type Check =
	| ({ readonly method: 'ranges'; readonly list: string } & RangeAnswer)
	| ({ readonly method: 'reverse-dns' } & (KeptReverseAnswer | { readonly outcome: 'pending' }))
	| ({ readonly method: 'signature' } & (SignatureSaid | { readonly outcome: 'pending' }))
	| { readonly method: 'token'; readonly token: string; readonly note: 'signal-only' };

type SignatureSaid = Exclude<RequestVerdict, { outcome: 'absent' }> & {
	/** Whether the signer is the operator of the agent that is claimed. */
	readonly related?: boolean;
};

/** The claim, and the result of each check. */
export interface IdentityEvidence {
	/** The result of the checks: a row of `docs/explanation/identify.md`. */
	readonly reason: IdentityReason;
	/** As received; long values are cut. */
	readonly claimed: {
		readonly userAgent?: string;
		readonly agentIdentity?: string;
		readonly signatureAgent?: string;
	};
	/** `connection`, or the header of a trusted proxy that named the address. */
	readonly addressFrom: string;
	readonly checks: readonly Check[];
}
