import { CrawlError } from '../../base/errors.ts';
import type { LineOptions } from '../line.ts';
import type { Sink } from '../types.ts';
import { directSink } from './direct-sink.ts';
import { gzip, linesFormat, type RollingFormat, zstd } from './format.ts';
import { rollingPlace } from './place.ts';
import { rollingSink } from './sink.ts';

/** Bytes of a rolling file, if nothing else is asked for. */
const defaultSize = 256 << 20;

export interface RollingTarget {
	/** As it was written, and the folder from which it is meant. */
	readonly name: string;
	readonly cwd: string;
	readonly lines: LineOptions;
	/** Bytes of a rolling file. Default 256 MiB. */
	readonly roll?: number | undefined;
	/** Whether a crawl fills it, over several runs. */
	readonly crawl?: boolean | undefined;
}

/** @throws CrawlError `bad-option`, ObjectStoreError `bad-place` */
export async function openRolling(target: RollingTarget, given?: RollingFormat): Promise<Sink> {
	const { name, cwd, roll = defaultSize, crawl = false } = target;
	const place = rollingPlace(name, cwd);
	if (crawl && place.after === undefined)
		throw new CrawlError(
			'bad-option',
			`${name}: a crawl writes several files: put a * into the name, such as *.jsonl.gz`,
		);
	const format = given ?? (await formatOf(name, target.lines));
	return crawl ? rollingSink(place, format, roll) : directSink(place, format, roll);
}

async function formatOf(name: string, lines: LineOptions): Promise<RollingFormat> {
	const path = name.replace(/^(s3:[^?]*)\?.*$/is, '$1');
	if (/\.parquet$/i.test(path)) return (await import('./parquet-format.ts')).parquetFormat(lines);
	if (/\.gz$/i.test(path)) return linesFormat('.jsonl.gz', gzip, lines);
	if (/\.zst$/i.test(path)) return linesFormat('.jsonl.zst', zstd(), lines);
	return linesFormat('.jsonl', async (bytes) => bytes, lines);
}
