import { setTimeout as sleep } from 'node:timers/promises';
import { type Fetcher, type FetchSuccess, redirectTarget } from '@wayleave/io';

/** A file as it was answered in the end, or why there was no answer. */
export type FileAnswer =
	| {
			readonly ok: true;
			/** After redirects. */
			readonly url: string;
			readonly status: number;
			readonly headers: Iterable<readonly [name: string, value: string]>;
			readonly contentType: string;
			readonly body: Uint8Array;
	  }
	| { readonly ok: false; readonly detail: string };

/** Gets one file. A redirect may lead to where we may not go, so only as many are followed as the caller says. */
export type FetchFile = (url: string, redirects: number) => Promise<FileAnswer>;

/** For files that say what we may do, and are reached before we know (RFC 9309 §2.3.1.2). */
export const policyRedirects = 5;
/** Our own cooldown between two requests to one host, milliseconds (AMB-08, AMB-35). */
const cooldown = 2000;
const maxBytes = 1024 * 1024;

/** Fetches one file after the other, with the pause between two requests to one host that we owe everybody. */
export function politeFetch(fetcher: Fetcher, pause: (host: string) => number = pauseFor): FetchFile {
	const readyAt = new Map<string, number>();

	async function request(url: string) {
		const { hostname } = new URL(url);
		await sleep(Math.max(0, (readyAt.get(hostname) ?? 0) - Date.now()));
		const answer = await fetcher.get(url, { maxBytes, onLimit: 'truncate' });
		readyAt.set(hostname, Date.now() + pause(hostname));
		return answer;
	}

	return async (url, redirects) => {
		let answer = await request(url);
		for (let hop = 0; answer.ok && hop < redirects; hop++) {
			const target = redirectTarget(answer);
			if (!target?.ok) break;
			answer = await request(target.url);
		}
		return answer.ok ? received(answer) : { ok: false, detail: answer.detail };
	};
}

function received({ url, status, headers, body }: FetchSuccess): FileAnswer {
	return { ok: true, url, status, headers, contentType: headers.get('content-type') ?? '', body };
}

/** A machine need not be polite to itself. */
function pauseFor(host: string): number {
	return host === 'localhost' || host === '[::1]' || host.startsWith('127.') ? 0 : cooldown;
}
