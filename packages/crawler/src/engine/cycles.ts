import { systemClock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { rfc3339 } from '../base/time.ts';
import type { Summary } from '../model/events.ts';
import type { Store } from '../store/roles/store.ts';
import { Meter } from './meter.ts';
import { storeOf } from './open-run.ts';
import { Run, type RunParts } from './run.ts';
import { summarise } from './summary.ts';

/**
 * One run after the other: each begins `every` milliseconds after the one before began, or at once when that took longer.
 * When a cycle began is in the store, so that a crawl which is started again waits for its turn like one that never ended,
 * and that of several workers with one store no two begin the same cycle.
 *
 * @returns the table of the last cycle, once `signal` is aborted
 */
export async function runCycles(
	parts: RunParts,
	every: number,
	signal: AbortSignal,
	onStart: (run: Run) => void,
): Promise<Summary> {
	const { options, emit } = parts;
	const clock = options.clock ?? systemClock;
	const store = await storeOf(parts);
	let refresh = options.refresh === true;
	let summary: Summary | undefined;
	try {
		for (;;) {
			const next = refresh ? 0 : await nextCycle(store, every);
			if (next > clock.now() && !signal.aborted) {
				await store.frontier.setNextRun(next);
				emit({ type: 'cycle', next: rfc3339(next) });
			}
			while (next > clock.now() && !signal.aborted) await clock.sleep(next - clock.now(), signal);
			if (signal.aborted) return summary ?? (await summariseStored(store, clock.now()));
			try {
				summary = await Run.execute({ ...parts, options: { ...options, store, refresh } }, onStart);
			} catch (error) {
				if (!(error instanceof CrawlError && error.code === 'cycle-over')) throw error;
				continue;
			}
			refresh = false;
			if (!summary.complete) return summary;
		}
	} finally {
		if (typeof options.store !== 'object') await store.close();
	}
}

/** A run that was interrupted goes on at once. */
async function nextCycle(store: Store, every: number): Promise<number> {
	const last = await store.frontier.lastRun();
	return last?.complete ? last.startedAt + every : 0;
}

/** Nothing was done; this is what is known. */
async function summariseStored(store: Store, now: number): Promise<Summary> {
	return summarise(await store.frontier.tally(), { mode: 'resume', complete: true, meter: new Meter(now), now });
}
