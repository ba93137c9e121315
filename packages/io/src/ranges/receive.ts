import {
	checkRangesSuccession,
	narrowRanges,
	parseRanges,
	type RangeList,
	type RangesProblem,
} from '@wayleave/protocols/jafar';
import type { FetchResult, FetchSuccess } from '../http/types.ts';
import { day, hour, pollPause, retryPause } from './lifetime.ts';
import type { StoredRangeList } from './store.ts';

/** A list as it is after a poll. `list` is the last good one: only a better one replaces it (JAFAR §3.2). */
export interface Received {
	readonly stored: StoredRangeList;
	readonly list: RangeList | undefined;
	readonly problems: readonly RangesProblem[];
}

/** Reads a list; without `allowBroad`, as far as its ranges can be those of one operator's crawlers. */
export function readNarrow(
	body: Uint8Array | string,
	allowBroad: boolean,
	contentType?: string | null,
): { readonly value: RangeList | undefined; readonly problems: readonly RangesProblem[] } {
	const { value, problems } = parseRanges(body, contentType ? { contentType } : {});
	if (value === undefined || allowBroad) return { value, problems };
	const narrowed = narrowRanges(value);
	return { value: narrowed.list, problems: [...problems, ...narrowed.problems] };
}

/** The state of a list after the response to a poll. */
export function receive(before: Received, response: FetchResult, now: number, allowBroad = false): Received {
	if (!response.ok) return failed(before, `${response.reason}: ${response.detail}`, now);
	if (response.status === 200) return receiveBody(before, response, now, allowBroad);
	const asked = before.stored.etag !== undefined || before.stored.lastModified !== undefined;
	if (response.status === 304 && asked) return confirmed(before, response, now);
	return failed(before, `http-${response.status}`, now, retryPause(response.headers, now));
}

function receiveBody(before: Received, response: FetchSuccess, now: number, allowBroad: boolean): Received {
	const { value, problems } = readNarrow(response.body, allowBroad, response.headers.get('content-type'));
	const pause = pollPause(response.headers, now);
	if (value === undefined) {
		// The validators stay those of the list in use: a 304 must never confirm what was refused.
		const fault = problems.find(({ severity }) => severity === 'error')?.code ?? 'ranges-no-prefixes';
		return { ...failed(before, fault, now, pause), problems };
	}
	const succession = before.list === undefined ? [] : checkRangesSuccession(before.list, value);
	const body = new TextDecoder().decode(response.body);
	return {
		stored: {
			url: before.stored.url,
			body,
			...validators(response),
			confirmedAt: now,
			pause,
			earliest: now + pause,
			failures: 0,
		},
		list: value,
		problems: [...problems, ...succession],
	};
}

function confirmed(before: Received, response: FetchSuccess, now: number): Received {
	const { fault: _, ...kept } = before.stored;
	const { headers } = response;
	// A header that a 304 leaves out keeps its value (RFC 9111 §4.3.4).
	const unsaid = !headers.has('cache-control') && !headers.has('expires');
	const pause = (unsaid ? kept.pause : undefined) ?? pollPause(headers, now);
	const stored = { ...kept, ...validators(response), confirmedAt: now, pause, earliest: now + pause, failures: 0 };
	return { ...before, stored };
}

/** One hour, then two, four … up to a day; longer where the publisher says so. */
function failed(before: Received, fault: string, now: number, least = 0): Received {
	const failures = before.stored.failures + 1;
	const pause = Math.max(Math.min(hour * 2 ** (failures - 1), day), least);
	return { ...before, stored: { ...before.stored, failures, fault, earliest: now + pause } };
}

function validators({ headers }: FetchSuccess): { etag?: string; lastModified?: string } {
	const etag = headers.get('etag');
	const lastModified = headers.get('last-modified');
	return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
