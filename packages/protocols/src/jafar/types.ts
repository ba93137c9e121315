import type { Cidr } from './cidr.ts';

/** One range of a list, with what the publisher says about it. */
export interface RangePrefix {
	readonly range: Cidr;
	/** Case-sensitive names of the services that use it, in the order of the file; often none. */
	readonly services: readonly string[];
	/** A remark for people; the draft defines it for the whole list only. */
	readonly notes?: string;
}

/** A publisher's list of address ranges. */
export interface RangeList {
	/** `legacy` for files from before the drafts: neither `formatVersion` nor a `creationTime` in UTC. */
	readonly format: 'jafar' | 'legacy';
	readonly formatVersion?: string;
	/** The publisher's token or, where the file has none, a hash of the prefixes: a hint only. */
	readonly synctoken: string;
	/** When the list was generated, `YYYY-MM-DDThh:mm:ssZ`. */
	readonly creationTime?: string;
	readonly notes?: string;
	/** In the order of the file. */
	readonly prefixes: readonly RangePrefix[];
}

/** A match in one list: the most specific range that contains the address (JAFAR §3.3). */
export interface RangeMatch {
	/** The position of the list among those that were compiled. */
	readonly list: number;
	/** The range in canonical text. */
	readonly prefix: string;
	/** Of all entries with this range, in file order; never inherited from a wider range. */
	readonly services: readonly string[];
}
