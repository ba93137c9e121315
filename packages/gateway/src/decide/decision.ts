import type { Verdict } from '@wayleave/protocols/policy';
import type { SomFormat } from '@wayleave/protocols/som';
import type { Excuse } from '../honeypot/honeypot.ts';
import type { ClientState } from '../request/client-memory.ts';
import type { Identity } from '../request/identity.ts';
import type { Purpose } from '../request/purpose.ts';
import type { Target, TargetFault } from '../request/target.ts';
import type { Visit } from '../request/visit.ts';

/** The decision about a request. */
export type Decision =
	/** It goes to the site. */
	| { readonly action: 'pass' }
	/** It cannot be judged, so it goes nowhere. */
	| { readonly action: 'refuse'; readonly fault: TargetFault | 'terms-unknown' | 'store-unreachable' }
	/** One of the files that are never denied. */
	| { readonly action: 'file'; readonly path: string }
	| { readonly action: 'ask' }
	| { readonly action: 'som' }
	| { readonly action: 'honeypot'; readonly excuse: Excuse | undefined }
	/** The page at this address in another form, or, with `of`, the page at that path unless the site has such a file. */
	| { readonly action: 'represent'; readonly format: SomFormat; readonly of?: string }
	| { readonly action: 'deny'; readonly reason: 'not-permitted' | 'ask-first'; readonly verdict: Verdict }
	| { readonly action: 'deny'; readonly reason: 'spoofed' }
	/**
	 * `wait` in milliseconds. `refused`: it would have been refused, as too often within the last minute; of these only
	 * the `first` in a minute from an address is recorded.
	 */
	| { readonly action: 'limit'; readonly wait: number; readonly refused?: 'first' | 'again' };

/** The path and query of a request as it wrote them. */
export const rawTarget = ({ target, visit }: DecidedRequest): string => target?.raw ?? visit.target;

/** A request with everything that was found out about it. */
export interface DecidedRequest {
	readonly visit: Visit;
	/** When it came; milliseconds since 1970. */
	readonly at: number;
	readonly target: Target | undefined;
	readonly identity: Identity;
	readonly purpose: Purpose;
	readonly known: ClientState;
	readonly decision: Decision;
	/** With --observe, the decision that would have been taken. */
	readonly would?: Decision | undefined;
	/** The denial was by a rule that the client could not know yet. */
	readonly excuse?: 'policy-changed' | undefined;
	/** It came before the pause was over that the policy asks for. */
	readonly early?: boolean;
}
