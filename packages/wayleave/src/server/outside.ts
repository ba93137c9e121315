import type { Result } from '@wayleave/crawler';
import { type Failure, publicFailure } from '../output/public-failure.ts';
import type { Log } from './log.ts';

/** A failure worded for callers. The log keeps the omitted detail. */
export function tellOutside(failure: Failure & { readonly url?: string }, log: Log): string {
	const told = publicFailure(failure) ?? failure.reason ?? 'it failed';
	if (told !== failure.detail) log.warn('a request to a site failed', { ...pick(failure), told });
	return told;
}

/** A result worded for callers: the detail, and the lines that replace an unreadable file. */
export function resultOutside(result: Result, log: Log): Result {
	const { url, reason, detail, evidence = [] } = result;
	const told = detail === undefined ? undefined : tellOutside({ url, reason, detail }, log);
	const lines = evidence.map(({ line, text }) => (line === 0 ? tellOutside({ url, detail: text }, log) : text));
	if (told === detail && evidence.every(({ text }, at) => text === lines[at])) return result;
	return {
		...result,
		...(told !== undefined && { detail: told }),
		...(result.evidence && { evidence: evidence.map((one, at) => ({ ...one, text: lines[at] ?? '' })) }),
	};
}

const pick = ({ url, reason, detail }: Failure & { readonly url?: string }) => ({ url, reason, detail });
