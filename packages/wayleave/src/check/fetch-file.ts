import { setTimeout as sleep } from 'node:timers/promises';
import { type FetchAnswer, type Fetcher, type FetchSuccess, redirectTarget } from '@wayleave/io';

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

/** Fetches files one after the other, at the pace that their hosts are owed. */
export interface PoliteFetch {
	/** Gets one file. A redirect may lead to where we may not go, so only as many are followed as the caller says. */
	get(url: string, redirects: number): Promise<FileAnswer>;
	/** Lets at least so many milliseconds pass between two requests to the host of a URL. */
	slowDown(url: string, pause: number): void;
}

/** For files that say what we may do, and are reached before we know (RFC 9309 §2.3.1.2). */
export const policyRedirects = 5;
/** Our own cooldown between two requests to one host, milliseconds (AMB-08, AMB-35). */
const cooldown = 2000;
/** From here on a person wonders what we are waiting for. */
const longPause = 5000;
const maxBytes = 1024 * 1024;

interface Turn {
	readyAt: number;
	pause: number;
}

/** Time as `politeFetch` sees it; tests have their own. */
export interface Clock {
	/** Milliseconds. */
	now(): number;
	sleep(milliseconds: number): Promise<unknown>;
}

/** @param tell what a person should know while they wait. */
export function politeFetch(
	fetcher: Pick<Fetcher, 'get'>,
	tell: (text: string) => void,
	clock: Clock = { now: Date.now, sleep },
): PoliteFetch {
	const turns = new Map<string, Turn>();

	function turnOf(url: string): Turn {
		const { hostname } = new URL(url);
		const turn = turns.get(hostname) ?? { readyAt: 0, pause: isThisMachine(hostname) ? 0 : cooldown };
		turns.set(hostname, turn);
		return turn;
	}

	async function request(url: string): Promise<FetchAnswer> {
		const turn = turnOf(url);
		if (turn.readyAt === Number.POSITIVE_INFINITY)
			return { ok: false, url, reason: 'aborted', detail: 'the site has just asked us to come back later' };
		const wait = Math.max(0, turn.readyAt - clock.now());
		if (wait > longPause) tell(`waiting ${Math.ceil(wait / 1000)} s, as ${new URL(url).host} asks\n`);
		await clock.sleep(wait);
		const answer = await fetcher.get(url, { maxBytes, onLimit: 'truncate' });
		const busy = answer.ok && (answer.status === 429 || answer.status === 503);
		turn.readyAt = busy ? Number.POSITIVE_INFINITY : clock.now() + turn.pause;
		return answer;
	}

	return {
		async get(url, redirects) {
			let answer = await request(url);
			for (let hop = 0; answer.ok && hop < redirects; hop++) {
				const target = redirectTarget(answer);
				if (!target?.ok) break;
				answer = await request(target.url);
			}
			return answer.ok ? received(answer) : { ok: false, detail: answer.detail };
		},
		slowDown(url, pause) {
			const turn = turnOf(url);
			const more = Math.max(0, pause - turn.pause);
			turn.pause += more;
			turn.readyAt += more;
		},
	};
}

function received({ url, status, headers, body }: FetchSuccess): FileAnswer {
	return { ok: true, url, status, headers, contentType: headers.get('content-type') ?? '', body };
}

/** A machine need not be polite to itself. */
function isThisMachine(host: string): boolean {
	return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
