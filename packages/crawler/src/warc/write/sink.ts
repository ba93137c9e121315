import { basename } from 'node:path';
import { version } from '../../base/version.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Result } from '../../model/result.ts';
import { CommittedFile } from '../../sinks/committed-file.ts';
import type { Sink } from '../../sinks/types.ts';
import { lastWholeRecord } from './last-whole-record.ts';
import { formatRecords, type Record } from './record.ts';
import { exchangeRecords, metadataRecord, warcinfo } from './records.ts';

/**
 * A web archive (WARC 1.1): what was sent and received, and how each URL ended. Compressed record by record where the
 * name ends in `.gz`. An archive is never replaced: a refresh appends to it, with revisit records for what has not
 * changed.
 *
 * Per visit: `request`, `response` or `revisit`, and a `metadata` record with the outcome and the terms of the site.
 * robots.txt, robots2.txt and the other policy files are kept as the exchanges that they are. Content of a site that
 * allows no copy is never written.
 */
export function warcSink(file: string): Sink {
	const archive = new CommittedFile(file);
	const compress = /\.gz$/i.test(file);
	let begun = false;
	return {
		name: `warc ${archive.path}`,
		persistent: true,
		archive: true,
		async open(position) {
			begun = false;
			// The store does not know this file; its complete records are kept all the same.
			await archive.open(position === undefined ? await lastWholeRecord(archive.path) : Number(position));
		},
		async write(results, exchanges = []) {
			const records = recordsOf(results, exchanges);
			const [first] = records;
			if (first === undefined) return String(archive.end);
			if (!begun) records.unshift(warcinfo(`wayleave/${version}`, basename(file), first.at));
			const position = await archive.append(await formatRecords(records, compress));
			begun = true;
			return position;
		},
		close: () => archive.close(),
	};
}

/** In the order in which things happened; the outcome of a URL stands behind its response. */
export function recordsOf(results: readonly Result[], exchanges: readonly Exchange[]): Record[] {
	const ends = new Map(results.map((result) => [withoutFragment(result.url), result]));
	const records = exchanges.flatMap((exchange) => {
		const end = ends.get(exchange.url);
		ends.delete(exchange.url);
		return [...exchangeRecords(exchange), ...(end === undefined ? [] : [metadataRecord(end, exchange.id)])];
	});
	return [...records, ...[...ends.values()].map((result) => metadataRecord(result, undefined))];
}

const withoutFragment = (url: string): string => url.replace(/#.*/s, '');
