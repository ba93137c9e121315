import type { Fetcher, FetchFailed, FetchResult } from '@wayleave/io/http';
import type { Clock } from '../base/clock.ts';
import type { CrawlEvent, NoticeEvent } from '../model/events.ts';
import { askedPause } from '../response/retry-after.ts';
import type { ClaimedNotice, NoticeOutcome, ReceiverRecord, Watch } from '../store/roles/watch.ts';
import { shownReceiver, signNotice } from './webhook.ts';

/** Notices in flight to one receiver, each of another page. */
const inFlight = 4;
/** Milliseconds that a receiver has for its response. */
const timeLimit = 20_000;
/** Bytes of a response that are read, so that its connection can be used again. */
const maxResponse = 65_536;
/** Milliseconds until another worker may send a notice that this one has taken. */
const lease = 3 * timeLimit;
/** Milliseconds before each further attempt; the last one counts for all later ones. */
const pauses = [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];
/** Attempts for a notice that the receiver rejects, while it takes others. */
const maxRejections = 6;
/** The longest pause that a receiver gets by `Retry-After`; milliseconds. */
const maxPause = 86_400_000;
/** Milliseconds after which a failed write is tried again. */
const storePause = 1000;

export interface SenderParts {
	readonly watch: Watch;
	readonly receiver: ReceiverRecord;
	readonly key: Uint8Array;
	/** Posts them. */
	readonly fetcher: Pick<Fetcher, 'get'>;
	readonly clock: Clock;
	/** Whether other workers send notices too. */
	readonly isShared: boolean;
	readonly emit: (event: CrawlEvent) => void;
}

type Attempt = Pick<NoticeOutcome, 'state' | 'status' | 'detail' | 'wait'> & {
	/** The receiver itself cannot take notices now: milliseconds that it asks for. */
	readonly pause?: number;
	/** 410. */
	readonly stops?: true;
};

/**
 * Sends the notices in the outbox of a store to one receiver: those of one page one after the other, a few pages at a
 * time. Nothing is in memory but what is in flight.
 */
export class NoticeSender {
	readonly #parts: SenderParts;
	#receiver: ReceiverRecord;
	/** When the receiver is tried again; milliseconds since 1970. */
	#notBefore: number;
	readonly #stop = new AbortController();
	#wake = new AbortController();
	#finishing = false;
	#done: Promise<void> = Promise.resolve();

	constructor(parts: SenderParts) {
		this.#parts = parts;
		this.#receiver = parts.receiver;
		this.#notBefore = parts.clock.now() + parts.receiver.wait;
	}

	start(): void {
		this.#done = this.#run();
	}

	/** New notices are in the outbox. */
	notify(): void {
		this.#wake.abort();
	}

	/** Sends what can be sent now; what waits for a receiver that is away stays in the store. */
	async finish(): Promise<void> {
		this.#finishing = true;
		this.notify();
		await this.#done;
	}

	/** Ends after what is in flight. */
	async stop(): Promise<void> {
		this.#stop.abort();
		this.notify();
		await this.#done;
	}

