import type { FetchSuccess } from '@wayleave/io';
import type { Evidence } from '@wayleave/protocols';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { Permitted } from '../policy/policy-checker.ts';
import type { Validators } from '../response/validators.ts';

/** The end of a chain of redirects. */
export type RedirectResult = RedirectArrived | RedirectRepresented | RedirectStopped;

export interface RedirectArrived {
	readonly arrived: true;
	/** After redirects. */
	readonly url: string;
	readonly answer: FetchSuccess;
	readonly permit: Permitted;
	/** Why a representation that is offered was not used. */
	readonly unusable?: string;
	/** What was sent along to learn whether the page has changed. */
	readonly last: Validators | undefined;
	readonly claims: readonly string[];
	/** Where a redirected seed has brought the scope. */
	readonly widened: readonly string[];
	/** URLs of the chain whose stored copies the site no longer allows. */
	readonly withdrawn: readonly string[];
	/** How the address stands that led here once, and was not asked. */
	readonly standing?: Ending;
}

/** The page was read without going to it, by a representation. */
export interface RedirectRepresented {
	readonly arrived: 'represented';
	/** Of the page, after redirects. */
	readonly url: string;
	readonly learned: ProcessedResponse;
	/** How the address stands that led here once, and was not asked. */
	readonly standing?: Ending;
	readonly status?: number;
	readonly bytes?: number;
	readonly claims: readonly string[];
	readonly widened: readonly string[];
	readonly withdrawn: readonly string[];
}

export interface RedirectStopped {
	readonly arrived: false;
	readonly ending: Ending;
	readonly url: string;
	readonly evidence?: readonly Evidence[];
	readonly status?: number;
	/** The page has moved to a URL that is visited for itself. */
	readonly leadsTo?: string;
	/** The origin for all of which this holds. */
	readonly everywhere?: string;
	readonly claims: readonly string[];
	readonly widened: readonly string[];
	readonly withdrawn: readonly string[];
}
