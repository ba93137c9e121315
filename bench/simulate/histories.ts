import type { History } from '../../packages/crawler/src/model/revisit.ts';

/** The histories of all pages in arrays: 40 bytes for a page instead of some 150. */
export class Histories {
	/** -1: none. */
	readonly #visits: Float32Array;
	readonly #changes: Float32Array;
	/** Milliseconds, and milliseconds since 1970. */
	readonly #span: Float64Array;
	readonly #checkedAt: Float64Array;
	readonly #changedAt: Float64Array;
	readonly #nextAt: Float64Array;

	constructor(pages: number) {
		this.#visits = new Float32Array(pages).fill(-1);
		this.#changes = new Float32Array(pages);
		this.#span = new Float64Array(pages);
		this.#checkedAt = new Float64Array(pages);
		this.#changedAt = new Float64Array(pages);
		this.#nextAt = new Float64Array(pages);
	}

	get(page: number): History | undefined {
		const visits = this.#visits[page] ?? -1;
		if (visits < 0) return undefined;
		const changedAt = this.#changedAt[page] ?? 0;
		return {
			...{ visits, changes: this.#changes[page] ?? 0, span: this.#span[page] ?? 0 },
			...{ checkedAt: this.#checkedAt[page] ?? 0, nextAt: this.#nextAt[page] ?? 0 },
			...(changedAt > 0 && { changedAt }),
		};
	}

	set(page: number, { visits, changes, span, checkedAt, changedAt = 0, nextAt }: History): void {
		this.#visits[page] = visits;
		this.#changes[page] = changes;
		this.#span[page] = span;
		this.#checkedAt[page] = checkedAt;
		this.#changedAt[page] = changedAt;
		this.#nextAt[page] = nextAt;
	}
}
