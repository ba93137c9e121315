import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { ByteBuffer } from '../../base/byte-buffer.ts';
import { documentJson } from '../../model/document-json.ts';
import type { Result } from '../../model/result.ts';
import { isWritten, type LineOptions } from '../line.ts';
import { parquetSink } from '../parquet.ts';
import type { RollingFormat } from './format.ts';

const pack = promisify(gzip) as (bytes: Uint8Array, options: { level: number }) => Promise<Uint8Array>;
const unpack = promisify(gunzip);
const text = new ByteBuffer();

/** A Parquet file has its table of contents at its end: segments hold the results, and a file is made of them at once. */
export function parquetFormat(options: LineOptions): RollingFormat {
	return {
		extension: '.parquet',
		archive: false,
		async segment(results) {
			text.clear();
			for (const result of results) if (isWritten(result, options)) writeResult(result);
			return text.value.length === 0 ? text.value : pack(Buffer.from(text.value), { level: constants.Z_BEST_SPEED });
		},
		async *file(segments) {
			const folder = await mkdtemp(join(tmpdir(), 'wayleave-parquet-'));
			try {
				const path = join(folder, 'file.parquet');
				const sink = parquetSink(path, options);
				await sink.open(undefined, true);
				for await (const segment of segments) await sink.write(await resultsOf(segment));
				await sink.close();
				yield* createReadStream(path);
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		},
	};
}

/** The whole result in a line: its row has more than the lines of `.jsonl` have. */
function writeResult({ document, ...rest }: Result): void {
	const json = JSON.stringify(rest);
	if (document === undefined) text.text(`${json}\n`);
	else {
		text.text(`${json.slice(0, -1)},"document":`);
		text.bytes(documentJson(document));
		text.text('}\n');
	}
}

async function resultsOf(segment: Uint8Array): Promise<Result[]> {
	const lines = (await unpack(segment)).toString().split('\n');
	return lines.flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Result)));
}
