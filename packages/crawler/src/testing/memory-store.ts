import { withoutRoute } from '../addresses/routes.ts';
import type { DuplicateTally, RunMode } from '../model/events.ts';
import type { MinHashSignature } from '../model/minhash-signature.ts';
import type { Ending, Outcome, Reason } from '../model/outcome.ts';
import { isSpent, type Result } from '../model/result.ts';
import { afterCheck, type History, urgency } from '../model/revisit.ts';
import { isPutOff, supersedesCopy } from '../response/classify.ts';
import { singleProcessLeases } from '../store/leases/single-process.ts';
import type { ChangeRecords, CheckResult, ListedUrl, SiteRecord } from '../store/roles/changes.ts';
import type { Batch, Committed } from '../store/roles/commit.ts';
import type {
	Frontier,
	KnownUrl,
	NewUrl,
	RunRecord,
	RunRequest,
	UrlFilter,
	UrlKind,
	UrlSummary,
} from '../store/roles/frontier.ts';
import type { HostRecord } from '../store/roles/leases.ts';
import type { Content, KeptPage, Pages, SiteOf, Snapshot } from '../store/roles/pages.ts';
import type { KeptAnswer, PolicyFile } from '../store/roles/policies.ts';
import type { Store } from '../store/roles/store.ts';
import type { TallyRow } from '../store/roles/tally.ts';

interface Row extends Omit<NewUrl, 'ending' | 'host'> {
	readonly id: number;
	depth: number;
	host: string | undefined;
	via: Row | undefined;
	waits: boolean;
	/** Of the last visit, also while it waits. */
	ending: Ending | undefined;
	evidence?: Result['evidence'];
	status: number | undefined;
	redirectedTo: string | undefined;
	attempts: number;
	due: number;
	at: number | undefined;
	run: number;
	page?: Snapshot | Omit<Snapshot, 'document'>;
	former?: Snapshot & { readonly replacedAt: number };
	minHash?: NonNullable<Content['minHash']>;
	names: readonly string[];
	history?: History;
}

const iso = (time: number): string => new Date(time).toISOString();
const define = <Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } =>
	Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;

