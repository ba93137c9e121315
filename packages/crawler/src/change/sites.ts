import { randomBytes } from 'node:crypto';
import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { initialTrust, manifestPath } from '@wayleave/protocols/pagedigest';
import type { Clock } from '../base/clock.ts';
import { type Discovery, toHttps } from '../discover/discovery.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { PolicyChecker } from '../policy/policy-checker.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { SendRequest } from '../politeness/requester.ts';
import type { SiteRecord } from '../store/roles/changes.ts';
import type { Store } from '../store/roles/store.ts';
import { ManifestReader } from './manifest-reader.ts';
import { Site } from './site.ts';
import { updateSite } from './update-site.ts';

export interface SitesTools {
	readonly store: Store;
	readonly send: SendRequest;
	readonly clock: Clock;
	readonly policyChecker: PolicyChecker;
	readonly discovery: Discovery;
	readonly emit: (event: CrawlEvent) => void;
	/** Whether pages are taken from the manifest that no link has led to. */
	readonly discovers: boolean;
	/** Whether long manifests may be read in a thread. */
	readonly threads: boolean;
	/** New URLs wait, so many of each host. */
	readonly onAdded: (added: ReadonlyMap<string, number>) => void;
}

/** Origins whose manifest is kept at hand; the store has all of them. */
const maxSites = 4000;

/** The manifests of the sites that are being visited: each is asked for once in a cycle, before the first page. */
export class Sites {
	readonly #tools: SitesTools;
	readonly #sites = new Map<string, Promise<Site | NotScheduled>>();
	/** Pages checked since then were checked in this cycle. */
	readonly #startedAt: number;
	readonly #reader: ManifestReader;
	/** One manifest at a time is in memory. */
	#turn: Promise<unknown> = Promise.resolve();

	constructor(tools: SitesTools) {
		this.#tools = tools;
		this.#reader = new ManifestReader(tools.threads);
		this.#startedAt = tools.clock.now();
	}

	/** The site that a URL belongs to. Its manifest is fetched over https where that is possible (pagedigest §7.1). */
	async of(url: string, slot: HostSlot): Promise<Site | NotScheduled> {
		const { origin, protocol, port, hostname } = new URL(url);
		if (protocol === 'http:' && port === '' && !isLoopbackName(hostname)) {
			const secure = await this.#at(new URL(toHttps(url)).origin, slot);
			if (typeof secure === 'string' || secure.record.state !== 'unreachable') return secure;
		}
		return this.#at(origin, slot);
	}

	/** The sites of a host are done with, for now; `finished`: nothing of them waits any more in this cycle. */
	async leave(hostname: string, finished: boolean): Promise<void> {
		for (const [origin, loading] of [...this.#sites]) {
			if (new URL(origin).hostname !== hostname) continue;
			this.#sites.delete(origin);
			const site = await loading;
			if (typeof site !== 'string') await this.#save(site, finished);
		}
	}

	async leaveAll(finished: boolean): Promise<void> {
		for (const origin of [...this.#sites.keys()]) await this.leave(new URL(origin).hostname, finished);
	}

	close(): Promise<void> {
		return this.#reader.close();
	}

	async #save(site: Site, finished: boolean): Promise<void> {
		const { changes } = this.#tools.store;
		const { id, origin, siteRev } = site.record;
		if (finished) {
			// The site's revision is reached only by a cycle in which every wanted page was fetched.
			if (site.usable && siteRev !== undefined && (await changes.unsettled(id, origin)) === 0)
				site.update({ settledRev: siteRev });
			site.apply({ kind: 'window-end' });
		}
		await changes.saveSite(site.record);
	}

	#at(origin: string, slot: HostSlot): Promise<Site | NotScheduled> {
		const known = this.#sites.get(origin);
		if (known !== undefined) return known;
		const loading = this.#load(origin, slot);
		this.#sites.set(origin, loading);
		const forget = () => {
			if (this.#sites.get(origin) === loading) this.#sites.delete(origin);
		};
		void loading.then((site) => typeof site === 'string' && forget(), forget);
		const [oldest = origin] = this.#sites.keys();
		if (this.#sites.size > maxSites) void this.leave(new URL(oldest).hostname, false).catch(() => {});
		return loading;
	}

	async #load(origin: string, slot: HostSlot): Promise<Site | NotScheduled> {
		const { store, emit, clock, policyChecker, send } = this.#tools;
		const known = await store.changes.site(origin);
		// Another worker, or an earlier visit to this host, has asked already.
		if (known !== undefined && known.checkedAt >= this.#startedAt) return new Site(known, emit);
		const permit = await policyChecker.check(origin + manifestPath, slot, 'list');
		if (typeof permit === 'string') return permit;
		const record = known ?? blank(origin);
		const id = known?.id ?? (await store.changes.saveSite(record));
		const site = new Site({ ...record, id, checkedAt: clock.now(), cycle: record.cycle + 1 }, emit);
		if (permit.permitted) {
			const onAdded = (urls: readonly string[]) => this.#discover(urls);
			const tools = { store: store.changes, send, emit, onAdded, reader: this.#reader, now: () => clock.now() };
			const none = await updateSite(site, slot, { ...tools, alone: (work) => this.#alone(work) });
			if (none !== undefined) return none;
		} else {
			// Without its rules nothing may be asked of a site; with them, they keep us from the manifest.
			const state = permit.ending.outcome === 'refused' ? 'refused' : 'unreachable';
			site.update({ state, fresh: false, stayed: false });
		}
		await store.changes.saveSite(site.record);
		return site;
	}

	async #discover(urls: readonly string[]): Promise<void> {
		const { store, discovery, discovers, onAdded } = this.#tools;
		if (!discovers) return;
		const found = discovery.links(urls, { depth: 0, dates: 0 });
		if (found.length > 0) onAdded(await store.frontier.offer(found));
	}

	#alone<Value>(work: () => Promise<Value>): Promise<Value> {
		const result = this.#turn.then(work);
		this.#turn = result.catch(() => {});
		return result;
	}
}

function blank(origin: string): SiteRecord {
	return {
		id: 0,
		origin,
		state: 'none',
		checkedAt: 0,
		cycle: 0,
		salt: randomBytes(16).toString('hex'),
		fresh: false,
		stayed: false,
		trust: initialTrust,
		hints: { right: 0, wrong: 0 },
	};
}
