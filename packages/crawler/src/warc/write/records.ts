import { type Exchange, newRecordId } from '../../model/exchange.ts';
import type { Result } from '../../model/result.ts';
import { archivedHead } from './http-head.ts';
import type { Record } from './record.ts';

const profile = 'http://netpreserve.org/warc/1.1/revisit';

/** A warcinfo record: software and format of the following records. */
export function warcinfo(software: string, filename: string, at: number): Record {
	const fields = {
		software,
		format: 'WARC File Format 1.1',
		conformsTo: 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
		robots: 'obey',
	};
	const block = Buffer.from(
		Object.entries(fields)
			.map(([name, value]) => `${name}: ${value}\r\n`)
			.join(''),
	);
	return {
		type: 'warcinfo',
		id: newRecordId(),
		at,
		contentType: 'application/warc-fields',
		block,
		fields: { 'WARC-Filename': filename },
	};
}

/** The request, then its response: whole, or as a revisit where only the head is new. */
export function exchangeRecords(exchange: Exchange): Record[] {
	const { id, url, at, raw, digest, address, httpVersion, truncated, repeats } = exchange;
	const common = {
		'WARC-Target-URI': url,
		'WARC-IP-Address': address === '' ? undefined : address,
		'WARC-Protocol': httpVersion === '2' ? 'h2' : undefined,
	};
	const request: Record = {
		type: 'request',
		id: newRecordId(),
		at,
		contentType: 'application/http;msgtype=request',
		block: raw.request,
		fields: { ...common, 'WARC-Concurrent-To': id },
	};
	const response = { id, at, contentType: 'application/http;msgtype=response' };
	const head = archivedHead(exchange);
	if (!isRevisit(exchange)) {
		const fields = {
			...common,
			'WARC-Payload-Digest': digest,
			'WARC-Truncated': truncated,
		};
		return [request, { ...response, type: 'response', block: Buffer.concat([head, raw.body]), fields }];
	}
	const fields = {
		...common,
		'WARC-Profile': `${profile}/${exchange.status === 304 ? 'server-not-modified' : 'identical-payload-digest'}`,
		'WARC-Payload-Digest': repeats?.digest,
		'WARC-Refers-To': repeats?.id,
		'WARC-Refers-To-Target-URI': url,
		'WARC-Refers-To-Date': repeats?.at,
	};
	return [request, { ...response, type: 'revisit', block: head, fields }];
}

const isRevisit = ({ status, repeats }: Exchange): boolean => status === 304 || repeats !== undefined;

/** How a URL ended and what its site says about it, beside the record of the response where there is one. */
export function metadataRecord(result: Result, concurrentTo: string | undefined): Record {
	const { document, page: _, url, ...rest } = result;
	const made = document && { source: document.source, cache: document.cache };
	return {
		type: 'metadata',
		id: newRecordId(),
		at: Date.parse(result.at),
		contentType: 'application/json',
		block: Buffer.from(JSON.stringify({ wayleave: 1, url, ...rest, ...made })),
		fields: { 'WARC-Target-URI': url, 'WARC-Concurrent-To': concurrentTo },
	};
}
