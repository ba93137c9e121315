import type { RunMode } from '../../model/events.ts';
import type { Ending, Outcome, Reason } from '../../model/outcome.ts';
import type { Validators } from '../../response/validators.ts';

/** Pages and sitemaps wait in one queue; an address can be both. */
export type UrlKind = 'page' | 'sitemap';

/** A URL that was found. With an ending it is only recorded, without one it waits for a visit. */
export interface NewUrl {
	readonly url: string;
	readonly kind: UrlKind;
	/** Host name; the URLs of one host are visited together. */
	readonly host: string;
	readonly depth: number;
	readonly dates: number;
	readonly seed?: boolean;
	readonly ending?: Ending;
}

export interface FrontierUrl {
	readonly id: number;
	readonly url: string;
	readonly kind: UrlKind;
	readonly depth: number;
	/** Pages with nothing but a date in their address on the way here. */
	readonly dates: number;
	readonly attempts: number;
	readonly seed: boolean;
	readonly foundOn?: string;
	/** Whether the site lists it: a sitemap, a feed or llms.txt led here. */
	readonly listed?: boolean;
	/** From an earlier visit. */
	readonly last?: LastSeen;
	/** The route (`#/tides`) for which the page is requested. */
	readonly route?: string;
}

export interface KnownUrl {
	readonly id: number;
	readonly url: string;
	/** Undefined while it waits for a visit. */
	readonly outcome?: Outcome;
	/** Where it waits for another try: not before this moment; milliseconds since 1970. */
	readonly due?: number;
	readonly reason?: Reason;
	readonly redirectedTo?: string;
	readonly last?: LastSeen;
}

/** A URL that was found and not to be visited. */
export interface OutOfScope {
	readonly url: string;
	readonly depth: number;
	/** Date pages on the way to it, itself included. */
	readonly dates: number;
}

/** Which of the URLs that wait are ended. */
export interface EndWhere {
	readonly host: number;
	/** Only what belongs to it. */
	readonly origin?: string;
	/** URLs that are left, by number. */
	readonly except: readonly number[];
}

/** How many URLs were ended in one step, and how many of them are pages. */
export interface Ended {
	readonly urls: number;
	readonly pages: number;
}

export interface RunRequest {
	readonly seeds: readonly NewUrl[];
	/** What decides which URLs are in scope; when it differs from the last run, the others are looked at again. */
	readonly scope: string;
	/** Visit all known pages again although an earlier run stopped at a limit. */
	readonly refresh: boolean;
	readonly at: number;
	/** Milliseconds from the beginning of a run to that of the next one, whoever of the workers begins them. */
	readonly every?: number;
	/** Sinks that a refresh does not begin anew, by name. */
	readonly lasting?: readonly string[];
	/** Judges anew a URL that was out of scope; undefined when it still is. */
	readonly reconsider: (url: OutOfScope) => { host: string } | undefined;
}

export interface RunState {
	readonly run: number;
	readonly mode: RunMode;
	/** Options that decided the scope of the run before; undefined in a new store. */
	readonly scopeBefore?: string;
	readonly pending: number;
	readonly known: number;
	/** Documents that this run has brought so far. */
	readonly documents: number;
	/** URLs whose places redirected seeds have brought into scope. */
	readonly widened: readonly string[];
	/** Others that work on this run already. */
	readonly workers: number;
	/** By name: how far each sink had come when the last commit happened. */
	readonly positions: ReadonlyMap<string, string>;
}

export interface LastSeen extends Validators {
	/** Whether its document is there: of a page that nobody may keep only the validators are (AMB-10). */
	readonly kept: boolean;
}
