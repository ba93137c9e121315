import { formatLine, type LineOptions } from './line.ts';
import type { Sink } from './types.ts';

/** The part of a Node stream that `streamSink` needs. */
export interface LineStream {
	write(text: string, done: (error?: Error | null) => void): unknown;
}

/**
 * Lines to a stream, such as stdout. What was handed out cannot be taken back: after a crash the last few lines come
 * again (at least once). Nothing is kept, so pages that must not be stored are written too.
 */
export function streamSink(stream: LineStream, options: LineOptions = {}): Sink {
	return {
		name: 'stream',
		persistent: false,
		async open() {},
		async write(results) {
			const lines = results.map((result) => formatLine(result, options)).join('');
			if (lines === '') return undefined;
			// The callback comes when the stream has taken the lines: a slow reader slows the crawl.
			await new Promise<void>((resolve, reject) => {
				stream.write(lines, (error) => (error ? reject(error) : resolve()));
			});
			return undefined;
		},
		async close() {},
	};
}
