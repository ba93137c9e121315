import type { FetchFailure } from '../../http/types.ts';
import type { Exchange } from './exchange.ts';

/** How a host misbehaves, and what ought to come of it. */
export interface Behaviour {
	/** What it does, in words. */
	readonly does: string;
	/** The path that does it. Every other page of the host is ordinary. */
	readonly path: string;
	/** The result of one fetch within ordinary limits: the status, the failure, or the failures of which one must come. */
	readonly fetch: number | FetchFailure | readonly FetchFailure[];
	/** Of an endless space: the reason with which a crawl cuts it off. */
	readonly trap?: string;
	/**
	 * How a crawl from `/` ends a path, with hosts that may be reached, ordinary limits and all the patience that is
	 * asked for: the outcome, and the reason (or one of the reasons) if it has one.
	 */
	readonly crawl: { readonly path: string; readonly outcome: string; readonly reason?: string | readonly string[] };
	/** Answers the path; where there is none, nobody listens or the name is special. */
	readonly serve?: (exchange: Exchange) => void | Promise<void>;
	/** Answers other paths too; returns false for those that are ordinary. */
	readonly also?: (exchange: Exchange) => boolean;
	/** What the host name resolves to instead of an address of its own: other addresses, or an error code. */
	readonly resolvesTo?: readonly string[] | 'ENOTFOUND' | 'ESERVFAIL';
}

/** Host name to behaviour. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** A path that a crawl fetches like any other. */
export function fetched(path: string) {
	return { path, outcome: 'fetched' } as const;
}

/** A path that a crawl ends as failed. */
export function failed(path: string, reason: string | readonly string[]) {
	return { path, outcome: 'failed', reason } as const;
}
