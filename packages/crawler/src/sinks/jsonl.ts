import { ByteBuffer } from '../base/byte-buffer.ts';
import { CommittedFile } from './committed-file.ts';
import { type LineOptions, writeLine } from './line.ts';
import type { Sink } from './types.ts';

/**
 * One JSON object per line. The length of the file is committed with the pages, and what a crash has left behind it is
 * cut off: every page is in the file exactly once. A refresh writes beside it (`FILE.part`) and takes its place at the
 * end, so that readers of the file always find a whole state of the site.
 */
export function jsonlSink(file: string, options: LineOptions = {}): Sink {
	const text = new ByteBuffer();
	const lines = new CommittedFile(file, { lines: true });
	return {
		name: `jsonl ${lines.path}`,
		persistent: true,
		overwrites: true,
		holds: () => lines.holds(),
		async open(position, refresh = false) {
			const end = Number(position ?? 0);
			// A part next to the file is continued, even if the resumed run is not a refresh.
			await lines.open(end, refresh || end > 0);
		},
		write(results) {
			text.clear();
			for (const result of results) writeLine(text, result, options);
			return lines.append(text.value);
		},
		complete: () => lines.complete(),
		close: () => lines.close(),
		abandon: () => lines.abandon(),
	};
}
