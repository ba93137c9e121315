import { ServiceError } from '../problems/problem.ts';

const hour = 60 * 60 * 1000;
/** Reports and answers of one address in an hour. */
const maxOfOne = 20;
/** Of all together: what comes without a key may not fill the disk. */
const maxOfAll = 1000;

/** How much those without a key have sent in this hour. */
export class Senders {
	readonly #now: () => number;
	readonly #sent = new Map<string, number>();
	#hour = 0;
	#all = 0;

	constructor(now: () => number) {
		this.#now = now;
	}

	/** @throws ServiceError `rate-exceeded` */
	take(address: string): void {
		const now = this.#now();
		const current = Math.floor(now / hour);
		if (current !== this.#hour) {
			this.#sent.clear();
			this.#all = 0;
			this.#hour = current;
		}
		const sent = this.#sent.get(address) ?? 0;
		if (sent >= maxOfOne || this.#all >= maxOfAll) {
			const rest = Math.ceil(((current + 1) * hour - now) / 1000);
			throw new ServiceError('rate-exceeded', { detail: 'too many reports in the last hour', retry_after: rest });
		}
		this.#sent.set(address, sent + 1);
		this.#all++;
	}
}
