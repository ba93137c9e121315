import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { MessageHead } from '@wayleave/io/http/response-parser';
import { type DecidedRequest, rawTarget } from '../decide/decision.ts';
import type { ChangeObserver } from '../engine/change-observer.ts';
import { maxPageBytes, observationOf } from '../engine/observe-response.ts';

/** Sees the body of a page on its way to a client. */
export interface ResponseTee {
	data(chunk: Buffer): void;
	/** The page is whole. */
	end(): void;
	/** The response broke off, or is not needed any more; no effect after `end`. */
	drop(): void;
}

/** The part of a response head that the tee reads. */
export type TeedHead = Pick<MessageHead, 'status' | 'value'>;

/** Bytes of pages that are on their way at once and are kept to be learned. */
const maxHeldBytes = 64_000_000;
let held = 0;

/** Lets the learner see a page on its way to a client, if it is one that anybody gets. */
export function teeResponse(
	changeObserver: ChangeObserver | undefined,
	decided: DecidedRequest,
	head: TeedHead,
): ResponseTee | undefined {
	const { visit } = decided;
	const path = rawTarget(decided);
	const observation = changeObserver && observationOf(visit, head.status, head.value('cache-control'));
	if (observation === 'forget') changeObserver?.forget(path);
	if (changeObserver === undefined || observation !== 'observe' || !changeObserver.wants(path)) return undefined;
	const chunks: Buffer[] = [];
	let size = 0;
	let over = false;
	const drop = () => {
		if (!over) held -= size;
		over = true;
		chunks.length = 0;
	};
	return {
		data(chunk) {
			if (over) return;
			size += chunk.length;
			held += chunk.length;
			chunks.push(chunk);
			// A page can be learned from the next visitor as well.
			if (size > maxPageBytes || held > maxHeldBytes) drop();
		},
		drop,
		end() {
			if (over) return;
			const body = Buffer.concat(chunks);
			drop();
			unpack(body, head.value('content-encoding')).then(
				(page) => page && changeObserver.observe(path, page, head.value('content-type'), visit.header('referer')),
				() => {}, // a body that cannot be decoded is not observed
			);
		},
	};
}

const limits = { maxOutputLength: maxPageBytes };
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
