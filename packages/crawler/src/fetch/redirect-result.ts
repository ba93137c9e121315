import type { FetchSuccess } from '@wayleave/io/http';
import type { Evidence } from '@wayleave/protocols';
import type { ProcessedResponse } from '../documents/processed-response.ts';
import type { Ending } from '../model/outcome.ts';
import type { Permitted } from '../policy/policy-checker.ts';
import type { Validators } from '../response/validators.ts';

/** The end of a chain of redirects. */
export type RedirectResult = RedirectArrived | RedirectRepresented | RedirectStopped;

interface Chain {
	/** After redirects. */
	readonly url: string;
	readonly claims: readonly string[];
	/** Scope expansions by a redirected seed. */
	readonly scopeExpansions: readonly string[];
	/** URLs of the chain whose stored copies the site no longer allows. */
	readonly revokedUrls: readonly string[];
	/** Whether all of its redirects were permanent (301, 308); undefined without any. */
	readonly permanent?: boolean;
}

export interface RedirectArrived extends Chain {
	readonly arrived: true;
	readonly response: FetchSuccess;
	readonly permit: Permitted;
	/** Why a representation that is offered was not used. */
	readonly unusable?: string;
	/** Validators sent to find out whether the page changed. */
	readonly last: Validators | undefined;
	/** How the address stands that led here once, and was not asked. */
	readonly priorEnding?: Ending;
}

/** The page was read without going to it, by a representation. */
export interface RedirectRepresented extends Chain {
	readonly arrived: 'represented';
	readonly processed: ProcessedResponse;
	/** How the address stands that led here once, and was not asked. */
	readonly priorEnding?: Ending;
	readonly status?: number;
	readonly bytes?: number;
}

export interface RedirectStopped extends Chain {
	readonly arrived: false;
	readonly ending: Ending;
	readonly evidence?: readonly Evidence[];
	readonly status?: number;
	/** The page has moved to a URL that is visited for itself. */
	readonly leadsTo?: string;
	/** The origin for all of which this holds. */
	readonly everywhere?: string;
}
