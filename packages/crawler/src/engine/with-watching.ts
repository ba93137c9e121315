import { systemClock } from '../base/clock.ts';
import { Watching } from '../watch/watching.ts';
import { openNoticeFetcher } from './fetcher-options.ts';
import { storeOf } from './open-run.ts';
import type { RunParts } from './run.ts';

/** Watches pages during the runs of a crawl, if its options say so; the runs then share one open store. */
export async function withWatching<Value>(
	parts: RunParts,
	signal: AbortSignal,
	work: (parts: RunParts) => Promise<Value>,
): Promise<Value> {
	const { settings, options, emit } = parts;
	if (settings.watch === undefined) return work(parts);
	const store = await storeOf(parts);
	try {
		const { clock = systemClock } = options;
		const fetcher = openNoticeFetcher(options, settings);
		const watching = await Watching.open({ store, settings: settings.watch, fetcher, clock, emit });
		let isDone = false;
		try {
			const value = await work({ ...parts, options: { ...options, store }, watching });
			isDone = true;
			return value;
		} finally {
			await watching.close(signal.aborted || !isDone);
		}
	} finally {
		if (typeof options.store !== 'object') await store.close();
	}
}
