import type { Sink } from '../sinks/types.ts';
import { writeToSinks } from '../sinks/write-to-sinks.ts';
import type { Store } from '../store/types.ts';

/** Gives a sink everything that the store holds. */
export function writeWhole(sink: Sink, store: Pick<Store, 'results'>): Promise<void> {
	return writeToSinks([sink], async (write) => {
		for await (const results of store.results({ outcomes: true })) await write(results);
	});
}
