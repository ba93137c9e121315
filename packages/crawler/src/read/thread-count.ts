import { CrawlError } from '../base/errors.ts';

/**
 * How many threads read pages where nobody has said so: what the environment wants by `WAYLEAVE_THREADS`, else `usual`.
 * A container sees the processors of its host, and may have fewer.
 *
 * @throws CrawlError `bad-option`
 */
export function threadsOr(usual: number): number {
	const { WAYLEAVE_THREADS: wanted = '' } = process.env;
	if (wanted === '') return usual;
	if (!/^\d{1,3}$/.test(wanted))
		throw new CrawlError('bad-option', `WAYLEAVE_THREADS must be a number of threads (0 for none), not ${wanted}`);
	return Number(wanted);
}
