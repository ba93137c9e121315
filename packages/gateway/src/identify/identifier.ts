import type { KnownAgent } from '@wayleave/protocols/identity';
import type { Identity } from '../request/identity.ts';
import type { Visit } from '../request/visit.ts';
import type { Claim } from './claim.ts';

/**
 * Finds out who calls. `now` answers at once where that needs nothing from outside, else gives undefined.
 * The claim of the request is read already: by all names that the site uses.
 */
export interface Identifier {
	/** Agents that it knows beside those of the catalogue: they are looked for. */
	readonly agents?: readonly KnownAgent[];
	now(visit: Visit, claim: Claim): Identity | undefined;
	ask(visit: Visit, claim: Claim): Promise<Identity>;
}
