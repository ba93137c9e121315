import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { ChainCookies, type FetchResult, type GetOptions, redirectTarget } from '@wayleave/io/http';
import { steadyClock, systemClock } from '../base/clock.ts';
import type { CommonOptions } from '../config/options.ts';
import { readSettings } from '../config/settings.ts';
import { HostSlot, type NotScheduled, type SitePace } from '../politeness/host-slot.ts';
import { mayBePrivate } from '../politeness/private-seeds.ts';
import { RequestScheduler } from '../politeness/request-scheduler.ts';
import { createRequester } from '../politeness/requester.ts';
import { openFetcher } from './fetcher-options.ts';
import { Meter } from './meter.ts';

interface Pace {
	/** Between two requests to this machine, where `delay` is not given; milliseconds. Default: as for any other host. */
	readonly loopbackDelay?: number;
}

export type PoliteClientOptions = Pace &
	Pick<
		CommonOptions,
		| 'identity'
		| 'delay'
		| 'ownSites'
		| 'maxPause'
		| 'pauseCap'
		| 'credentials'
		| 'proxy'
		| 'onProgress'
		| 'clock'
		| 'fetcher'
		| 'lookup'
		| 'limits'
		| 'ca'
		| 'signal'
	>;

/** Sends single requests as a crawl does: as the same agent, at the same pace, with the same limits. */
export interface PoliteClient {
	/**
	 * One file, after up to `redirects` redirects, each of which waits for its host.
	 */
	get(url: string, redirects: number, options?: GetOptions): Promise<FetchResult>;
	/** Sets the pace that the policy of a site wants for its host. */
	setSitePace(url: string, pace: SitePace): void;
	close(): Promise<void>;
}

/**
 * Opens what control files and single pages are read with where no document is made of them. Nothing is stored.
 *
 * @param named URLs that the user has typed: their hosts may be on a private network
 * @throws CrawlError when an option is wrong
 */
export function createPoliteClient(named: readonly string[], options: PoliteClientOptions = {}): PoliteClient {
	const settings = readSettings(options);
	const fetcher = options.fetcher ?? openFetcher(mayBePrivate(named), options, settings);
	const clock = options.clock ?? systemClock;
	const pace = options.clock ?? steadyClock;
	const scheduler = new RequestScheduler(pace, settings.concurrency, settings.maxPause);
	const send = createRequester({
		fetcher,
		scheduler,
		clock,
		pace,
		meter: new Meter(pace.now()),
		emit: () => {},
		assure: async () => undefined,
		sign: settings.sign,
		onProgress: options.onProgress,
	});
	const stop = () => scheduler.stop();
	options.signal?.addEventListener('abort', stop, { once: true });
	if (options.signal?.aborted) stop();
	const slots = new Map<string, HostSlot>();
	const slotOf = (url: string): HostSlot => {
		const { hostname: name } = new URL(url);
		const isLoopback = isLoopbackName(name);
		const own = settings.ownSites.has(name) || isLoopback;
		const delay = options.delay ?? (isLoopback ? options.loopbackDelay : undefined) ?? settings.delay;
		const host = { id: slots.size, name, nextAt: 0, https: false };
		const slot = slots.get(name) ?? new HostSlot(host, { delay, own, connections: 1, pauseCap: settings.pauseCap });
		slots.set(name, slot);
		return slot;
	};
	return {
		get: (url, redirects, more = {}) =>
			getFile((target, cookie) => sendOne(send, slotOf(target), target, { ...more, cookie }), url, redirects),
		setSitePace: (url, site) => void slotOf(url).setSitePace(site),
		async close() {
			options.signal?.removeEventListener('abort', stop);
			scheduler.stop();
			if (options.fetcher === undefined) await fetcher.close();
		},
	};
}

const noTurns = {
	stopped: 'the command was interrupted',
	'too-long': 'the site asked to be retried later',
	held: 'another process is crawling the host',
} as const;

/** Fetches one file, following up to `redirects` redirects. */
export async function getFile(
	get: (url: string, cookie?: string) => Promise<FetchResult>,
	url: string,
	redirects: number,
): Promise<FetchResult> {
	const cookies = new ChainCookies();
	let response = await get(url);
	for (let hop = 0; response.ok && hop < redirects; hop++) {
		const target = redirectTarget(response);
		if (!target?.ok) break;
		cookies.take(response.url, response.headers);
		response = await get(target.url, cookies.valueFor(target.url));
	}
	return response;
}

/** Sends one request; fails if the host gives no slot. */
export async function sendOne<Slot>(
	send: (slot: Slot, url: string, options: GetOptions) => Promise<FetchResult | NotScheduled>,
	slot: Slot,
	url: string,
	options: GetOptions,
): Promise<FetchResult> {
	const response = await send(slot, url, options);
	return typeof response === 'string' ? { ok: false, url, reason: 'aborted', detail: noTurns[response] } : response;
}
