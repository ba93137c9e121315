import { present } from '@wayleave/protocols';
import type { StoreReader, UrlHistory } from '../store/roles/reader.ts';

/** Everything that a store knows of a URL; undefined if it was never seen. */
export async function historyOf(store: StoreReader, url: string): Promise<UrlHistory | undefined> {
	const record = await store.frontier.historyOf(url);
	if (record === undefined) return undefined;
	const { host: name, ...rest } = record;
	const host = name === undefined ? undefined : await store.leases.stateOf(name);
	const page = record.kind === 'page' ? await store.pages.stored(url) : undefined;
	return {
		...rest,
		...present({ host, page }),
		...(await store.changes.historyOf(url)),
		policyFiles: await store.policies.filesOf(url),
	};
}
