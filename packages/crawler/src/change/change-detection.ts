import type { FetchResult } from '@wayleave/io/http';
import { urlKey } from '@wayleave/protocols/pagedigest';
import type { Ending } from '../model/outcome.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { Hint, Outlook } from '../store/roles/changes.ts';
import type { Visit } from '../store/roles/commit.ts';
import type { FrontierUrl } from '../store/roles/frontier.ts';
import { commitRevision } from './commit-revision.ts';
import { type Decision, judgeByManifest, judgeSitemap } from './decide.ts';
import type { Note } from './request-note.ts';
import { isAnnounced, lookOf, Schedule, type ScheduleOptions } from './schedule.ts';
import type { Site } from './site.ts';
import { Sites, type SitesTools } from './sites.ts';

export interface ChangeDetectionOptions extends ScheduleOptions {
	/** The share of what a manifest saves that is fetched all the same, to see whether it is true. */
	readonly auditRate: number;
	/** Every page is asked for, whatever manifests and schedules say. */
	readonly everything: boolean;
}

/** One URL at the point where only a request could tell more. */
export interface Question {
	readonly from: FrontierUrl;
	/** At this hop. */
	readonly url: string;
	readonly slot: HostSlot;
	/** Whether the site lets the page be kept. */
	readonly keeps: boolean;
}

/** Ask, and what to send along; or how it ends without that. */
export type Judgement = RequestNeeded | StillCurrent;

export interface StillCurrent {
	readonly request: false;
	readonly audit?: undefined;
	readonly ending: Ending;
	/** Target of its redirects at the last visit. */
	readonly redirectedTo?: string;
}

export interface RequestNeeded {
	readonly request: true;
	/** The body is wanted in any case, and without content coding. */
	readonly audit: boolean;
	readonly headers: Readonly<Record<string, string>>;
	readonly note: Note;
}

/** Clocks and time zones differ; a later date says nothing of what has changed by now. Milliseconds. */
const furthestAhead = 24 * 60 * 60 * 1000;

/** Has it changed? Answers that from what is cheapest: the manifest of the site, then the history of the page. */
export class ChangeDetection {
	readonly #sites: Sites;
	readonly #options: ChangeDetectionOptions;
	readonly #tools: SitesTools;
	readonly #schedule: Schedule | undefined;
	/** By the number of the URL that is being visited. */
	readonly #notes = new Map<number, Note[]>();

	constructor(options: ChangeDetectionOptions, tools: SitesTools) {
		this.#options = options;
		this.#tools = tools;
		this.#sites = new Sites(tools);
		const { changes } = tools.store;
		if (options.everything || (options.every === undefined && options.budget === undefined)) return;
		this.#schedule = new Schedule(options, tools.clock.now(), (...asked) => changes.urgencyOfLast(...asked));
	}

	/** To be asked for each hop, once it is permitted and before it is requested. */
	async judge({ from, url, slot, keeps }: Question): Promise<Judgement | NotScheduled> {
		const site = await this.#sites.of(url, slot);
		if (typeof site === 'string') return site;
		const headers = site.stateHeaders(url);
		const key = urlKey(url);
		const found = await this.#outlook(from, url, key, site);
		const outlook = keeps && from.kind === 'page' && lacksDocument(found) ? withoutFormer(found) : found;
		const byManifest = this.#byManifest(from, key, outlook, site);
		const hintsHold = site.hintsHold;
		const candidate = { host: slot.host.id, seed: from.seed, outlook, hintsHold };
		const scheduled = from.kind === 'page' ? this.#schedule : undefined;
		const decision = scheduled === undefined ? byManifest : await scheduled.admit(byManifest, candidate);
		if (!decision.request) {
			const { redirectedTo } = outlook.former ?? {};
			return { ...decision, ...(redirectedTo !== undefined && { redirectedTo }) };
		}
		const announced = scheduled !== undefined && isAnnounced(candidate);
		const note: Note = { url, why: decision.why, site, outlook, announced };
		if (from.kind === 'page') this.#notes.set(from.id, [...(this.#notes.get(from.id) ?? []), note]);
		return { request: true, audit: decision.why === 'audit', headers: from.kind === 'page' ? headers : {}, note };
	}

