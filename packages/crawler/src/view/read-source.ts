import { createReadStream, existsSync } from 'node:fs';
import { decodeHtml } from '@wayleave/extract';
import type { Capture } from '../model/exchange.ts';
import { contentOf, parseArchivedResponse } from '../warc/read/http-response.ts';
import { readWarc } from '../warc/read/read-warc.ts';
import type { SourcePage } from './api.ts';

/** Bytes of an archive that a search for one record reads. */
const maxRead = 256 << 20;
/** Characters of a source that the page shows. */
const maxText = 500_000;

/** The response that a document was made from, out of the archive that the crawl wrote. */
export async function readSource(capture: Capture, url: string, file: string): Promise<SourcePage> {
	if (!existsSync(file)) return { reason: `the archive ${capture.archive} is not there any more` };
	const stream = createReadStream(file, { end: maxRead });
	const isWanted = (_: string, fields: { get(name: string): string | undefined }) =>
		fields.get('warc-record-id') === capture.id;
	try {
		for await (const item of readWarc(stream, { wants: isWanted })) {
			if (!('record' in item)) continue;
			const response = parseArchivedResponse(item.record);
			const body = response === undefined ? 'no HTTP response' : await contentOf(response);
			if (response === undefined || typeof body === 'string') return { reason: `the record of ${url} cannot be read` };
			const contentType = response.headers.get('content-type') ?? '';
			const { text } = decodeHtml(body, contentType);
			const headers = [...response.headers].map(([name, value]) => [name, value] as const);
			const source = { text: text.slice(0, maxText), isCut: text.length > maxText, contentType };
			return { source: { ...source, status: response.status, headers, archive: capture.archive, at: capture.at } };
		}
	} finally {
		stream.destroy();
	}
	return { reason: `the archive ${capture.archive} does not have the response in its first ${maxRead >> 20} MiB` };
}
