import { deepEqual } from 'node:assert/strict';
import type { AIDocument } from '@wayleave/protocols/aidocument';
import type { Batch, Committed, Visit } from '../roles/commit.ts';
import type { FrontierUrl, NewUrl, RunRequest } from '../roles/frontier.ts';
import type { Content } from '../roles/pages.ts';
import type { Store } from '../roles/store.ts';

/** One thing that a store has to do; `run` throws if it does not. Works in any test runner. */
export interface ContractCase<Subject> {
	readonly name: string;
	run(subject: Subject): Promise<void>;
}

export const at = Date.now();
export const far = at + 365 * 24 * 60 * 60 * 1000;
export const home = 'http://a.test/';

export const page = (url: string, more: Partial<NewUrl> = {}): NewUrl => ({
	url,
	kind: 'page',
	host: new URL(url).hostname,
	depth: 0,
	dates: 0,
	...more,
});

export const link = (path: string, more: Partial<NewUrl> = {}): NewUrl =>
	page(`http://a.test${path}`, { depth: 1, ...more });

export const request = (more: Partial<RunRequest> = {}): RunRequest => ({
	seeds: [page(home, { seed: true })],
	scope: 'host',
	refresh: false,
	at,
	reconsider: () => undefined,
	...more,
});

/** A page that was fetched and led nowhere. */
export const visit = ({ id }: { readonly id: number }, more: Partial<Visit> = {}): Visit => ({
	id,
	ending: { outcome: 'fetched' },
	attempts: 1,
	at,
	status: 200,
	found: [],
	...more,
});

export const commit = (store: Store, visits: readonly Visit[], more: Partial<Batch> = {}): Promise<Committed> =>
	store.commit({ visits, hosts: [], positions: new Map(), scopeExpansions: [], ...more });

/** Stores treat documents as opaque values. */
export const document = (title: string): AIDocument => ({ identity: { title } }) as unknown as AIDocument;

export const content = (title: string, more: Partial<Content> = {}): Content => ({
	etag: `"${title}"`,
	bodyHash: new Uint8Array([1, 2, 3]),
	snapshot: { fetchedAt: at, document: document(title) },
	...more,
});

/** The URLs of a host that are due. */
export async function due(store: Store, host = 'a.test', now = at): Promise<FrontierUrl[]> {
	const record = await store.leases.claimHost(host);
	if (record === undefined) throw new Error(`${host} is held`);
	const urls = await store.frontier.pending(record.id, 'page', now, 100);
	await store.leases.releaseHost(record);
	return urls;
}

export async function beginWithSeed(store: Store): Promise<FrontierUrl> {
	await store.leases.recover(at);
	await store.begin(request());
	return only(await due(store));
}

export function only<Item>(items: readonly Item[]): Item {
	const [item] = items;
	if (item === undefined || items.length > 1) throw new Error(`expected one item instead of ${items.length}`);
	return item;
}

export const urlsOf = (items: readonly { readonly url: string }[]): string[] => items.map(({ url }) => url);

export async function gather<Item>(pieces: AsyncIterable<readonly Item[]>): Promise<Item[]> {
	const items: Item[] = [];
	for await (const piece of pieces) items.push(...piece);
	return items;
}

/** @throws unless the value has the members that are expected; it may have others. */
export function matches(value: object | undefined, expected: object): void {
	const members = Object.keys(expected).map((key) => [key, (value as Record<string, unknown> | undefined)?.[key]]);
	deepEqual(Object.fromEntries(members), expected);
}
