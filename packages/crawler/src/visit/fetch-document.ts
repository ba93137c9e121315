import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import { systemClock } from '../clock.ts';
import { normaliseUrl } from '../discover/normalise.ts';
import type { Scope } from '../discover/scope.ts';
import { createWorld, silently } from '../engine/create-world.ts';
import { rfc3339 } from '../engine/requester.ts';
import { CrawlError } from '../errors.ts';
import { leastForeignDelay } from '../manners/slot.ts';
import type { FetchOptions } from '../options.ts';
import type { Result } from '../result.ts';
import { readSettings } from '../settings.ts';
import { isFresh } from '../som/representation.ts';
import { openStore } from '../store/open.ts';
import type { FrontierUrl, NewUrl, Store } from '../store/types.ts';
import type { ReadPage } from './read-page.ts';
import { visitPage } from './visit-page.ts';
import type { Visited } from './visited.ts';

/**
 * One page, on the same terms as a crawl: policies obeyed, redirects checked, the pace of the host kept.
 *
 * With a store, `cache_first` gives the stored snapshot without a request (`cache.status` is `hit`) and
 * `force_refresh` asks the server whether it has changed.
 *
 * @throws CrawlError when an option is wrong or the store fails; what the site does is told by the result.
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<Result> {
	return fetchDocumentWith((await import('./read-page.ts')).readPage, url, options);
}

/** The same with another reader of pages. */
export async function fetchDocumentWith(read: ReadPage, url: string, options: FetchOptions = {}): Promise<Result> {
	const asked = normaliseUrl(url);
	if (asked === undefined) throw new CrawlError('bad-seed', `${url} is not an http(s) address`);
	const reuse = options.freshnessPolicy !== 'force_refresh';
	const settings = { ...readSettings(options), retries: 0, reuse };
	const clock = options.clock ?? systemClock;
	const store = typeof options.store === 'object' ? options.store : await openStore(options.store ?? 'memory');
	const freshnessPolicy = options.freshnessPolicy ?? 'cache_first';
	try {
		const cached = freshnessPolicy === 'cache_first' ? await hit(store, asked, clock.now()) : undefined;
		if (cached !== undefined) return cached;
		await store.recover(clock.now(), Math.max(settings.delay, leastForeignDelay));
		const parts = {
			options,
			settings,
			store,
			read,
			freshnessPolicy,
			scope: everywhere,
			seeds: [asked],
			emit: silently,
		};
		const own = createWorld({ ...parts, onRelease: () => {} });
		const stop = () => own.turns.stop();
		options.signal?.addEventListener('abort', stop, { once: true });
		if (options.signal?.aborted) stop();
		try {
			const from = await frontierUrl(store, asked);
			const slot = await own.world.hosts.hold(new URL(asked).hostname);
			if (slot === undefined) throw new CrawlError('store-in-use', 'another crawl is visiting this host');
			const visited = await visitPage(from, slot, own.world);
			await own.world.hosts.release(slot);
			if (typeof visited === 'string') return given(asked, clock.now());
			await keep(store, from, visited);
			return lastOf(asked, visited);
		} finally {
			options.signal?.removeEventListener('abort', stop);
			await own.close();
		}
	} finally {
		if (typeof options.store !== 'object') await store.close();
	}
}

/** A page that the user has named may lead wherever it does. */
const everywhere: Scope = { check: () => undefined, widen: () => false, key: '' };

/** The stored snapshot, its time of fetching as it was (AIWebIndex 2.0 §4.2). */
async function hit(store: Store, url: string, now: number): Promise<Result | undefined> {
	const known = await store.find(url);
	const snapshot = await store.snapshot(known?.redirectedTo ?? url);
	if (snapshot === undefined) return undefined;
	const { document, page, policy, representation } = snapshot;
	// A permission for one use was spent by the visit that brought the copy (AMB-56).
	if (policy?.limits?.once === true) return undefined;
	if (representation?.freshUntil !== undefined && !isFresh(representation, now)) return undefined;
	const freshness_policy: FreshnessPolicy = 'cache_first';
	return {
		url,
		outcome: 'unchanged',
		reason: 'cached',
		depth: 0,
		at: rfc3339(now),
		...(known?.redirectedTo !== undefined && { redirectedTo: known.redirectedTo }),
		document: {
			...document,
			source: { ...document.source, freshness_policy },
			cache: { status: 'hit', origin_contacted: false, body_fetched: false },
		},
		...(page && { page }),
		...(policy && { policy }),
		...(representation && { representation }),
	};
}

async function frontierUrl(store: Store, url: string): Promise<FrontierUrl> {
	const known = await store.find(url);
	return {
		id: 0,
		url,
		kind: 'page',
		depth: 0,
		dates: 0,
		attempts: 0,
		seed: true,
		...(known?.last && { last: known.last }),
	};
}

function given(url: string, now: number): Result {
	return { url, outcome: 'failed', reason: 'aborted', depth: 0, at: rfc3339(now) };
}

async function keep(store: Store, { url, depth, dates }: FrontierUrl, { visit }: Visited): Promise<void> {
	const { ending, content, at, status, redirectedTo, target } = visit;
	if (ending === undefined) return;
	const own: NewUrl = { url, kind: 'page', host: new URL(url).hostname, depth, dates };
	const facts = { at, ...(status !== undefined && { status }) };
	const kept = content && { content };
	if (target !== undefined) await store.keep({ ...target, ...facts, ...kept });
	await store.keep({ url: own, ending, ...facts, ...(redirectedTo && { redirectedTo }), ...(target ? {} : kept) });
}

/** What became of the page at the end of the redirects, under the URL that was asked for. */
function lastOf(asked: string, { results }: Visited): Result {
	const [first] = results;
	return {
		...results.at(-1)!,
		url: asked,
		...(first?.redirectedTo !== undefined && { redirectedTo: first.redirectedTo }),
	};
}
