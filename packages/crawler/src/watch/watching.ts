import type { Fetcher } from '@wayleave/io/http';
import type { Clock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { PageChange } from '../model/page-change.ts';
import type { Store } from '../store/roles/store.ts';
import type { NewChange, Watch } from '../store/roles/watch.ts';
import { PageWatch } from './page-watch.ts';
import { NoticeSender } from './sender.ts';
import type { WatchOptions } from './types.ts';
import { readReceiver, readSecret, shownReceiver } from './webhook.ts';

/** A watch with everything decided. */
export interface WatchSettings {
	readonly receivers: readonly { readonly address: string; readonly key: Uint8Array }[];
	readonly history: number;
}

const defaultHistory = 5;
/** Versions of a page that a store keeps at most. */
const maxHistory = 1000;

/** @throws CrawlError `bad-option` */
export function readWatch({ receivers = [], history = defaultHistory }: WatchOptions): WatchSettings {
	if (!Number.isInteger(history) || history < 1 || history > maxHistory)
		throw new CrawlError('bad-option', `watch.history must be a whole number from 1 to ${maxHistory}, not ${history}`);
	const read = receivers.map(({ url, secret }) => ({ address: readReceiver(url), key: readSecret(secret) }));
	const twin = read.find(({ address }, at) => read.findIndex((other) => other.address === address) < at);
	if (twin !== undefined)
		throw new CrawlError('bad-option', `the receiver ${shownReceiver(twin.address)} is named twice`);
	return { receivers: read, history };
}

interface Parts {
	readonly store: Store;
	readonly settings: WatchSettings;
	/** Posts notices; the watch closes it. */
	readonly fetcher: Fetcher;
	readonly clock: Clock;
	readonly emit: (event: CrawlEvent) => void;
}

/** Watches the pages of a crawl, run after run, and sends notices meanwhile. */
export class Watching {
	readonly #watch: Watch;
	readonly #parts: Parts;
	readonly #receivers: readonly number[];
	readonly #senders: readonly NoticeSender[];

	private constructor(parts: Parts, watch: Watch, receivers: readonly number[], senders: readonly NoticeSender[]) {
		this.#parts = parts;
		this.#watch = watch;
		this.#receivers = receivers;
		this.#senders = senders;
	}

	/** @throws CrawlError `bad-option` when the store cannot watch */
	static async open(parts: Parts): Promise<Watching> {
		const { store, settings, fetcher, clock, emit } = parts;
		const { watch } = store;
		if (watch === undefined)
			throw new CrawlError(
				'bad-option',
				'this store keeps no versions of pages: watch with sqlite:FILE or postgres://…',
			);
		const addresses = settings.receivers.map(({ address }) => address);
		const records = addresses.length === 0 ? [] : await watch.receivers(addresses);
		const senders = settings.receivers.flatMap(({ address, key }) => {
			const receiver = records.find((record) => record.address === address);
			if (receiver === undefined) return [];
			if (receiver.state === 'stopped') emit(stoppedEvent(address, receiver.detail));
			return new NoticeSender({ watch, receiver, key, fetcher, clock, isShared: store.leases.shared, emit });
		});
		const watching = new Watching(
			parts,
			watch,
			records.map(({ id }) => id),
			senders,
		);
		// A run that was killed at its very end has left them.
		if ((await store.frontier.lastRun())?.complete) await watching.release();
		for (const sender of senders) sender.start();
		return watching;
	}

	/** Looks at the visits of one run. */
	observer(): PageWatch {
		const { history } = this.#parts.settings;
		return new PageWatch({ watch: this.#watch, history, receivers: this.#receivers });
	}

	/** Changes were committed. */
	committed(changes: readonly NewChange[]): void {
		for (const { id, held, change } of changes) if (!held) this.#announce(id, change);
	}

	/** The run is complete: what waited for that is decided. */
	async release(): Promise<void> {
		const observer = this.observer();
		const released: { readonly id: string; readonly change: PageChange }[] = [];
		await this.#watch.release(this.#receivers, async (held) => {
			const change = await observer.decide(held);
			released.push({ id: held.id, change });
			return change;
		});
		for (const { id, change } of released) this.#announce(id, change);
	}

	/** Sends what can be sent now, and names what waits. @param isStopped ends after what is in flight */
	async close(isStopped: boolean): Promise<void> {
		await Promise.all(this.#senders.map((sender) => (isStopped ? sender.stop() : sender.finish())));
		await this.#parts.fetcher.close();
		if (this.#senders.length === 0) return;
		for (const { receiver, waiting, kept } of await this.#watch.counts())
			if (waiting + kept > 0)
				this.#parts.emit({ type: 'notice', state: 'left', receiver: shownReceiver(receiver), waiting, kept });
	}

	#announce(id: string, change: PageChange): void {
		const { diff: _, ...rest } = change;
		this.#parts.emit({ type: 'change', id, ...rest });
		for (const sender of this.#senders) sender.notify();
	}
}

const stoppedEvent = (address: string, detail = ''): CrawlEvent => ({
	type: 'notice',
	state: 'stopped',
	receiver: shownReceiver(address),
	detail,
});
