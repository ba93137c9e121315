import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { PageLearner } from '../serve/gateway.ts';
import { lessonOf, longestPage } from '../serve/lesson.ts';
import type { Judged } from '../serve/ruling.ts';
import type { SiteHead } from './answer-parser.ts';

/** Sees the body of a page on its way to a client. */
export interface PageTap {
	data(chunk: Buffer): void;
	/** The page is whole. */
	end(): void;
	/** It broke off, or nobody wants it any more; of no effect after `end`. */
	drop(): void;
}

/** What the tap asks of the head of an answer. */
export type TappedHead = Pick<SiteHead, 'status' | 'value'>;

/** Bytes of pages that are on their way at once and are kept to be learned. */
const mostHeld = 64_000_000;
let held = 0;

/** Lets the learner see a page on its way to a client, if it is one that anybody gets. */
export function tapPage(
	learner: PageLearner | undefined,
	{ visit, target }: Judged,
	head: TappedHead,
): PageTap | undefined {
	const path = target!.raw;
	const lesson = learner && lessonOf(visit, head.status, head.value('cache-control'));
	if (lesson === 'forget') learner?.forget(path);
	if (learner === undefined || lesson !== 'learn' || !learner.wants(path)) return undefined;
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
			if (size > longestPage || held > mostHeld) drop();
		},
		drop,
		end() {
			if (over) return;
			const body = Buffer.concat(chunks);
			drop();
			unpack(body, head.value('content-encoding')).then(
				(page) => page && learner.learn(path, page, head.value('content-type'), visit.header('referer')),
				() => {}, // what cannot be unpacked is not learned
			);
		},
	};
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
