import { CommittedFile } from './committed-file.ts';
import { formatLine, type LineOptions } from './line.ts';
import type { Sink } from './types.ts';

/**
 * One JSON object per line. The length of the file is committed with the pages, and what a crash has left behind it is
 * cut off: every page is in the file exactly once. A refresh writes beside it (`FILE.part`) and takes its place at
 * the end, so that whoever reads the file always finds a whole state of the site.
 */
export function jsonlSink(file: string, options: LineOptions = {}): Sink {
	const lines = new CommittedFile(file, { lines: true });
	return {
		name: `jsonl ${lines.path}`,
		persistent: true,
		overwrites: true,
		holds: () => lines.holds(),
		async open(position, refresh = false) {
			const end = Number(position ?? 0);
			// What was begun beside the file goes on there, though the run that goes on with it is called no refresh.
			await lines.open(end, refresh || end > 0);
		},
		write: (results) => lines.append(Buffer.from(results.map((result) => formatLine(result, options)).join(''))),
		complete: () => lines.complete(),
		close: () => lines.close(),
		abandon: () => lines.abandon(),
	};
}
