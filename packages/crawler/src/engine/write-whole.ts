import { CrawlError } from '../base/errors.ts';
import type { Sink } from '../sinks/types.ts';
import { writeToSinks } from '../sinks/write-to-sinks.ts';
import type { Pages } from '../store/roles/pages.ts';

/**
 * Gives a sink everything that the store holds.
 *
 * @throws CrawlError `sink-failed`, with how to have it without a crawl
 */
export async function writeWhole(sink: Sink, pages: Pick<Pages, 'results'>): Promise<void> {
	try {
		await writeToSinks([sink], async (write) => {
			for await (const results of pages.results({ outcomes: true })) await write(results);
		});
	} catch (error) {
		if (!(error instanceof CrawlError && error.code === 'sink-failed')) throw error;
		const rest =
			'the crawl itself is complete: wayleave store export --out FILE writes the file from the store, without any request';
		throw new CrawlError('sink-failed', `${error.message}; ${rest}`, { cause: error });
	}
}