	async #run(): Promise<void> {
		while (!this.#stop.signal.aborted && this.#receiver.state === 'open') {
			try {
				if (!(await this.#round())) return;
			} catch (error) {
				// A database that is away, or a lease that was lost: the notices are still in the outbox.
				this.#tell('waiting', { detail: `the store: ${(error as Error).message}` });
				if (this.#finishing) return;
				await this.#parts.clock.sleep(storePause, this.#wake.signal);
			}
		}
	}

	/** Sends a few notices, or waits until there may be some; false at the end. */
	async #round(): Promise<boolean> {
		const { watch, clock } = this.#parts;
		const wake = new AbortController();
		this.#wake = wake;
		const { id, failures } = this.#receiver;
		const wait = this.#notBefore - clock.now();
		if (wait > 0) {
			if (this.#finishing) return false;
			await clock.sleep(wait, wake.signal);
			return true;
		}
		// One shows whether the receiver is back.
		const claimed = await watch.claim(id, failures > 0 ? 1 : inFlight, lease);
		if (claimed.length > 0) {
			await this.#sendAll(claimed);
			return true;
		}
		const next = await watch.nextNotice(id);
		if (this.#finishing && (next === undefined || next > 0)) return false;
		// Another worker may have left one that it did not send.
		const most = next ?? (this.#parts.isShared ? lease : undefined);
		await (most === undefined ? aborted(wake.signal) : clock.sleep(most, wake.signal));
		return true;
	}

	async #sendAll(claimed: readonly ClaimedNotice[]): Promise<void> {
		const { watch, clock } = this.#parts;
		const attempts = await Promise.all(
			claimed.map(async (notice) => {
				const attempt = await this.#send(notice);
				const { pause: _, stops: __, ...outcome } = attempt;
				// At once: until this is committed, a crash sends the notice again.
				await watch.saveOutcome({ ...outcome, change: notice.change, receiver: this.#receiver.id, at: clock.now() });
				this.#tellAttempt(notice, attempt);
				return attempt;
			}),
		);
		await this.#noteReceiver(attempts);
	}

	/** Stops a receiver that is gone; pauses one that cannot take notices. */
	async #noteReceiver(attempts: readonly Attempt[]): Promise<void> {
		const stopping = attempts.find(({ stops }) => stops);
		const failed = attempts.filter(({ pause }) => pause !== undefined);
		const before = this.#receiver;
		if (stopping !== undefined) {
			this.#receiver = { ...before, state: 'stopped', detail: stopping.detail ?? '', wait: 0 };
			this.#tell('stopped', { status: 410, detail: stopping.detail ?? '' });
		} else if (failed.length > 0) {
			const failures = before.failures + 1;
			const asked = Math.max(...failed.map(({ pause = 0 }) => pause));
			const detail = failed[0]?.detail ?? '';
			this.#receiver = {
				...before,
				failures,
				detail,
				wait: Math.min(maxPause, Math.max(asked, pauseAfter(failures))),
			};
			this.#tell('waiting', { detail: `${detail}; tried again in ${Math.round(this.#receiver.wait / 1000)} s` });
		} else if (before.failures > 0 || before.detail !== undefined) {
			const { detail: _, ...rest } = before;
			this.#receiver = { ...rest, failures: 0, wait: 0 };
		} else return;
		this.#notBefore = this.#parts.clock.now() + this.#receiver.wait;
		await this.#parts.watch.setReceiver(this.#receiver);
	}

	async #send({ id, content, attempts }: ClaimedNotice): Promise<Attempt> {
		const { receiver, key, clock, fetcher } = this.#parts;
		const body = JSON.stringify({ type: `page.${content.kind}`, timestamp: content.at, data: content });
		const signed = signNotice(key, id, Math.floor(clock.now() / 1000), body);
		const response = await fetcher.get(receiver.address, {
			method: 'POST',
			headers: { ...signed, 'content-type': 'application/json' },
			body: Buffer.from(body),
			timeouts: { headers: timeLimit, total: timeLimit },
			maxBytes: maxResponse,
			onLimit: 'truncate',
		});
		return attemptOf(response, attempts, clock.now());
	}

	#tellAttempt({ id, content }: ClaimedNotice, { state, status, detail }: Attempt): void {
		const about = { id, url: content.url, ...(status !== undefined && { status }) };
		if (state === 'delivered') this.#tell('delivered', about);
		else if (state === 'kept') this.#tell('kept', { ...about, ...(detail !== undefined && { detail }) });
	}

	#tell(state: NoticeEvent['state'], more: Partial<NoticeEvent>): void {
		this.#parts.emit({ type: 'notice', state, receiver: shownReceiver(this.#parts.receiver.address), ...more });
	}
}

const aborted = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve(), { once: true });
	});

const pauseAfter = (failures: number): number => pauses[Math.min(failures, pauses.length) - 1] ?? 0;

function attemptOf(response: FetchResult, attempts: number, now: number): Attempt {
	const { status, headers } = response;
	// A status counts even if the body behind it was cut.
	if (status === undefined || headers === undefined)
		return { state: 'waiting', pause: 0, detail: response.ok ? '' : reasonOf(response) };
	if (status >= 200 && status < 300) return { state: 'delivered', status };
	const detail = `the receiver responded with ${status}`;
	if (status === 410) return { state: 'waiting', status, stops: true, detail: `${detail}: it wants no more notices` };
	if (status >= 300 && status < 400) {
		const to = headers.get('location') ?? 'nowhere';
		return { state: 'waiting', status, pause: 0, detail: `${detail}, to ${to}: pass the address that it redirects to` };
	}
	const isAway = status >= 500 || status === 408 || status === 425 || status === 429;
	if (isAway) return { state: 'waiting', status, pause: askedPause(headers, now, 0), detail };
	if (attempts < maxRejections) return { state: 'waiting', status, detail, wait: pauseAfter(attempts) };
	return { state: 'kept', status, detail: `${detail} ${attempts} times` };
}

function reasonOf({ reason, detail }: FetchFailed): string {
	if (reason === 'headers-timeout' || reason === 'total-timeout')
		return `the receiver did not respond within ${timeLimit / 1000} s`;
	return `the receiver cannot be reached: ${detail}`;
}
