import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

/** One record, cut out by its bytes alone: shares nothing with the reader and the writer that it checks. */
export interface CheckedRecord {
	readonly type: string;
	readonly fields: Readonly<Record<string, string>>;
	readonly block: Buffer;
}

/**
 * Takes an archive apart byte by byte and throws for everything that WARC 1.1 forbids: lengths, digests, empty lines,
 * record ids, the order of what belongs together. One gzip member holds one record.
 */
export function checkArchive(bytes: Buffer): CheckedRecord[] {
	const records: CheckedRecord[] = [];
	for (let at = 0; at < bytes.length; ) {
		const { content, length } = member(bytes.subarray(at));
		records.push(checkRecord(content));
		at += length;
	}
	checkTogether(records);
	return records;
}

/** The first member, by trying its ends: a gzip member has no length in front. */
function member(bytes: Buffer): { content: Buffer; length: number } {
	for (let end = bytes.indexOf('\x1f\x8b\x08', 1, 'latin1'); ; end = bytes.indexOf('\x1f\x8b\x08', end + 1, 'latin1')) {
		const length = end === -1 ? bytes.length : end;
		try {
			return { content: gunzipSync(bytes.subarray(0, length)), length };
		} catch (error) {
			if (end === -1) throw error;
		}
	}
}

function checkRecord(content: Buffer): CheckedRecord {
	const end = content.indexOf('\r\n\r\n');
	const [version, ...lines] = content.toString('latin1', 0, end).split('\r\n');
	if (version !== 'WARC/1.1') throw new Error(`version: ${version}`);
	const fields = Object.fromEntries(
		lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
	);
	const length = Number(fields['Content-Length']);
	const block = content.subarray(end + 4, end + 4 + length);
	if (content.toString('latin1', end + 4 + length) !== '\r\n\r\n') throw new Error(`length: ${content.length}`);
	if (fields['WARC-Block-Digest'] !== digest(block)) throw new Error('block digest');
	for (const name of ['WARC-Record-ID', 'WARC-Date', 'WARC-Type', 'Content-Type'])
		if (!fields[name]) throw new Error(`no ${name}`);
	const type = fields['WARC-Type']!;
	if (type === 'response') {
		const payload = block.subarray(block.indexOf('\r\n\r\n') + 4);
		if (fields['WARC-Payload-Digest'] !== digest(payload)) throw new Error('payload digest');
		const stated = /^content-length: (\d+)/im.exec(block.toString('latin1'))?.[1];
		if (stated !== undefined && Number(stated) !== payload.length) throw new Error('content length');
	}
	return { type, fields, block };
}

function checkTogether(records: readonly CheckedRecord[]): void {
	if (records[0]?.type !== 'warcinfo') throw new Error('no warcinfo first');
	const ids = records.map(({ fields }) => fields['WARC-Record-ID']!);
	if (new Set(ids).size !== ids.length) throw new Error('an id twice');
	for (const [at, { type, fields }] of records.entries()) {
		const other = fields['WARC-Concurrent-To'];
		if (type === 'request' && ids[at + 1] !== other) throw new Error('a request is not followed by its answer');
		if (type === 'metadata' && other !== undefined && ids[at - 1] !== other)
			throw new Error('an outcome does not follow its answer');
		const first = records.find(({ fields: { 'WARC-Record-ID': id } }) => id === fields['WARC-Refers-To']);
		if (fields['WARC-Refers-To'] === undefined) continue;
		if (first?.type !== 'response') throw new Error('a revisit of what is not here');
		const same = ['WARC-Payload-Digest', 'WARC-Target-URI'].every((name) => first.fields[name] === fields[name]);
		if (!same || first.fields['WARC-Date'] !== fields['WARC-Refers-To-Date']) throw new Error('a revisit of another');
	}
}

const digest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
