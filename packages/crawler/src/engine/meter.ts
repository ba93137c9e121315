import type { PageExample } from '../model/events.ts';
import { type Outcome, outcomes } from '../model/outcome.ts';

const windowLength = 10_000;

/** Pages of which something is to be told. */
class PageCount {
	pages = 0;
	#first: string | undefined;

	add(url: string): void {
		this.pages++;
		this.#first ??= url;
	}

	merge(other: PageCount): void {
		this.pages += other.pages;
		this.#first ??= other.#first;
	}

	/** Undefined when there are none. */
	get reported(): PageExample | undefined {
		return this.#first === undefined ? undefined : { pages: this.pages, example: this.#first };
	}
}

/** Counts what a run does. */
export class Meter {
	requests = 0;
	/** Requests to which a server has said anything. */
	responses = 0;
	bytes = 0;
	done = 0;
	inFlight = 0;
	/** Pages read without their scripts that have little text. */
	readonly bare = new PageCount();
	/** Pages that were not requested although present options would change their document. */
	readonly outdated = new PageCount();
	/** Pages with links beyond the limit, and the number of links skipped. */
	readonly crowded = new PageCount();
	linksLeft = 0;
	/** Links to routes after `#`, in a crawl without a browser. */
	readonly routes = new PageCount();
	/** URLs that wait; corrected by what commits report. */
	pending = 0;
	readonly startedAt: number;
	readonly outcomes: Record<Outcome, number>;
	/** Ends of the last ten seconds: how many at which moment. */
	readonly #ends: { at: number; count: number }[] = [];

	constructor(now: number) {
		this.startedAt = now;
		this.outcomes = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
	}

	/** A page has ended. */
	count(outcome: Outcome, now: number): void {
		this.countAtOnce(outcome, 1);
		const last = this.#ends.at(-1);
		// Moments closer than this are one: the list stays short at any speed.
		if (last !== undefined && now - last.at < 100) last.count++;
		else this.#ends.push({ at: now, count: 1 });
		this.#forget(now);
	}

	/** Pages that ended without a visit; they do not count for the speed. */
	countAtOnce(outcome: Outcome, pages: number): void {
		this.outcomes[outcome] += pages;
		this.done += pages;
	}

	leaveLinks(url: string, count: number): void {
		this.crowded.add(url);
		this.linksLeft += count;
	}

	pagesPerSecond(now: number): number {
		this.#forget(now);
		const seconds = Math.min(Math.max(now - this.startedAt, 1), windowLength) / 1000;
		return this.#ends.reduce((sum, { count }) => sum + count, 0) / seconds;
	}

	#forget(now: number): void {
		const kept = this.#ends.findIndex(({ at }) => at >= now - windowLength);
		this.#ends.splice(0, kept === -1 ? this.#ends.length : kept);
	}
}

/** The counts of several runs at the same time, for the table at the end. */
export function mergeMeters(meters: readonly Meter[]): Meter {
	const merged = new Meter(Math.min(...meters.map(({ startedAt }) => startedAt)));
	for (const meter of meters) {
		merged.requests += meter.requests;
		merged.responses += meter.responses;
		merged.bytes += meter.bytes;
		merged.linksLeft += meter.linksLeft;
		for (const part of ['bare', 'outdated', 'crowded', 'routes'] as const) merged[part].merge(meter[part]);
	}
	return merged;
}
