/** Pages between two decisions. */
const span = 500;
/** Share of them that others waited for: only then the readers are what limits the crawl. */
const mostly = 0.8;
/** Times the pages a second: a further thread takes a hundred MiB, and compiles all of its code again. */
const worthwhile = 1.2;
/** Spans before a thread that brought nothing is tried again: other programs may have ended. */
const rest = 20;

/** How many threads read pages: one more as long as that brings more pages, which depends on what else the machine does. */
export class ReaderCount {
	readonly #most: number;
	readonly #now: () => number;
	#size = 1;
	#since: number;
	#pages = 0;
	#waited = 0;
	/** Spans to let pass; code that has just been loaded is still being compiled. */
	#skip = 1;
	/** Pages a millisecond with a thread less, while the last one is on trial. */
	#before: number | undefined;

	/** @param now milliseconds, of a clock that is never set */
	constructor(most: number, now: () => number) {
		this.#most = most;
		this.#now = now;
		this.#since = now();
	}

	get size(): number {
		return this.#size;
	}

	/** A page has been read. @param waiting whether others waited for it */
	count(waiting: boolean): void {
		this.#pages++;
		if (waiting) this.#waited++;
		if (this.#pages < span) return;
		const now = this.#now();
		const rate = span / Math.max(1, now - this.#since);
		const isLimit = this.#waited >= mostly * span;
		this.#since = now;
		this.#pages = 0;
		this.#waited = 0;
		if (this.#skip > 0) this.#skip--;
		else this.#decide(rate, isLimit);
	}

	#decide(rate: number, isLimit: boolean): void {
		if (this.#before !== undefined) {
			if (rate < this.#before * worthwhile) {
				this.#size--;
				this.#skip = rest;
			}
			this.#before = undefined;
		} else if (isLimit && this.#size < this.#most) {
			this.#before = rate;
			this.#size++;
			this.#skip = 1;
		}
	}
}
