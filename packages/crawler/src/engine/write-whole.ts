import { CrawlError } from '../errors.ts';
import type { Sink } from '../sinks/types.ts';
import type { Store } from '../store/types.ts';

/** Gives a sink everything that the store holds. Where that fails half-way, the sink is not closed: it is not whole. */
export async function writeWhole(sink: Sink, store: Pick<Store, 'results'>): Promise<void> {
	try {
		await sink.open(undefined);
		for await (const results of store.results({ outcomes: true })) await sink.write(results);
		await sink.close();
	} catch (error) {
		throw new CrawlError('sink-failed', `${sink.name}: ${(error as Error).message}`, { cause: error });
	}
}