/** A store of our own in maps, for one process: it shows that the interface is enough to write a store by. */
export function memoryStore(): Store {
	const rows: Row[] = [];
	const byKey = new Map<string, Row>();
	const hosts = new Map<string, { record: HostRecord; held: boolean; learned?: string }>();
	const positions = new Map<string, string>();
	const runs: (RunRecord & { readonly scope: string })[] = [];
	const scopeExpansions = new Set<string>();
	const forgotten = new Set<string>();
	const policyFiles = new Map<string, PolicyFile>();
	const answers = new Map<string, KeptAnswer>();
	const sites: { record: SiteRecord; listed: Map<string, ListedUrl> }[] = [];

	const keyOf = (url: string, kind: UrlKind = 'page') => `${kind} ${url}`;
	const pageAt = (url: string) => byKey.get(keyOf(url));
	const hostOf = (name: string) => {
		const known = hosts.get(name) ?? {
			record: { id: hosts.size + 1, name, nextAt: 0, https: false },
			held: false,
		};
		hosts.set(name, known);
		return known;
	};
	const nameOf = (id: number) => [...hosts.values()].find(({ record }) => record.id === id)?.record.name;
	const waitingOf = (name: string | undefined) => rows.filter((row) => row.waits && row.host === name);
	/** Without those that `prune` removed. */
	const pages = () => rows.filter((row) => row.kind === 'page' && pageAt(row.url) === row);
	const documentOf = (row: Row): Snapshot | undefined =>
		row.page !== undefined && 'document' in row.page ? row.page : undefined;
	const markSuperseded = (row: Row) => {
		if (row.page !== undefined) row.page = { ...row.page, isCurrent: false };
	};

	function addRow(url: NewUrl, via: Row | undefined, at: number): Row {
		const row: Row = {
			...{ id: rows.length + 1, url: url.url, kind: url.kind, depth: url.depth, dates: url.dates, via, names: [] },
			...{ seed: url.seed === true, waits: url.ending === undefined, ending: url.ending, attempts: 0, due: 0 },
			...{ status: undefined, redirectedTo: undefined, run: runs.length, at: url.ending && at },
			host: url.ending === undefined ? hostOf(url.host).record.name : undefined,
		};
		rows.push(row);
		byKey.set(keyOf(url.url, url.kind), row);
		return row;
	}

	/** Returns the URLs that wait now and did not before. */
	function add(found: readonly NewUrl[], via: Row | undefined, at: number): NewUrl[] {
		return found.filter((url) => {
			const known = byKey.get(keyOf(url.url, url.kind));
			if (known === undefined) return addRow(url, via, at).waits;
			if (url.ending !== undefined) return false;
			const comesIn = known.ending?.outcome === 'out-of-scope' && known.host === undefined && !known.waits;
			if (!comesIn && !(known.waits && url.depth < known.depth)) return false;
			known.depth = Math.min(known.depth, url.depth);
			known.host = hostOf(url.host).record.name;
			if (comesIn) known.ending = undefined;
			known.waits = true;
			return true;
		});
	}

	function end(row: Row, { ending, at, due, status, redirectedTo }: Omit<KeptPage, 'url'>): void {
		Object.assign(row, { waits: false, ending, at, due: due ?? 0, status, redirectedTo, run: runs.length });
		if (supersedesCopy(ending, redirectedTo)) markSuperseded(row);
	}

	function endTarget(page: KeptPage, via: Row | undefined): Row {
		const row = pageAt(page.url.url) ?? addRow(page.url, via, page.at);
		row.host ??= hostOf(page.url.host).record.name;
		row.attempts = 1;
		end(row, page);
		return row;
	}

	function savePage(row: Row, content: Content, at: number): void {
		const { minHash, snapshot, etag, lastModified, bodyHash } = content;
		const isRevoked = snapshot !== undefined && snapshot.document === undefined;
		if (minHash) row.minHash = minHash;
		else if (minHash === null || isRevoked) delete row.minHash;
		if (snapshot === undefined) {
			if (row.page !== undefined)
				row.page = { ...row.page, ...define({ etag, lastModified }), checkedAt: at, isCurrent: true };
			return;
		}
		const validators = define({ etag, lastModified, bodyHash });
		const checkedAt = content.checkedAt ?? at;
		const before = documentOf(row);
		if (isRevoked) delete row.former;
		else if (before !== undefined && before.fetchedAt !== snapshot.fetchedAt && !hasSameBody(before, bodyHash))
			row.former = { ...before, replacedAt: at };
		row.page = { ...validators, ...snapshot, url: row.url, checkedAt, isCurrent: true } as NonNullable<Row['page']>;
	}

	const hasSameBody = ({ bodyHash: known }: Snapshot, hash: Uint8Array | undefined) =>
		known !== undefined && hash !== undefined && Buffer.compare(known, hash) === 0;

	function recordCheck(row: Row, at: number, { changed, rules }: CheckResult): void {
		row.history = afterCheck(row.history, at, changed, rules);
	}

	function tell(row: Row, document: boolean): Result {
		const { ending, page } = row;
		const { outcome, reason, detail, aliasOf } = ending ?? { outcome: 'unchanged', reason: 'cached' };
		const kept = document ? documentOf(row) : undefined;
		return define({
			...{ url: row.url, outcome, reason, detail, aliasOf, depth: row.depth, at: iso(row.at ?? page?.fetchedAt ?? 0) },
			...{ evidence: row.evidence, status: row.status, redirectedTo: row.redirectedTo, foundOn: row.via?.url },
			...(kept && define({ document: kept.document, page: kept.page, policy: kept.policy })),
		}) as Result;
	}

	const isGood = ({ waits, ending, page }: Row): boolean =>
		(waits && ending === undefined) ||
		(['fetched', 'unchanged', 'deferred', 'failed'].includes(ending?.outcome ?? '') && page?.isCurrent === true);
	const isUnspent = ({ policy, outcome, reason }: Result) =>
		!isSpent(policy) || outcome === 'fetched' || (outcome === 'unchanged' && reason !== 'cached');
	const withoutSpent = (result: Result): Result => {
		const { document: _, page: __, policy: ___, representation: ____, ...rest } = result;
		return isUnspent(result) ? result : rest;
	};

	const last = (row: Row) => {
		const { etag, lastModified, bodyHash } = row.page ?? {};
		const validators = define({ etag, lastModified, bodyHash });
		return Object.keys(validators).length > 0 ? { last: { ...validators, kept: documentOf(row) !== undefined } } : {};
	};

	function reopen(which: (row: Row) => boolean, host?: string): number {
		const skipped = rows.filter((row) => !row.waits && which(row));
		for (const row of skipped) {
			Object.assign(row, { waits: true, ending: undefined, redirectedTo: undefined, attempts: 0, due: 0 });
			row.host ??= host;
		}
		return skipped.length;
	}

	function reconsider(judge: RunRequest['reconsider']): number {
		let count = 0;
		for (const row of rows) {
			if (row.waits || row.ending?.outcome !== 'out-of-scope') continue;
			const inScope = judge({ url: row.url, depth: row.depth, dates: row.dates });
			if (inScope === undefined) continue;
			Object.assign(row, { waits: true, ending: undefined, host: hostOf(inScope.host).record.name });
			count++;
		}
		return count;
	}

	/** URLs whose server asked for a longer pause wait for it; a refresh does not. */
	const isLater = ({ waits, ending, due }: Row, now: number) => !waits && ending?.outcome === 'deferred' && due > now;

	function chooseMode(request: RunRequest): RunMode {
		const before = runs.at(-1);
		if (before === undefined) return 'new';
		const isLeft = ({ waits, ending }: Row) => waits || (ending && isPutOff(ending) && ending.reason === 'max-pages');
		if (request.refresh || (before.complete === true && !rows.some(isLeft))) return 'refresh';
		return 'resume';
	}

	function queue(mode: RunMode, { refresh, at, lasting = [] }: RunRequest): void {
		for (const row of rows) {
			if (row.host === undefined || (!refresh && isLater(row, at))) continue;
			if (row.waits) row.due = 0;
			else if (mode === 'refresh' && row.ending?.reason !== 'alias')
				Object.assign(row, { waits: true, attempts: 0, due: 0 });
			else if (mode === 'resume' && row.ending?.outcome === 'deferred')
				Object.assign(row, { waits: true, attempts: 0, due: 0, ending: undefined });
		}
		if (mode === 'refresh') for (const name of positions.keys()) if (!lasting.includes(name)) positions.set(name, '');
	}

	/** Without those that `prune` removed. */
	const known = () => rows.filter((row) => byKey.get(keyOf(row.url, row.kind)) === row);
	const summarise = ({ id, url, kind, seed, depth, waits, ending, status, at }: Row): UrlSummary => {
		const { outcome, reason } = waits ? ({} as Partial<Ending>) : (ending ?? {});
		const own = { id, url, kind, seed: seed === true, depth, outcome, reason, status, at: at && iso(at) };
		return define(own) as UrlSummary;
	};
	const isMatch = (row: Row, { kind, outcome, reason, host, contains, since, isNew }: UrlFilter): boolean =>
		(kind === undefined || row.kind === kind) &&
		(outcome === undefined || (outcome === 'waiting' ? row.waits : !row.waits && row.ending?.outcome === outcome)) &&
		(reason === undefined || (!row.waits && row.ending?.reason === reason)) &&
		(host === undefined || new URL(row.url).hostname === host) &&
		(contains === undefined || row.url.toLowerCase().includes(contains.toLowerCase())) &&
		(isNew === undefined || row.history?.visits === 0) &&
		(since === undefined || (row.at ?? 0) >= since);

	const frontier: Frontier = {
		async pending(host, kind, now, limit, prefixes = []) {
			const isLast = (row: Row) =>
				(row.attempts > 0 && [429, 503].includes(row.status ?? 0)) || prefixes.some((each) => row.url.startsWith(each));
			return waitingOf(nameOf(host))
				.filter((row) => row.kind === kind && row.due <= now)
				.sort((a, b) => Number(isLast(a)) - Number(isLast(b)) || a.depth - b.depth || a.id - b.id)
				.slice(0, limit)
				.map((row) => ({
					...{ id: row.id, url: row.url, kind, depth: row.depth, dates: row.dates, attempts: row.attempts },
					seed: row.seed === true,
					...(row.via && { foundOn: row.via.url, ...(row.via.kind === 'sitemap' && { listed: true }) }),
					...last(row),
				}));
		},
		async nextDue(host) {
			const waiting = waitingOf(nameOf(host));
			return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ due }) => due));
		},
		waiting: async (host) => waitingOf(nameOf(host)).length,
		unfinished: async () => rows.some(({ waits }) => waits),
		async find(url, kind = 'page') {
			const row = byKey.get(keyOf(url, kind));
			if (row === undefined) return undefined;
			const { id, waits, ending, due } = row;
			const known: KnownUrl = { id, url, ...last(row) };
			if (waits) return { ...known, ...(due > 0 && { due }) };
			const redirectedTo = row.redirectedTo ?? ending?.aliasOf;
			return { ...known, ...define({ outcome: ending?.outcome, reason: ending?.reason, redirectedTo }) };
		},
		async offer(found) {
			return countBy(add(found, undefined, Date.now()));
		},
		async endPending(ending, at, where) {
			const { host, origin = '', except = [] } = where ?? {};
			const ended = rows.filter(
				(row) =>
					row.waits &&
					(host === undefined || row.host === nameOf(host)) &&
					row.url.startsWith(origin) &&
					!except.includes(row.id),
			);
			for (const row of ended) {
				end(row, { ending, at });
				row.attempts = 0;
			}
			return { urls: ended.length, pages: ended.filter(({ kind }) => kind === 'page').length };
		},
		reconsider: async (judge) => reconsider(judge),
		scopeExpansions: async () => [...scopeExpansions],
		hasUnjudged: async () => false,
		async reopen(host, reasons) {
			const name = nameOf(host);
			const isSkipped = ({ ending, status }: Row) =>
				ending?.reason !== undefined && reasons.includes(ending.reason) && status === undefined;
			return reopen((row) => isSkipped(row) && (row.host ?? row.via?.host) === name, name);
		},
		reopenAliases: async (targets) =>
			reopen(
				({ ending, status }) =>
					ending?.reason === 'alias' && targets.includes(ending.aliasOf ?? '') && status !== undefined,
			),
		learned: async (host) => hosts.get(nameOf(host) ?? '')?.learned,
		async unvisited(after, { thisRun, documents }) {
			const mayGive = (row: Row) => isGood(row) && row.ending?.reason !== 'max-pages';
			const some = pages()
				.filter((row) => row.id > after && !row.waits && row.attempts === 0 && (!thisRun || row.run === runs.length))
				.filter((row) => !documents || (row.ending?.outcome === 'deferred' && documentOf(row) && mayGive(row)));
			return { results: some.map((row) => withoutSpent(tell(row, mayGive(row)))), last: some.at(-1)?.id };
		},
		async tally() {
			const groups = new Map<string, TallyRow & { readonly examples: string[] }>();
			for (const { waits, ending, evidence, url } of pages()) {
				if (waits || ending === undefined) continue;
				const { outcome, reason } = ending;
				const key = JSON.stringify([outcome, reason, evidence]);
				const group = groups.get(key) ?? { ...define({ outcome, reason, evidence }), count: 0, examples: [] };
				groups.set(key, { ...group, count: group.count + 1, examples: [...group.examples, url].slice(0, 2) } as never);
			}
			const seeds = pages().filter(({ seed }) => seed);
			return {
				pending: rows.filter(({ waits }) => waits).length,
				rows: [...groups.values()],
				causes: [],
				seeds: seeds.map(({ url, ending }) => define({ url, outcome: ending?.outcome, reason: ending?.reason })),
				sitemaps: { read: 0, failed: 0 },
				duplicates: { pages: 0, examples: [], aliases: [] } satisfies DuplicateTally,
				learned: [],
				paused: { hosts: [] },
			};
		},
		size: async () => ({ urls: pages().length, hosts: hosts.size }),
		async historyOf(url) {
			const row = pageAt(url) ?? byKey.get(keyOf(url, 'sitemap'));
			if (row === undefined) return undefined;
			const foundBy: string[] = [];
			for (let via = row.via; via !== undefined && foundBy.length < 100; via = via.via) foundBy.push(via.url);
			const { outcome, reason, detail, aliasOf } = row.waits ? ({} as Partial<Ending>) : (row.ending ?? {});
			const { kind, depth, attempts, evidence, status, redirectedTo, at, host } = row;
			return {
				...{ url, kind, seed: row.seed === true, depth, foundBy, attempts },
				...define({ outcome, reason, detail, aliasOf, evidence, status, redirectedTo, host, at: at && iso(at) }),
			} as never;
		},
		learnedAddresses: async () => ({ hosts: [], aliases: 0, examples: [] }),
		async list({ after, rows: most, limit, ...filter }) {
			const part = known().filter(({ id }) => id > after);
			const window = part.slice(0, most);
			const urls = window.filter((row) => isMatch(row, filter)).slice(0, limit);
			const next = urls.length === limit ? urls.at(-1)?.id : window.length === most ? window.at(-1)?.id : undefined;
			return { urls: urls.map(summarise), ...(next !== undefined && { next }) };
		},
		async count(after, most, { since, step }) {
			const window = known()
				.filter(({ id }) => id > after)
				.slice(0, most);
			const counts = window.map((row) => {
				const { kind, outcome, reason } = summarise(row);
				return { ...define({ kind, outcome, reason, host: row.host }), count: 1 };
			});
			const visits = window.filter(({ kind, attempts, at = 0 }) => kind === 'page' && attempts > 0 && at >= since);
			const slices = visits.map(({ at = 0 }) => ({ slice: Math.floor((at - since) / step), count: 1 }));
			const next = window.length === most ? window.at(-1)?.id : undefined;
			return { counts, slices, ...(next !== undefined && { next }) };
		},
		async startingWith(prefix, limit) {
			const some = known().filter(({ url }) => url.startsWith(prefix));
			some.sort((a, b) => (a.url < b.url ? -1 : 1));
			return some.slice(0, limit).map(summarise);
		},
		async lastRun() {
			const run = runs.at(-1);
			if (run === undefined) return undefined;
			const { scope: _, ...record } = run;
			return record;
		},
		async setNextRun() {},
	};

	const isOf = ({ host, below }: SiteOf, name: string | undefined): boolean =>
		name === host || (below && name?.endsWith(`.${host}`) === true);
	const isAlike = (a: MinHashSignature, b: MinHashSignature) => a[0] === b[0] || a[1] === b[1];
	const signatureOf = ({ minHash }: Row) =>
		minHash ? { minHash: minHash.value, ...define({ prose: minHash.prose }) } : {};

	const pageStore: Pages = {
		async snapshot(url) {
			const row = pageAt(url);
			return row && documentOf(row);
		},
		async keep(page) {
			const row = endTarget(page, undefined);
			if (page.content !== undefined) savePage(row, page.content, page.at);
		},
		lookalikes: async (minHash) =>
			pages().flatMap((row) =>
				row.minHash && row.minHash.twin === undefined && isAlike(row.minHash.value, minHash)
					? { url: row.url, minHash: row.minHash.value, ...define({ prose: row.minHash.prose }) }
					: [],
			),
		async comparable(names, urls) {
			const found = [
				...names.map((key) => [key, pages().find((row) => row.names.includes(key))] as const),
				...urls.map((key) => [key, pageAt(key)] as const),
			];
			return found.flatMap(([key, row]) => {
				if (row === undefined) return [];
				const outcome = row.waits ? undefined : row.ending?.outcome;
				return { key, url: row.url, ...define({ outcome, bodyHash: row.page?.bodyHash }), ...signatureOf(row) };
			});
		},
		async *emitted({ otherRuns, upTo, outcomes }) {
			const wasGiven = (row: Row) =>
				row.attempts > 0 ||
				((row.id <= upTo || (otherRuns && row.run !== runs.length)) && (outcomes || (documentOf(row) && isGood(row))));
			const given = pages().filter((row) => !row.waits && wasGiven(row));
			yield given.map((row) => withoutSpent(tell(row, isGood(row))));
		},
		async *results({ outcomes = false, spent = false } = {}) {
			const some = pages().filter((row) => (outcomes && !row.waits) || (documentOf(row) && isGood(row)));
			const results = some.map((row) => tell(row, isGood(row)));
			yield spent ? results : results.map(withoutSpent);
		},
		async pagesOf(site, after, limit) {
			const some = pages().filter((row) => isOf(site, row.host) && row.ending !== undefined && row.url > after);
			some.sort((a, b) => (a.url < b.url ? -1 : 1));
			return some.slice(0, limit).map((row) => {
				const { outcome, reason } = row.ending ?? { outcome: 'failed' as Outcome };
				const checkedAt = row.page?.checkedAt ?? row.at ?? 0;
				return define({
					url: row.url,
					outcome,
					reason: reason as Reason,
					checkedAt,
					fetchedAt: documentOf(row)?.fetchedAt,
				});
			});
		},
		async documentsSince({ fetchedAt, id }, limit) {
			const kept = pages().flatMap((row) => {
				const page = documentOf(row);
				return page?.isCurrent ? { place: { fetchedAt: page.fetchedAt, id: row.id }, ...page } : [];
			});
			const isAfter = (place: { fetchedAt: number; id: number }) =>
				place.fetchedAt > fetchedAt || (place.fetchedAt === fetchedAt && place.id > id);
			return kept
				.filter(({ place }) => isAfter(place))
				.sort((a, b) => a.place.fetchedAt - b.place.fetchedAt || a.place.id - b.place.id)
				.slice(0, limit)
				.map(({ place, url, document, policy }) => ({ place, url, document, ...define({ policy }) }));
		},
		async forgetPages(site, url, limit) {
			const some = pages().filter((row) => isOf(site, row.host) && row.page && (url === undefined || row.url === url));
			for (const row of some.slice(0, limit)) {
				delete row.page;
				delete row.former;
				delete row.minHash;
			}
			return some.slice(0, limit).map((row) => row.url);
		},
		isForgotten: async (url) =>
			[url, withoutRoute(url), `host ${new URL(url).hostname}`].some((name) => forgotten.has(name)),
		async stored(url) {
			const page = pageAt(url)?.page;
			if (page === undefined) return undefined;
			const { fetchedAt, checkedAt, etag, lastModified, policy, representation, capture } = page;
			return {
				...{ fetchedAt: iso(fetchedAt), checkedAt: iso(checkedAt), bytes: sizeOf(page) },
				...define({ etag, lastModified, policy, representation, capture }),
			};
		},
		async versions(url) {
			const row = pageAt(url);
			const current = row && documentOf(row);
			return [...(current ? [current] : []), ...(row?.former ? [row.former] : [])];
		},
		async documents(after, limit) {
			const some = pages().flatMap((row) => {
				const page = row.id > after ? documentOf(row) : undefined;
				return page?.isCurrent ? { id: row.id, url: row.url, document: page.document } : [];
			});
			return some.slice(0, limit);
		},
		async replaced({ since, after, limit }) {
			const some = pages().flatMap(({ id, url, former }) =>
				former === undefined || former.replacedAt < since
					? []
					: { id, url, replacedAt: former.replacedAt, formerlyAt: former.fetchedAt },
			);
			some.sort((a, b) => b.replacedAt - a.replacedAt || b.id - a.id);
			const isBehind = ({ replacedAt, id }: { replacedAt: number; id: number }) =>
				after === undefined || replacedAt < after.replacedAt || (replacedAt === after.replacedAt && id < after.id);
			return some.filter(isBehind).slice(0, limit);
		},
		async size() {
			const kept = pages().flatMap((row) => documentOf(row) ?? []);
			const bytes = kept.reduce((sum, page) => sum + sizeOf(page), 0);
			return { documents: kept.length, bytes, total: bytes };
		},
	};
	const sizeOf = (page: object): number => ('document' in page ? JSON.stringify(page.document).length : 0);

	const changes: ChangeRecords = {
		site: async (origin) => sites.find(({ record }) => record.origin === origin)?.record,
		async saveSite(record) {
			const at = sites.findIndex(({ record: known }) => known.origin === record.origin);
			const id = at >= 0 ? at + 1 : sites.length + 1;
			sites[id - 1] = { record: { ...record, id }, listed: sites[id - 1]?.listed ?? new Map() };
			return id;
		},
		async listed(site, after, limit) {
			const listed = [...(sites[site - 1]?.listed.values() ?? [])].filter(({ key }) => key > after);
			return listed.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
		},
		async saveListed(site, urls) {
			for (const url of urls) sites[site - 1]?.listed.set(url.key, url);
		},
		forgetListed: async (site) => sites[site - 1]?.listed.clear(),
		async unsettled(site, origin) {
			const due = [...(sites[site - 1]?.listed.values() ?? [])].filter(({ state }) => state === 'due');
			const known = due.flatMap(({ key }) => pageAt(origin + key) ?? []);
			return known.filter(({ waits, ending }) => waits || !['refused', 'out-of-scope'].includes(ending?.outcome ?? ''))
				.length;
		},
		async outlook(url, kind, site, key) {
			const row = byKey.get(keyOf(url, kind));
			const listed = site === undefined || key === undefined ? undefined : sites[site - 1]?.listed.get(key);
			const { outcome, reason, detail } = row?.ending ?? {};
			const former = outcome && define({ outcome, reason, detail, redirectedTo: row?.redirectedTo });
			const kept = row !== undefined && documentOf(row) !== undefined;
			return { kept, ...define({ former, bodyHash: row?.page?.bodyHash, listed, history: row?.history }) };
		},
		async hint(hints) {
			for (const { url, modifiedAt } of hints) {
				const row = pageAt(url);
				if (row?.history && (row.history.hintedAt ?? 0) < modifiedAt)
					row.history = { ...row.history, hintedAt: modifiedAt };
			}
		},
		async urgencyOfLast(host, horizon, now, most) {
			const waiting = waitingOf(nameOf(host)).filter(({ kind }) => kind === 'page');
			const left = most - waiting.filter(({ history }) => history === undefined).length;
			if (left <= 0) return Number.POSITIVE_INFINITY;
			const due = waiting.flatMap(({ history }) => (history && history.nextAt <= horizon ? urgency(history, now) : []));
			return due.sort((a, b) => b - a)[left - 1] ?? Number.NEGATIVE_INFINITY;
		},
		async historyOf(url) {
			const { visits, changes: count, nextAt } = pageAt(url)?.history ?? {};
			return visits === undefined || count === undefined || nextAt === undefined
				? {}
				: { revisit: { visits, changes: count, nextAt: iso(nextAt) } };
		},
	};

	const leases = singleProcessLeases({
		async recover() {
			for (const host of hosts.values()) host.held = false;
		},
		async claimHosts(limit, except = []) {
			const free = [...hosts.values()].filter(
				({ record, held }) => !held && !except.includes(record.id) && waitingOf(record.name).length > 0,
			);
			free.sort((a, b) => a.record.nextAt - b.record.nextAt || a.record.id - b.record.id);
			return free.slice(0, limit).map((host) => {
				host.held = true;
				return { ...host.record };
			});
		},
		async claimHost(name) {
			const host = hostOf(name);
			if (host.held) return undefined;
			host.held = true;
			return { ...host.record };
		},
		async releaseHost(record) {
			Object.assign(hostOf(record.name), { record: { ...record }, held: false });
		},
		async stateOf(name) {
			const host = hosts.get(name);
			if (host === undefined) return undefined;
			return { name, nextAt: iso(host.record.nextAt), held: host.held, waiting: waitingOf(name).length };
		},
		async waitingHosts(limit) {
			const some = [...hosts.values()].map(({ record, held }) => {
				const deferred = rows.filter(
					({ host, waits, ending }) => host === record.name && !waits && ending?.outcome === 'deferred',
				);
				const count = waitingOf(record.name).length;
				return { host: record.name, count, deferred: deferred.length, nextAt: iso(record.nextAt), held };
			});
			return some.filter(({ count, deferred }) => count + deferred > 0).slice(0, limit);
		},
	});

	const answerKey = ({ origin, identity, directive }: KeptAnswer) => `${origin} ${identity} ${directive}`;
	const isUnder = (target: object, url: string) =>
		'host' in target ? new URL(url).hostname === target.host : withoutRoute(url) === (target as { url: string }).url;
	const targetName = (target: object) => ('host' in target ? `host ${target.host}` : (target as { url: string }).url);

	return {
		frontier,
		pages: pageStore,
		policies: {
			policyFile: async (url) => policyFiles.get(url),
			savePolicyFile: async (file) => void policyFiles.set(file.url, file),
			askAnswers: async (origin, identity, now) =>
				[...answers.values()].filter(
					(each) => each.origin === origin && each.identity === identity && each.expiresAt > now,
				),
			saveAskAnswer: async (answer) => void answers.set(answerKey(answer), answer),
			filesOf: async (url) =>
				[...policyFiles.values()]
					.filter((file) => new URL(file.url).origin === new URL(url).origin)
					.map(({ url: at, status, fetchedAt, expiresAt }) => ({
						...{ url: at, status, fetchedAt: iso(fetchedAt), expiresAt: iso(expiresAt) },
					})),
			count: async () => policyFiles.size,
		},
		changes,
		leases,
		async begin(request) {
			const before = runs.at(-1);
			if (before !== undefined && before.scope !== request.scope) reconsider(request.reconsider);
			for (const row of rows) Object.assign(row, { seed: false });
			add(request.seeds, undefined, request.at);
			for (const { url } of request.seeds) Object.assign(pageAt(url) ?? {}, { seed: true });
			const mode = chooseMode(request);
			queue(mode, request);
			if (mode === 'resume' && before?.complete !== true) runs.pop();
			runs.push({ mode, startedAt: request.at, scope: request.scope });
			return {
				...{ run: runs.length, mode, pending: rows.filter(({ waits }) => waits).length, known: rows.length },
				...{ documents: 0, scopeExpansions: [...scopeExpansions], workers: 0, positions: new Map(positions) },
				...(before && { scopeBefore: before.scope }),
			};
		},
		async commit(batch: Batch): Promise<Committed> {
			const added: NewUrl[] = [];
			const newLinks = batch.visits.map((visit) => {
				const row = rows[visit.id - 1];
				if (row === undefined) return 0;
				row.attempts = visit.attempts;
				if (visit.ending === undefined) Object.assign(row, define({ due: visit.due ?? 0, status: visit.status }));
				else end(row, { ...visit, ending: visit.ending });
				if (visit.evidence !== undefined) row.evidence = visit.evidence;
				for (const url of visit.revokedUrls ?? []) {
					const { document: _, ...rest } = (pageAt(url)?.page ?? {}) as Snapshot;
					const taken = pageAt(url);
					if (taken?.page !== undefined) taken.page = rest;
					delete taken?.former;
				}
				const { target, at, status } = visit;
				const own = target ? endTarget({ ...target, at, ...define({ status }) }, row) : row;
				if (target?.check) recordCheck(own, at, target.check);
				if (visit.check) recordCheck(row, at, visit.check);
				if (visit.names) own.names = [...own.names, ...visit.names];
				if (visit.content !== undefined) savePage(own, visit.content, at);
				for (const { site, key, state, rev } of visit.listed ?? []) {
					const listed = sites[site - 1]?.listed;
					const known = listed?.get(key);
					if (known) listed?.set(key, { key, state, listedRev: known.listedRev, ...define({ rev }) });
				}
				const fresh = add(visit.found, row, at);
				added.push(...fresh);
				return fresh.length;
			});
			for (const record of batch.hosts) hostOf(record.name).record = { ...record };
			for (const [name, position] of batch.positions) positions.set(name, position);
			for (const url of batch.scopeExpansions) scopeExpansions.add(url);
			for (const [id, json] of batch.learned ?? []) Object.assign(hostOf(nameOf(id) ?? ''), { learned: json });
			return { added: countBy(added), newLinks };
		},
		async end(complete, at) {
			const run = runs.pop();
			if (run !== undefined) runs.push({ ...run, endedAt: at, complete });
			for (const host of hosts.values()) host.held = false;
		},
		async prune({ before = 0, gone = false, dryRun = false }) {
			const isGone = ({ ending, waits, seed }: Row) => gone && !waits && ending?.outcome === 'gone' && !seed;
			const dropped = pages().filter((row) => row.page && (row.page.checkedAt < before || isGone(row)));
			const goners = pages().filter(isGone);
			const kept = dropped.flatMap((row) => documentOf(row) ?? []);
			const pruned = {
				documents: kept.length,
				bytes: kept.reduce((sum, page) => sum + sizeOf(page), 0),
				gone: goners.length,
			};
			if (dryRun) return pruned;
			for (const row of dropped) {
				delete row.page;
				delete row.former;
				delete row.history;
				delete row.minHash;
			}
			for (const row of goners) byKey.delete(keyOf(row.url));
			return pruned;
		},
		async forget(target) {
			forgotten.add(targetName(target));
			const some = rows.filter(({ url }) => isUnder(target, url));
			const documents = some.flatMap((row) => documentOf(row) ?? []).length;
			for (const row of some) {
				delete row.page;
				delete row.former;
				delete row.history;
				Object.assign(row, { waits: false, ending: { outcome: 'out-of-scope', reason: 'forgotten' } });
			}
			return { documents, urls: some.length, archives: [] };
		},
		remember: async (target) => forgotten.delete(targetName(target)),
		async close() {},
	};
}

function countBy(urls: readonly NewUrl[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { host } of urls) counts.set(host, (counts.get(host) ?? 0) + 1);
	return counts;
}
