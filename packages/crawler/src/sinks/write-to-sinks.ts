import { explainSystemError } from '@wayleave/io/messages';
import { CrawlError } from '../base/errors.ts';
import type { Result } from '../model/result.ts';
import type { Sink } from './types.ts';

/**
 * Gives sinks all of something, from the beginning to the end. Where it cannot be finished, what was there before stays.
 *
 * ```ts
 * await writeToSinks([jsonlSink('pages.jsonl')], async (write) => {
 *   for await (const results of view.results()) await write(results);
 * });
 * ```
 *
 * @throws CrawlError `sink-failed` with the name of the sink
 */
export async function writeToSinks<Value>(
	sinks: readonly Sink[],
	work: (write: (results: readonly Result[]) => Promise<void>) => Promise<Value>,
): Promise<Value> {
	try {
		for (const sink of sinks) await sinkWork(sink, () => sink.open(undefined, true));
		const value = await work(async (results) => {
			for (const sink of sinks) await sinkWork(sink, () => sink.write(results));
		});
		for (const sink of sinks) {
			await sinkWork(sink, async () => sink.complete?.());
			await sinkWork(sink, () => sink.close());
		}
		return value;
	} catch (error) {
		for (const sink of sinks) await (sink.abandon?.() ?? sink.close()).catch(() => {});
		throw error;
	}
}

/** @throws CrawlError `sink-failed` with the name of the sink */
export async function sinkWork<Value>(sink: Sink, work: () => Promise<Value>): Promise<Value> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof CrawlError) throw error;
		throw new CrawlError(
			'sink-failed',
			`${sink.name}: ${explainSystemError(error, 'write') ?? (error as Error).message}`,
			{ cause: error },
		);
	}
}
