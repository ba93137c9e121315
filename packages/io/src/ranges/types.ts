import type { RangesProblem } from '@wayleave/protocols/jafar';
import type { Fetcher } from '../http/types.ts';
import type { RangeListStore, StoredRangeList } from './store.ts';

export interface RangeListsOptions {
	readonly fetcher: Pick<Fetcher, 'get'>;
	/** Keeps lists over restarts. Default: none. */
	readonly store?: RangeListStore;
	/** Told when a poll brings no usable list, and the one before did or met something else. */
	readonly onFault?: (status: RangeListStatus) => void;
	/** Between two regular polls of a list, milliseconds; an hour at least. Default a day (JAFAR §3.1). */
	readonly interval?: number;
	/** Lists that may hold more than a /8 of IPv4 or a /19 of IPv6, by their URLs. Default: none. */
	readonly allowBroad?: readonly string[];
	/** Bytes of one list. Default 4 MiB. */
	readonly maxBytes?: number;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
}

/** Result of a look-up in a list. */
export interface RangeAnswer {
	/** `empty`: the publisher declares no ranges; `unavailable`: no list was ever understood. Both say nothing. */
	readonly result: 'listed' | 'not-listed' | 'empty' | 'unavailable';
	/** The most specific range that holds the address. */
	readonly prefix?: string;
	readonly services?: readonly string[];
	/** The publisher has not confirmed the list for so long that a miss may be our fault. */
	readonly stale: boolean;
	readonly confirmedAt?: number;
}

/** How a list is doing. Times are milliseconds since 1970. */
export interface RangeListStatus
	extends Pick<StoredRangeList, 'url' | 'confirmedAt' | 'earliest' | 'failures' | 'fault'> {
	/** How many ranges the list in use has; undefined without a list. */
	readonly ranges?: number;
	readonly stale: boolean;
	/** Of the last list that was read, also of one that was refused. */
	readonly problems: readonly RangesProblem[];
}
