import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { PageLearner } from '../serve/gateway.ts';
import type { Judged } from '../serve/ruling.ts';

/** Bytes of a page that is learned, packed and unpacked. */
const longestPage = 4_000_000;

/** Lets the learner see a page on its way to a client, if it is one that anybody gets. */
export function tapPage(learner: PageLearner | undefined, { visit, target }: Judged, answer: IncomingMessage): void {
	if (learner === undefined || visit.method !== 'GET') return;
	if (answer.statusCode === 404 || answer.statusCode === 410) learner.forget(target!.raw);
	if (answer.statusCode !== 200) return;
	if (visit.header('cookie') !== undefined || visit.header('authorization') !== undefined) return;
	if (/\b(?:private|no-store)\b/i.test(answer.headers['cache-control'] ?? '')) return;
	const path = target!.raw;
	if (!learner.wants(path)) return;
	const chunks: Buffer[] = [];
	let size = 0;
	answer.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size <= longestPage) chunks.push(chunk);
		else chunks.length = 0;
	});
	answer.on('end', () => {
		if (size > longestPage || !answer.complete) return;
		unpack(Buffer.concat(chunks), answer.headers['content-encoding']).then(
			(body) => body && learner.learn(path, body, answer.headers['content-type']),
			() => {}, // what cannot be unpacked is not learned
		);
	});
}

const limits = { maxOutputLength: longestPage };
const unzip = promisify<Buffer, object, Buffer>(gunzip);
const unbrotli = promisify<Buffer, object, Buffer>(brotliDecompress);

async function unpack(body: Buffer, coding: string | undefined): Promise<Buffer | undefined> {
	switch (coding?.toLowerCase()) {
		case undefined:
		case 'identity':
			return body;
		case 'gzip':
			return await unzip(body, limits);
		case 'br':
			return await unbrotli(body, limits);
		default:
			return undefined;
	}
}
