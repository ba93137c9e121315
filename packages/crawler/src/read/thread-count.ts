import { CrawlError } from '../base/errors.ts';

/**
 * The number of threads that read pages, if no option sets it: `WAYLEAVE_THREADS` of the environment, else `usual`. A
 * container sees the processors of its host, and may have fewer.
 *
 * @throws CrawlError `bad-option`
 */
export function threadsOr(usual: number): number {
	if (!isThreadsSet()) return usual;
	const { WAYLEAVE_THREADS: wanted = '' } = process.env;
	if (!/^\d{1,3}$/.test(wanted))
		throw new CrawlError('bad-option', `WAYLEAVE_THREADS must be a number of threads (0 for none), not ${wanted}`);
	return Number(wanted);
}

export const isThreadsSet = (): boolean => (process.env.WAYLEAVE_THREADS ?? '') !== '';

/** The most threads that read pages, if nothing sets a number; so many start only where they bring more pages. */
export function usualThreads(processors: number): number {
	// One processor is for the crawl itself. On two or three, a second thread has only taken what the first one needed.
	return processors < 4 ? 1 : Math.min(processors - 1, 8);
}
