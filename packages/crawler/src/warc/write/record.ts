import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { formatDigest } from '../../model/exchange.ts';

const pack = promisify(gzip);

/** One record before it is written (WARC 1.1, ISO 28500:2017, §4). */
export interface Record {
	readonly type: 'warcinfo' | 'request' | 'response' | 'revisit' | 'metadata';
	readonly id: string;
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly contentType: string;
	readonly block: Uint8Array;
	/** Further header fields; those without a value are left out. */
	readonly fields: Readonly<{ [Name in `WARC-${string}`]?: string | undefined }>;
}

/** The bytes of a record, its two empty lines at the end included. */
export function formatRecord({ type, id, at, contentType, block, fields }: Record): Uint8Array {
	const all = {
		'WARC-Type': type,
		'WARC-Record-ID': id,
		'WARC-Date': new Date(at).toISOString(),
		...fields,
		'WARC-Block-Digest': formatDigest(block),
		'Content-Type': contentType,
		'Content-Length': String(block.length),
	};
	const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
	return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** A member of its own for each record (§ "Record-at-a-time compression"), so that readers can begin at any of them. */
export async function formatRecords(records: readonly Record[], compress: boolean): Promise<Uint8Array> {
	const formatted = records.map(formatRecord);
	return Buffer.concat(compress ? await Promise.all(formatted.map((bytes) => pack(bytes))) : formatted);
}
