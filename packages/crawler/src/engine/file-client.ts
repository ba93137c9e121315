import { isLoopbackName } from '@wayleave/io/dns/loopback';
import type { FetchResult, GetOptions } from '@wayleave/io/http';
import { BoundedMap } from '../base/bounded-map.ts';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import { HostSlot, type SitePace } from '../politeness/host-slot.ts';
import { getFile, type PoliteClient, sendOne } from './polite-client.ts';

/** Hosts whose request times are remembered from one file to the next. */
const maxHosts = 1000;

/**
 * Gets single files, such as robots.txt, from hosts whose pages are fetched too, sharing one request rate with them. It
 * does not wait for a host that has asked for a pause.
 */
export class FileClient implements Pick<PoliteClient, 'get' | 'setSitePace'> {
	readonly #context: Pick<CrawlContext, 'hosts' | 'pace' | 'send'>;
	readonly #paces = new BoundedMap<SitePace>(maxHosts);
	/** Hosts of this machine, where files need no delay; undefined if the user has set one. */
	readonly #loopback: BoundedMap<HostSlot> | undefined;

	/** @param delay as the user has set it */
	constructor(context: Pick<CrawlContext, 'hosts' | 'pace' | 'send'>, delay: number | undefined) {
		this.#context = context;
		this.#loopback = delay === undefined ? new BoundedMap(maxHosts) : undefined;
	}

	get(url: string, redirects: number, options: GetOptions = {}): Promise<FetchResult> {
		return getFile((target, cookie) => this.#send(target, { ...options, cookie }), url, redirects);
	}

	setSitePace(url: string, pace: SitePace): void {
		const { hostname } = new URL(url);
		this.#paces.set(hostname, pace);
		this.#context.hosts.peek(hostname)?.setSitePace(pace);
	}

	async #send(url: string, options: GetOptions): Promise<FetchResult> {
		const { hosts, pace, send } = this.#context;
		const { hostname } = new URL(url);
		if (this.#loopback !== undefined && isLoopbackName(hostname))
			return sendOne(send, loopbackSlot(hostname, this.#loopback), url, options);
		const slot = await hosts.holdSoon(hostname);
		if (slot === undefined) return sendOne(async () => 'held', undefined, url, options);
		try {
			// A fresh slot learns the site's Crawl-delay only from its record.
			const lastDelay = slot.host.delay ?? 0;
			const site = this.#paces.get(hostname);
			if (site !== undefined) slot.setSitePace(site);
			const isPaused = slot.readyAt - pace.now() > Math.max(slot.delay, lastDelay);
			return await sendOne(isPaused ? async () => 'too-long' : send, slot, url, options);
		} finally {
			await hosts.release(slot);
		}
	}
}

function loopbackSlot(name: string, slots: BoundedMap<HostSlot>): HostSlot {
	const host = { id: 0, name, nextAt: 0, https: false };
	const slot = slots.get(name) ?? new HostSlot(host, { delay: 0, own: true, connections: 1 });
	slots.set(name, slot);
	return slot;
}
