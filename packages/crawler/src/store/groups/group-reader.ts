import { present } from '@wayleave/protocols';
import type { LearnedAddresses } from '../../model/learned-addresses.ts';
import type { Result } from '../../model/result.ts';
import type { ChangeReader } from '../roles/changes.ts';
import type { FrontierReader, LearnedPart, RunRecord, UrlCounts, UrlList } from '../roles/frontier.ts';
import type { LeasesReader } from '../roles/leases.ts';
import type { ForgetTarget, PagesReader, StoredResultsOptions } from '../roles/pages.ts';
import type { PolicyReader } from '../roles/policies.ts';
import type { StoreReader } from '../roles/reader.ts';
import type { SqlStoreReader } from '../sql/open-for-reading.ts';
import type { HostGroups } from './host-groups.ts';
import { mergeTallies } from './merge-tallies.ts';

export interface ReadMember {
	readonly id: string;
	readonly reader: SqlStoreReader;
}

/** Numbers of URLs in one database: those of the next one begin behind them. */
const span = 2 ** 44;

/** Several databases of one crawl, read as one store. */
export function groupReader(members: readonly ReadMember[], groups: HostGroups): StoreReader {
	const readers = members.map(({ reader }) => reader);
	const ofHost = (host: string): SqlStoreReader => {
		const owner = groups.ownerOf(host);
		const member = members.find(({ id }) => id === owner);
		if (member === undefined) throw new Error(`no database has ${host}`);
		return member.reader;
	};
	const ofUrl = (url: string) => ofHost(new URL(url).hostname);
	return {
		frontier: frontierOf(readers, ofUrl),
		pages: pagesOf(readers, ofUrl),
		policies: policiesOf(readers, ofUrl),
		changes: { historyOf: (url) => ofUrl(url).changes.historyOf(url) } satisfies ChangeReader,
		leases: leasesOf(readers, ofHost),
		async prune(options) {
			const all = [];
			for (const reader of readers) all.push(await reader.prune(options));
			const objects = all.flatMap((pruned) => pruned.objects ?? []);
			return {
				...sums(all, 'documents', 'bytes', 'gone'),
				...(objects.length > 0 && { objects: sums(objects, 'count', 'bytes') }),
			};
		},
		forget: (target) => ofTarget(target, ofUrl, ofHost).forget(target),
		remember: (target) => ofTarget(target, ofUrl, ofHost).remember(target),
		close: async () => void (await Promise.all(readers.map((reader) => reader.close()))),
	};
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** The sums of some counts of all. */
const sums = <Name extends string>(all: readonly Readonly<Record<Name, number>>[], ...names: readonly Name[]) =>
	Object.fromEntries(names.map((name) => [name, sum(all.map((each) => each[name]))])) as Record<Name, number>;

const ofTarget = (
	target: ForgetTarget,
	ofUrl: (url: string) => SqlStoreReader,
	ofHost: (host: string) => SqlStoreReader,
): SqlStoreReader => ('url' in target ? ofUrl(target.url) : ofHost(target.host));

/** A number of a URL in one database, as one of all; and back. */
const toAll = (member: number, id: number): number => member * span + id;
const fromAll = (id: number): readonly [member: number, id: number] => [Math.floor(id / span), id % span];

/** Where the next piece of a list begins: in the same database, in the next one, or nowhere. */
function nextAfter(member: number, next: number | undefined, count: number): number | undefined {
	if (next !== undefined) return toAll(member, next);
	return member + 1 < count ? toAll(member + 1, 0) : undefined;
}

function frontierOf(readers: readonly SqlStoreReader[], ofUrl: (url: string) => SqlStoreReader): FrontierReader {
	const each = <Value>(work: (reader: SqlStoreReader) => Promise<Value>) => Promise.all(readers.map(work));
	return {
		async list(request): Promise<UrlList> {
			const [member, after] = fromAll(request.after);
			const reader = readers[member];
			if (reader === undefined) return { urls: [] };
			const { urls, next } = await reader.frontier.list({ ...request, after });
			const following = nextAfter(member, next, readers.length);
			return present({ urls: urls.map((url) => ({ ...url, id: toAll(member, url.id) })), next: following });
		},
		async count(after, rows, slices): Promise<UrlCounts> {
			const [member, own] = fromAll(after);
			const reader = readers[member];
			if (reader === undefined) return { counts: [], slices: [] };
			const { next, ...counted } = await reader.frontier.count(own, rows, slices);
			const following = nextAfter(member, next, readers.length);
			return { ...counted, ...(following !== undefined && { next: following }) };
		},
		async startingWith(prefix, limit) {
			const found = await each(({ frontier }) => frontier.startingWith(prefix, limit));
			const urls = found.flatMap((own, member) => own.map((url) => ({ ...url, id: toAll(member, url.id) })));
			return urls.sort((a, b) => (a.url < b.url ? -1 : 1)).slice(0, limit);
		},
		async tally() {
			const tally = mergeTallies(await each(({ frontier }) => frontier.tally()));
			return { ...tally, pending: tally.pending + ((await this.outgoing?.()) ?? 0) };
		},
		async size() {
			return sums(await each(({ frontier }) => frontier.size()), 'urls', 'hosts');
		},
		historyOf: (url) => ofUrl(url).frontier.historyOf(url),
		async learnedAddresses(part) {
			return mergeLearned(await each(({ frontier }) => frontier.learnedAddresses(part)), part);
		},
		async lastRun() {
			return mergeRuns(await each(({ frontier }) => frontier.lastRun()));
		},
		async outgoing() {
			const waiting = await each(({ member }) => member.outgoing());
			return sum(waiting.flatMap((counts) => [...counts.values()]));
		},
	};
}

/** The hosts of one part of each database; those behind the first end of a part come with the next one. */
function mergeLearned(all: readonly LearnedAddresses[], part: LearnedPart | undefined): LearnedAddresses {
	const ends = all.flatMap(({ next }) => next ?? []).sort();
	const next = part === undefined ? undefined : ends[0];
	const hosts = all.flatMap((each) => each.hosts).filter(({ host }) => next === undefined || host <= next);
	return {
		hosts: hosts.sort((a, b) => (a.host < b.host ? -1 : 1)),
		...(next !== undefined && { next }),
		aliases: sum(all.map(({ aliases }) => aliases)),
		examples: all.flatMap(({ examples }) => examples),
	};
}

/** It goes on as long as one of them does. */
function mergeRuns(runs: readonly (RunRecord | undefined)[]): RunRecord | undefined {
	const known = runs.flatMap((run) => run ?? []);
	const [first] = known;
	if (first === undefined) return undefined;
	const isOpen = known.some(({ complete }) => complete === undefined);
	const ends = known.flatMap(({ endedAt }) => endedAt ?? []);
	return {
		mode: first.mode,
		startedAt: Math.min(...known.map(({ startedAt }) => startedAt)),
		...(!isOpen && ends.length > 0 && { endedAt: Math.max(...ends) }),
		...(!isOpen && { complete: known.every(({ complete }) => complete === true) }),
	};
}

function pagesOf(readers: readonly SqlStoreReader[], ofUrl: (url: string) => SqlStoreReader): PagesReader {
	return {
		versions: (url) => ofUrl(url).pages.versions(url),
		async documents(after, limit) {
			for (let [member, own] = fromAll(after); member < readers.length; member++, own = 0) {
				const found = (await readers[member]?.pages.documents(own, limit)) ?? [];
				const at = member;
				if (found.length > 0) return found.map((each) => ({ ...each, id: toAll(at, each.id) }));
			}
			return [];
		},
		async replaced({ after, ...request }) {
			const found = await Promise.all(
				readers.map(async ({ pages }, member) => {
					const own = after && { replacedAt: after.replacedAt, id: after.id - member * span };
					const some = await pages.replaced({ ...request, ...(own && { after: own }) });
					return some.map((each) => ({ ...each, id: toAll(member, each.id) }));
				}),
			);
			const latest = found.flat().sort((a, b) => b.replacedAt - a.replacedAt || b.id - a.id);
			return latest.slice(0, request.limit);
		},
		results: (options) => resultsOf(readers, options),
		stored: (url) => ofUrl(url).pages.stored(url),
		async size() {
			return sums(await Promise.all(readers.map(({ pages }) => pages.size())), 'documents', 'bytes', 'total');
		},
	};
}

async function* resultsOf(
	readers: readonly SqlStoreReader[],
	options: StoredResultsOptions | undefined,
): AsyncIterable<Result[]> {
	for (const { pages } of readers) yield* pages.results(options);
}

const policiesOf = (readers: readonly SqlStoreReader[], ofUrl: (url: string) => SqlStoreReader): PolicyReader => ({
	policyFile: (url) => ofUrl(url).policies.policyFile(url),
	filesOf: (url) => ofUrl(url).policies.filesOf(url),
	count: async () => sum(await Promise.all(readers.map(({ policies }) => policies.count()))),
});

const leasesOf = (readers: readonly SqlStoreReader[], ofHost: (host: string) => SqlStoreReader): LeasesReader => ({
	// Each worker is in every database.
	activeWorkers: async () => Math.max(...(await Promise.all(readers.map(({ leases }) => leases.activeWorkers())))),
	stateOf: (host) => ofHost(host).leases.stateOf(host),
	async waitingHosts(limit) {
		const hosts = (await Promise.all(readers.map(({ leases }) => leases.waitingHosts(limit)))).flat();
		return hosts.sort((a, b) => b.count - a.count || (a.host < b.host ? -1 : 1)).slice(0, limit);
	},
});
