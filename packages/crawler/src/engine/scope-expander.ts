import type { Discovery } from '../discover/discovery.ts';
import { isOutside, type Scope } from '../discover/scope.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { Committed } from '../store/roles/commit.ts';
import type { NewUrl } from '../store/roles/frontier.ts';
import type { Store } from '../store/roles/store.ts';

interface Tools {
	readonly store: Store;
	readonly scope: Scope;
	readonly discovery: Discovery;
	readonly emit: (event: CrawlEvent) => void;
	/** So many URLs wait that were out of scope. */
	readonly onWaiting: (count: number) => void;
	/** So many new ones wait, by host. */
	readonly onAdded: (added: Committed['added']) => void;
}

/** Redirected seeds make the scope of a run wider: what was out of it before is looked at again. */
export class ScopeExpander {
	readonly #tools: Tools;

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	/** A seed was redirected: what was found before and belongs there is visited too. */
	async widen(urls: readonly string[]): Promise<void> {
		const { store, discovery, emit, onWaiting } = this.#tools;
		discovery.forget();
		for (const url of urls) emit({ type: 'host', host: new URL(url).hostname, change: 'in-scope', detail: url });
		onWaiting(await store.frontier.reconsider((url) => discovery.reconsider(url)));
	}

	/** The same where another worker has followed the redirect. */
	async refresh(): Promise<void> {
		const { store, scope } = this.#tools;
		if (!store.leases.shared) return;
		const led = (await store.frontier.scopeExpansions()).filter((url) => scope.widen(url));
		if (led.length > 0) await this.widen(led);
	}

	/** The same where a worker has died that would have done so. */
	async makeUp(): Promise<void> {
		if (await this.#tools.store.frontier.hasUnjudged()) await this.widen([]);
	}

	/**
	 * Links of a visit that were judged before the scope has changed. They are committed first and looked at then, as is
	 * what widens the scope: one of the two sees the other.
	 *
	 * @param version of the scope by which they were judged
	 */
	async judgeAgain(found: readonly NewUrl[], version: number): Promise<void> {
		const { store, scope, discovery, onAdded } = this.#tools;
		const outside = found.filter(({ ending }) => ending !== undefined && isOutside(ending));
		if (outside.length === 0) return;
		await this.refresh();
		if (scope.version === version) return;
		const inside = outside.filter((url) => discovery.reconsider(url) !== undefined);
		onAdded(await store.frontier.offer(inside.map(({ ending: _, ...url }) => url)));
	}
}
