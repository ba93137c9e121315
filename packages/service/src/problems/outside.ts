import type { Result } from '@wayleave/crawler';
import { type Failure, publicFailure } from '@wayleave/io/http';
import type { Log } from '../observe/log.ts';

/** A failure worded for callers. The log keeps the omitted detail. */
export function tellOutside(failure: Failure & { readonly url?: string }, log: Log): string {
	const wording = publicFailure(failure) ?? failure.reason ?? 'it failed';
	if (wording !== failure.detail) log.warn('a request to a site failed', { ...pick(failure), wording });
	return wording;
}

/** A result worded for callers: the detail, and the lines that replace an unreadable file. */
export function resultOutside(result: Result, log: Log): Result {
	const { url, reason, detail, evidence = [] } = result;
	const wording = detail === undefined ? undefined : tellOutside({ url, reason, detail }, log);
	const lines = evidence.map(({ line, text }) => (line === 0 ? tellOutside({ url, detail: text }, log) : text));
	if (wording === detail && evidence.every(({ text }, at) => text === lines[at])) return result;
	return {
		...result,
		...(wording !== undefined && { detail: wording }),
		...(result.evidence && { evidence: evidence.map((one, at) => ({ ...one, text: lines[at] ?? '' })) }),
	};
}

const pick = ({ url, reason, detail }: Failure & { readonly url?: string }) => ({ url, reason, detail });
