/** Most steps between two looks. */
export const maxSteps = 8;

/**
 * How often a worker looks for hosts: twice as many steps after each look in vain, up to `maxSteps`, and one step after it
 * found a host. Half of the steps are left to chance, so that workers that became idle together do not look together.
 */
export class LookPace {
	#steps = 1;
	readonly #random: () => number;

	/** @param random from 0 to below 1 */
	constructor(random: () => number = Math.random) {
		this.#random = random;
	}

	/** Steps until the next look. */
	next(inVain: boolean): number {
		if (!inVain) {
			this.#steps = 1;
			return 1;
		}
		const steps = this.#steps;
		this.#steps = Math.min(maxSteps, steps * 2);
		return steps - Math.floor((this.#random() * steps) / 2);
	}
}