	/** To be told the response to what was judged. */
	observe(note: Note, response: FetchResult): void {
		const { site, outlook, url, why } = note;
		const { listed, bodyHash } = outlook;
		if (listed?.digest === undefined || !site.usable) return;
		const verdict = site.compare(listed, response, bodyHash);
		note.verdict = verdict;
		site.recordAudit(listed.key, verdict);
		if (why !== 'audit' && verdict.verdict !== 'mismatch') return;
		const detail = verdict.verdict === 'inconclusive' ? { detail: verdict.reason } : {};
		this.#tools.emit({ type: 'audit', url, verdict: verdict.verdict, drawn: why === 'audit', ...detail });
	}

	/** Adds the changes to revisions and history of its pages to a visit, to be committed with it. */
	conclude<V extends { readonly visit: Visit }>(from: FrontierUrl, visited: V): V {
		const notes = this.#notes.get(from.id) ?? [];
		this.#notes.delete(from.id);
		const { visit } = visited;
		if (notes.length === 0 || visit.ending === undefined) return visited;
		const listed = notes.flatMap((note) => commitRevision(note, endingOf(note, from, visit)));
		const { target } = visit;
		const check = this.#checkOf(visit.ending);
		const targetCheck = target && this.#checkOf(target.ending);
		return {
			...visited,
			visit: {
				...visit,
				...(check && { check }),
				...(target && { target: { ...target, ...(targetCheck && { check: targetCheck }) } }),
				...(listed.length > 0 && { listed }),
			},
		};
	}

	/** Nothing came of the visit. */
	forget(from: FrontierUrl): void {
		this.#notes.delete(from.id);
	}

	/** Whether dates of pages decide about anything in this cycle. */
	get wantsHints(): boolean {
		return this.#schedule !== undefined;
	}

	/** Takes dates that sitemaps, feeds and the like give to pages: they say when it is worth looking, not that it is not. */
	async hint(hints: readonly Hint[]): Promise<void> {
		if (this.#schedule === undefined) return;
		const latest = this.#tools.clock.now() + furthestAhead;
		const sound = hints.filter(({ modifiedAt }) => modifiedAt <= latest);
		if (sound.length > 0) await this.#tools.store.changes.hint(sound);
	}

	leave(hostname: string, finished: boolean): Promise<void> {
		return this.#sites.leave(hostname, finished);
	}

	leaveAll(finished: boolean): Promise<void> {
		return this.#sites.leaveAll(finished);
	}

	close(): Promise<void> {
		return this.#sites.close();
	}

	/** Without a manifest and without a schedule there is nothing to look up. */
	async #outlook({ kind }: FrontierUrl, url: string, key: string | undefined, site: Site): Promise<Outlook> {
		if (!site.usable && (this.#schedule === undefined || kind === 'sitemap')) return {};
		return this.#tools.store.changes.outlook(url, kind, site.usable ? site.record.id : undefined, key);
	}

	#byManifest(from: FrontierUrl, key: string | undefined, outlook: Outlook, site: Site): Decision {
		if (!site.usable || key === undefined || this.#options.everything) return { request: true, why: 'ordinary' };
		if (from.kind === 'sitemap') return judgeSitemap(site.facts, outlook);
		return judgeByManifest(site.facts, key, outlook, (listed) => site.isDrawn(listed, this.#options.auditRate));
	}

	#checkOf(ending: Ending) {
		const changed = lookOf(ending);
		if (changed === undefined) return undefined;
		return { changed, ...(this.#schedule && { rules: this.#schedule.rules }) };
	}
}

/** A page that may be kept by now was read when it might not: it is like one that was never read. */
function lacksDocument({ former, kept = false }: Outlook): boolean {
	const had = former?.outcome === 'fetched' || former?.outcome === 'unchanged';
	return had && !kept && former.redirectedTo === undefined;
}

const withoutFormer = ({ former: _, ...rest }: Outlook): Outlook => rest;

/** How the hop ended that a note is about. */
function endingOf({ url }: Note, from: FrontierUrl, { ending, target }: Visit): Ending {
	const own = url !== from.url && target?.url.url === url ? target.ending : ending;
	if (own === undefined) throw new Error(`the visit of ${url} has not ended`);
	return own;
}
