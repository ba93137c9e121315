import { type Fetcher, type FetchResult, type GetOptions, isLoopbackAddress } from '@wayleave/io/http';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { rfc3339 } from '../base/time.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { RecordFor } from '../model/exchange.ts';
import type { Progress } from '../model/progress.ts';
import { askedPause, isLimited, isTime } from '../response/retry-after.ts';
import type { HostSlot, NotScheduled } from './host-slot.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import type { SignHeaders } from './sign.ts';

/** Sends one request to one host; the only place from which any request of a crawl goes out. */
export type SendRequest = (slot: HostSlot, url: string, options?: SendOptions) => Promise<FetchResult | NotScheduled>;

/** `signal`: aborted when no caller needs the response any more. */
export interface SendOptions extends GetOptions {
	/** Owner of the exchange in an archive. Default: it is not archived. */
	readonly record?: RecordFor | undefined;
	/**
	 * Milliseconds that a 429 or 503 without `Retry-After` pauses an own host or loopback. Default: same as any other
	 * host.
	 */
	readonly ownPause?: number;
}

/** Keeps exchanges for an archive. */
interface ExchangeRecorder {
	note(response: FetchResult, from: RecordFor, at: number): void;
}

interface RequestCounts {
	requests: number;
	/** Requests to which a server sent anything. */
	responses: number;
	bytes: number;
}

interface Tools {
	readonly fetcher: Fetcher;
	readonly scheduler: RequestScheduler;
	readonly clock: Clock;
	/** For the times of hosts. */
	readonly pace: Clock;
	readonly meter: RequestCounts;
	readonly emit: (event: CrawlEvent) => void;
	/** Resolves when the host is surely ours, with a signal that is aborted when what is in flight has to end. */
	readonly assure: () => Promise<AbortSignal | undefined>;
	readonly sign?: SignHeaders | undefined;
	readonly onProgress?: ((progress: Progress) => void) | undefined;
	/** Only if there is an archive. */
	readonly recorder?: ExchangeRecorder | undefined;
}

/**
 * Waits until the host may be asked, sends the request, and takes the host's pauses from the response.
 *
 * @throws CrawlError `fetcher-closed` when the owner of the fetcher has closed it
 */
export function createRequester({
	fetcher,
	scheduler,
	clock,
	pace,
	meter,
	emit,
	assure,
	sign,
	recorder,
	onProgress,
}: Tools): SendRequest {
	return async (slot, url, options = {}) => {
		for (;;) {
			const response = await once(slot, url, options);
			if (response !== postponed) return response;
		}
	};

	/**
	 * One request. It is made later when the host wants a pause meanwhile, and again when it was cut off because another
	 * worker was about to claim the host, and did not.
	 */
	async function once(
		slot: HostSlot,
		url: string,
		{ record, ownPause, signal: wanted, ...options }: SendOptions,
	): Promise<FetchResult | NotScheduled | typeof postponed> {
		if (onProgress !== undefined) reportWait(slot, onProgress);
		const turn = await scheduler.take(slot, wanted);
		if (typeof turn === 'string') return turn;
		const ending = new AbortController();
		const unlink: ((() => void) | undefined)[] = [];
		try {
			const ours = await assure();
			unlink.push(...[ours, wanted].map((signal) => signal && abortWith(signal, ending)));
			turn.signal.addEventListener('abort', () => ending.abort(), { once: true });
			const { signal } = ending;
			// Signed when the request starts: a signature is valid for a short time only.
			const signature = await sign?.(options.method ?? 'GET', url);
			const headers = signature === undefined ? options.headers : { ...options.headers, ...signature };
			const at = clock.now();
			// The response to another request may have asked for a pause since this one was scheduled.
			if (slot.readyAt > pace.now()) return postponed;
			const sentAt = pace.now();
			meter.requests++;
			onProgress?.({ waiting: 'response', host: slot.host.name, url });
			const raw = recorder !== undefined && record !== undefined;
			const response = await fetcher.get(url, {
				...options,
				...(headers && { headers }),
				signal,
				...(raw && { raw }),
			});
			if (raw) recorder.note(response, record, at);
			if (response.ok && response.address !== undefined && isLoopbackAddress(response.address)) slot.setLoopback();
			if (response.status !== undefined && response.headers !== undefined)
				applyRetryAfter(response.status, response.headers, slot, { sentAt, unstated: slot.own ? ownPause : undefined });
			if (response.ok || response.status !== undefined) meter.responses++;
			if (response.ok) meter.bytes += response.body.length;
			else if (response.reason === 'aborted') {
				if (wanted?.aborted || turn.signal.aborted) return 'stopped';
				if (ours?.aborted) return postponed;
				if (!scheduler.stopped) throw fetcherClosed();
			}
			return response;
		} finally {
			for (const release of unlink) release?.();
			// After the pause is set: ending the lease lets the next request start.
			turn.end();
		}
	}

	function reportWait(slot: HostSlot, report: (progress: Progress) => void): void {
		const now = pace.now();
		const wait = slot.waiting(now);
		if (wait === undefined) return;
		const { delay, host } = slot;
		report({ waiting: 'turn', host: host.name, why: wait.why, delay, left: wait.until - now });
	}

	function applyRetryAfter(
		status: number,
		headers: { get(name: string): string | undefined; getAll(name: string): string[] },
		slot: HostSlot,
		{ sentAt, unstated }: { readonly sentAt: number; readonly unstated: number | undefined },
	): void {
		if (!isLimited(status)) {
			if (status < 500) slot.accept(sentAt);
			return;
		}
		const now = clock.now();
		slot.refuse(pace.now(), askedPause(headers, now, unstated), sentAt);
		const odd = headers.getAll('retry-after').find((value) => !isTime(value));
		const detail = odd !== undefined && {
			detail: `Retry-After: ${odd.slice(0, 100)} is neither a number of seconds nor a date`,
		};
		const until = rfc3339(now + slot.readyAt - pace.now());
		emit({ type: 'wait', host: slot.host.name, why: 'retry-after', until, status, ...detail });
	}
}

/** Unlike `AbortSignal.any`, leaves no listener on a long-lived signal such as that of a lease. Returns its release. */
function abortWith(signal: AbortSignal, controller: AbortController): () => void {
	const abort = () => controller.abort();
	if (signal.aborted) abort();
	signal.addEventListener('abort', abort, { once: true });
	return () => signal.removeEventListener('abort', abort);
}

/** In the place of a response: there was none. */
const postponed = Symbol('again');

/** Every further request would end like this one, and say nothing about any site. */
const fetcherClosed = () =>
	new CrawlError(
		'fetcher-closed',
		'the fetcher passed in the options was closed before the crawl ended: close it only after the crawl (`await crawling.summary`)',
	);
