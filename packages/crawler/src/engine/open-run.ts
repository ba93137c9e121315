import { present } from '@wayleave/protocols';
import { AddressRules, changedRules } from '../addresses/address-rules.ts';
import { systemClock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import type { CrawlOptions } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';
import { Discovery } from '../discover/discovery.ts';
import { createScope, type Scope } from '../discover/scope.ts';
import type { CrawlEvent } from '../model/events.ts';
import { isRollingSink } from '../sinks/types.ts';
import type { RunState } from '../store/roles/frontier.ts';
import type { Store, StoreTrouble } from '../store/roles/store.ts';
import { openStore } from '../store/sql/open.ts';

interface Opening {
	readonly seeds: readonly string[];
	readonly options: CrawlOptions;
	readonly settings: Settings;
}

/** The store of a crawl: the one that was given, or its own, which it has to close, and whose troubles it tells. */
export async function storeOf({
	options,
	emit,
}: Pick<Opening, 'options'> & { readonly emit: (event: CrawlEvent) => void }): Promise<Store> {
	if (typeof options.store === 'object') {
		if (options.documents !== undefined)
			throw new CrawlError('bad-option', 'documents: the store is open already: pass this option to openStore');
		return options.store;
	}
	const onTrouble = (trouble: StoreTrouble) => emit({ type: 'store', ...trouble });
	const { clock, documents } = options;
	const store = await openStore(options.store ?? 'memory', present({ clock, documents, onTrouble }));
	if (store.documents?.remembered) emit({ type: 'store', state: 'documents', detail: store.documents.place });
	return store;
}

/**
 * Begins a run in the store, goes on with one, or joins one.
 *
 * @param onFreed hosts of others may have become free
 */
export async function openRun(
	{ seeds, options, settings }: Opening,
	store: Store,
	onFreed: () => void,
): Promise<{ state: RunState; scope: Scope; changed: readonly string[] }> {
	const clock = options.clock ?? systemClock;
	const kind = options.scope ?? 'host';
	const draft = createScope(kind, seeds, await store.frontier.scopeExpansions());
	const { maxDepth, sitemaps } = settings;
	const rules = new AddressRules(options);
	const now = () => clock.now();
	const judge = new Discovery({
		scope: draft,
		maxDepth,
		sitemaps,
		routes: () => settings.render.mode !== 'never',
		filter: options.filter,
		rules,
		wantsHttps: () => false,
		now,
	});
	await store.leases.recover(now(), onFreed);
	const state = await store.begin({
		seeds: seeds.map((url) => ({ url, kind: 'page', host: new URL(url).hostname, depth: 0, dates: 0, seed: true })),
		scope: `${draft.key} depth ${maxDepth}${rules.key === '' ? '' : ` rules ${rules.key}`}`,
		refresh: options.refresh ?? false,
		...(settings.every !== undefined && { every: settings.every }),
		lasting: (options.sinks ?? []).filter((sink) => sink.archive || isRollingSink(sink)).map(({ name }) => name),
		at: now(),
		reconsider: (url) => judge.reconsider(url),
	});
	const [, before = ''] = state.scopeBefore?.split(' rules ') ?? [];
	const changed = state.scopeBefore === undefined ? [] : changedRules(before, rules.key);
	return { state, scope: createScope(kind, seeds, state.scopeExpansions), changed };
}
