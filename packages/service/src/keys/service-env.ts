import type { Caller } from './caller.ts';

/** Values that middleware adds to a request. */
export interface ServiceEnv {
	Variables: { caller: Caller };
}
