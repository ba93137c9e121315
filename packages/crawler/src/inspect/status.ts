import { rfc3339 } from '../base/time.ts';
import type { StoreReader, StoreStatus } from '../store/roles/reader.ts';

/** Hosts that the status lists. */
const maxHosts = 20;

export async function statusOf(store: StoreReader): Promise<StoreStatus> {
	const run = await lastRun(store);
	const { documents, bytes, total } = await store.pages.size();
	const outgoing = (await store.frontier.outgoing?.()) ?? 0;
	return {
		...(await store.frontier.tally()),
		...(run && { run }),
		...(await store.frontier.size()),
		...(outgoing > 0 && { outgoing }),
		waiting: await store.leases.waitingHosts(maxHosts),
		pages: { documents, bytes },
		policyFiles: await store.policies.count(),
		bytes: total,
	};
}

async function lastRun({ frontier, leases }: StoreReader): Promise<StoreStatus['run']> {
	const run = await frontier.lastRun();
	if (run === undefined) return undefined;
	const { mode, startedAt, endedAt, complete } = run;
	const open = (await leases.activeWorkers()) > 0 ? 'open' : 'killed';
	return {
		mode,
		startedAt: rfc3339(startedAt),
		...(endedAt !== undefined && { endedAt: rfc3339(endedAt) }),
		state: complete === undefined ? open : complete ? 'complete' : 'interrupted',
	};
}
