import { CommittedFile } from './committed-file.ts';
import { formatLine, type LineOptions } from './line.ts';
import type { Sink } from './types.ts';

/**
 * One JSON object per line. The length of the file is committed with the pages, and what a crash has left behind it is
 * cut off: every page is in the file exactly once.
 */
export function jsonlSink(file: string, options: LineOptions = {}): Sink {
	const lines = new CommittedFile(file);
	return {
		name: `jsonl ${lines.path}`,
		persistent: true,
		open: (position) => lines.open(Number(position ?? 0)),
		write: (results) => lines.append(Buffer.from(results.map((result) => formatLine(result, options)).join(''))),
		close: () => lines.close(),
	};
}
