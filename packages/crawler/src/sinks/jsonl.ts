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
		open: (position, refresh = false) => lines.open(Number(position ?? 0), refresh),
		write: (results) => lines.append(Buffer.from(results.map((result) => formatLine(result, options)).join(''))),
		complete: () => lines.complete(),
		close: () => lines.close(),
		abandon: () => lines.abandon(),
	};
}
