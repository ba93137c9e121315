import { CrawlError } from '../errors.ts';
import type { CrawlEvent, Stats, Summary } from '../events.ts';
import type { CrawlOptions } from '../options.ts';
import type { Result } from '../result.ts';

type EventOf<Type extends CrawlEvent['type']> = Extract<CrawlEvent, { type: Type }>;

/**
 * A crawl. It begins when it is iterated over or when `run` is called, and goes only as fast as its results are taken.
 */
export interface Crawl extends AsyncIterable<Result> {
	/** Runs to the end without handing out the results: for whoever has sinks. */
	run(): Promise<Summary>;
	/** What happens, as it happens. Returns a function that stops listening. */
	on<Type extends CrawlEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void;
	on(type: '*', listener: (event: CrawlEvent) => void): () => void;
	stats(): Stats;
	/** Settles when the crawl has ended: with the table of outcomes, or with a `CrawlError`. */
	readonly summary: Promise<Summary>;
}

/**
 * Crawls from the seeds, politely, and yields each URL once it has ended and is stored.
 *
 * `signal` ends it gracefully: what is in flight is finished and saved, and the same call with the same store goes on
 * from there. When there is nothing to go on with, it looks at every known page again and says what has changed.
 *
 * ```ts
 * for await (const { url, outcome, document } of crawl(['https://docs.example.com/'], { store: 'sqlite:docs.db' }))
 *   console.log(outcome, url, document?.identity.title);
 * ```
 *
 * @throws CrawlError when an option is wrong, or later when the store or a sink fails.
 */
export function crawl(seeds: readonly string[], options: CrawlOptions = {}): Crawl {
	throw new CrawlError('bad-option', `not yet: ${seeds.length} ${Object.keys(options).length}`);
}
