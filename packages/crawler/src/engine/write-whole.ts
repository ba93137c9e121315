import type { Sink } from '../sinks/types.ts';
import type { Store } from '../store/types.ts';
import { sinkWork } from './committer.ts';

/** Gives a sink everything that the store holds. Where that fails half-way, the sink is not closed: it is not whole. */
export function writeWhole(sink: Sink, store: Pick<Store, 'results'>): Promise<void> {
	return sinkWork(sink, async () => {
		await sink.open(undefined);
		for await (const results of store.results({ outcomes: true })) await sink.write(results);
		await sink.close();
	});
}
