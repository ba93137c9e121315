import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { ByteBuffer } from '../../base/byte-buffer.ts';
import { CrawlError } from '../../base/errors.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Result } from '../../model/result.ts';
import { type LineOptions, writeLine } from '../line.ts';

/** How results become files: first segments, one for each commit, then files of many segments. */
export interface RollingFormat {
	/** With its dot. */
	readonly extension: string;
	readonly archive: boolean;
	/** Empty if nothing of the results is written. */
	segment(results: readonly Result[], exchanges: readonly Exchange[]): Promise<Uint8Array>;
	/** A file of segments in their order. */
	file(segments: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array>;
}

type Compress = (bytes: Uint8Array) => Promise<Uint8Array>;

const text = new ByteBuffer();

/**
 * One JSON object per line. Segments are whole members or frames, which may stand one after the other in one file (RFC
 * 1952 §2.2, RFC 8878 §3.1).
 */
export function linesFormat(extension: string, compress: Compress, options: LineOptions): RollingFormat {
	return {
		extension,
		archive: false,
		async segment(results) {
			text.clear();
			for (const result of results) writeLine(text, result, options);
			return text.value.length === 0 ? text.value : compress(Buffer.from(text.value));
		},
		file: (segments) => segments,
	};
}

export const gzip: Compress = promisify(zlib.gzip) as Compress;

/** @throws CrawlError `bad-option` where Node.js has no zstd: before 22.15 */
export function zstd(): Compress {
	const { zstdCompress } = zlib as {
		zstdCompress?: (bytes: Uint8Array, done: (error: Error | null, bytes: Buffer) => void) => void;
	};
	if (zstdCompress !== undefined) return promisify(zstdCompress);
	throw new CrawlError(
		'bad-option',
		`Node.js ${process.versions.node} cannot write .zst files: use .jsonl.gz, or Node.js 22.15 or newer`,
	);
}
