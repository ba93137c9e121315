import { buildRanges, formatRanges, parseRangeLines, type RangePrefix } from '@wayleave/protocols/jafar';
import { entityTag } from '../routes/entity-tag.ts';

const day = 24 * 60 * 60 * 1000;

/** The published list of a crawler's addresses (JAFAR §3.1). */
export interface RangesFile {
	readonly body: string;
	readonly etag: string;
	/** Milliseconds since 1970. */
	readonly createdAt: number;
}

/**
 * The list of the addresses from which requests go out. It is rebuilt each day, if only for its time; the synctoken
 * depends on the ranges alone.
 */
export class IpRanges {
	readonly #prefixes: readonly RangePrefix[];
	readonly #startedAt: number;
	#file: RangesFile | undefined;

	/**
	 * @param egress addresses and `PREFIX/LENGTH`
	 * @throws TypeError naming what is neither
	 */
	constructor(egress: readonly string[], startedAt: number) {
		const { value, problems } = parseRangeLines(egress.join('\n'), 'crawler');
		const [problem] = problems;
		if (problem !== undefined) throw new TypeError(`${egress[problem.line - 1]} is neither an address nor a range`);
		this.#prefixes = value;
		this.#startedAt = startedAt;
	}

	/** Undefined where no addresses are published. */
	at(now: number): RangesFile | undefined {
		if (this.#prefixes.length === 0) return undefined;
		// Every process of the operator that runs since yesterday gives the same bytes.
		const createdAt = Math.max(this.#startedAt, Math.floor(now / day) * day);
		if (this.#file?.createdAt !== createdAt) {
			const body = formatRanges(buildRanges(this.#prefixes, { time: createdAt }));
			this.#file = { body, etag: entityTag(body), createdAt };
		}
		return this.#file;
	}
}
