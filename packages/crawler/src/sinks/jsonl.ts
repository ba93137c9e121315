import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { CrawlError } from '../errors.ts';
import { formatLine, type LineOptions } from './line.ts';
import type { Sink } from './types.ts';

/**
 * One JSON object per line. The length of the file is committed with the pages, and what a crash has left behind it is
 * cut off: every page is in the file exactly once.
 */
export function jsonlSink(file: string, options: LineOptions = {}): Sink {
	const path = resolve(file);
	let handle: FileHandle;
	let end = 0;
	return {
		name: `jsonl ${path}`,
		persistent: true,
		async open(position) {
			await mkdir(dirname(path), { recursive: true });
			// Not "append": Linux then ignores the position of a write.
			handle = await open(path, 'r+').catch(() => open(path, 'w+'));
			end = Number(position ?? 0);
			const { size } = await handle.stat();
			if (size < end) {
				await handle.close();
				throw new CrawlError(
					'sink-failed',
					`${file} has lost what was written before (${size} of ${end} bytes are there): refresh (--refresh) to write it anew`,
				);
			}
			await handle.truncate(end);
		},
		async write(results) {
			const lines = Buffer.from(results.map((result) => formatLine(result, options)).join(''));
			for (let at = 0; at < lines.length; ) {
				const { bytesWritten } = await handle.write(lines, at, lines.length - at, end + at);
				at += bytesWritten;
			}
			end += lines.length;
			return String(end);
		},
		async close() {
			await handle.close();
		},
	};
}
