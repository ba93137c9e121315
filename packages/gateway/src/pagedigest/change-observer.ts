import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeHtml, extract } from '@wayleave/extract';
import { openDatabase } from '@wayleave/io/sql';
import { kindOfMediaType } from '@wayleave/protocols/file-types';
import { type Digest, formatManifest, type Manifest, type RevisionState } from '@wayleave/protocols/pagedigest';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/schema.ts';
import type { ChangeObserver } from '../engine/change-observer.ts';
import { respondWithFile } from '../policy/published-files.ts';
import type { GatewayResponse } from '../request/response.ts';
import type { Visit } from '../request/visit.ts';
import type { OriginFetch } from '../respond/origin-pages.ts';
import { fingerprintOf } from './fingerprint.ts';
import { ObservedPages } from './learned-pages.ts';
import { isListable, loosePath, NamedPages, pathOf } from './named-pages.ts';
import { linksOf, readNamedPages } from './read-named-pages.ts';
import {
	lastVersion,
	loadNamed,
	loadRevisions,
	mergeChanges,
	prepareRevisions,
	saveChanges,
} from './revision-store.ts';
import type { RevisionSchema } from './schema.ts';

export interface ChangeObserverOptions {
	/** The folder that paths in the policy file start from. Default: the working folder. */
	readonly base?: string;
	/** Pages that are not listed: those that are disallowed to everybody. */
	readonly isWithheld?: (path: string) => boolean;
	/** Seconds for which a page that was seen counts as known. Default 3600. */
	readonly maxAge?: number;
	/** Milliseconds between two looks at the same page. Default 1000. */
	readonly interval?: number;
	/** Milliseconds from a change to the manifest that announces it. Default 500. */
	readonly delay?: number;
	/** Errors for the operator. */
	readonly onTrouble?: (error: unknown) => void;
	/**
	 * Gets a request answered by the site: with it the home page and the sitemap are read for the pages that they name.
	 * Default: pages are named by the links of those that pass.
	 */
	readonly fetch?: OriginFetch;
	/** The sitemaps that the robots.txt of the site names; `/sitemap.xml` is looked for anyway. */
	readonly sitemaps?: () => readonly string[];
	/** Pages that are remembered. Default 60,000. */
	readonly maxPages?: number;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** The database that several gateways share, in place of the file. */
	readonly shared?: SharedStore;
}

export interface SharedStore {
	/** `postgres://…` */
	readonly url: string;
	/** Whether another gateway of the site is running. */
	readonly hasOthers: () => boolean;
}

/** A manifest stays below what consumers read (pagedigest §7.3): 10 MB at a hundred bytes and more a page. */
const maxPages = 60_000;
/** Milliseconds for which an address that is another page in other words is not read again. */
const variantRest = 60_000;
/** Milliseconds between two looks at the home page and the sitemap, and after one that failed. */
const lookAgain = { found: 3_600_000, failed: 30_000 };
/** Media types whose changes agents may want to know about. */
const isDocument = (type: string): boolean =>
	/^(?:text\/(?:html|markdown|plain)|application\/xhtml\+xml)\b/i.test(type) || kindOfMediaType(type) !== undefined;

/** Learns which pages change from what is served, and stores what it announces before it announces it. */
export class DurableChangeObserver implements ChangeObserver {
	readonly #db: Kysely<RevisionSchema>;
	readonly #origin: string;
	readonly #options: ChangeObserverOptions;
	readonly #pages: ObservedPages;
	readonly #now: () => number;
	readonly #timer: NodeJS.Timeout;
	/** The announced manifest: never ahead of the stored state. */
	#announced: { readonly manifest: Manifest; file: { type: string; text: string; etag: string } | undefined };
	#storing: Promise<void> | undefined;
	readonly #named: NamedPages;
	/** By path without query, in small letters, and content: the page that has it. */
	// Not `max`, which allocates for all of them at once.
	readonly #pageOf = new LRUCache<string, string>({ maxSize: maxPages, sizeCalculation: () => 1 });
	/** Addresses that are no pages of their own, and until when they are not read again; milliseconds since 1970. */
	readonly #variants = new LRUCache<string, number>({ maxSize: 10_000, sizeCalculation: () => 1 });
	#looking: NodeJS.Timeout | undefined;
	#closed = false;

	/** With a shared store: the last write of all gateways that is known here; undefined before the first exchange. */
	#version: number | undefined;
	#troubled = false;
	/** With a shared store: what the file of this gateway has, from before. */
	#earlier: RevisionState | undefined;

	private constructor(
		db: Kysely<RevisionSchema>,
		config: Config,
		pages: ObservedPages,
		named: NamedPages,
		options: ChangeObserverOptions,
	) {
		this.#db = db;
		this.#origin = config.origin;
		this.#pages = pages;
		this.#named = named;
		this.#options = options;
		this.#now = options.now ?? Date.now;
		this.#announced = { manifest: this.#manifest(), file: undefined };
		this.#timer = setInterval(() => void this.store(), options.delay ?? 500).unref();
	}

	/** Opens the state that the policy file names, or the shared one, which need not be reachable yet. @throws DatabaseError */
	static async open(config: Config, options: ChangeObserverOptions = {}): Promise<DurableChangeObserver> {
		const { origin, pagedigest } = config;
		const file = resolve(options.base ?? '.', pagedigest?.state ?? './.wayleave/revisions.db');
		const { shared } = options;
		const db = openDatabase<RevisionSchema>(shared?.url ?? `sqlite:${file}`, { connections: 1 });
		try {
			const named = new NamedPages({ origin, ...(pagedigest?.pages && { patterns: pagedigest.pages }) });
			let state: RevisionState | undefined;
			if (shared === undefined) {
				await prepareRevisions(db);
				state = await loadRevisions(db, origin);
				for (const key of await loadNamed(db, origin)) named.add(key);
			}
			const pages = new ObservedPages(state, options.interval ?? 1000, options.maxPages ?? maxPages);
			const changeObserver = new DurableChangeObserver(db, config, pages, named, options);
			if (shared !== undefined && existsSync(file)) changeObserver.#earlier = await readFileOf(file, origin);
			await changeObserver.store();
			return changeObserver;
		} catch (error) {
			await db.destroy();
			throw error;
		}
	}

	/** Reads the home page and the sitemap for the pages that they name, now and every hour. Never rejects. */
	async lookAtSite(): Promise<void> {
		const { fetch, sitemaps } = this.#options;
		if (fetch === undefined || this.#closed) return;
		const found = await readNamedPages(fetch, this.#origin, sitemaps?.() ?? []);
		for (const url of found.urls) this.#named.addUrl(url);
		if (this.#closed) return;
		clearTimeout(this.#looking);
		const pause = found.complete ? lookAgain.found : lookAgain.failed;
		this.#looking = setTimeout(() => void this.lookAtSite(), pause).unref();
	}

	/** Whether the site names this page in just this spelling: whatever else is asked for says nothing of the site. */
	wants(path: string): boolean {
		if (!isListable(path) || !this.#named.has(path)) return false;
		if ((this.#variants.get(path) ?? 0) > this.#now()) return false;
		return this.#options.isWithheld?.(path) !== true && !this.#pages.isResting(path, this.#now());
	}

	observe(path: string, body: Uint8Array, contentType: string | undefined, referer?: string): void {
		if (!this.wants(path) || !isDocument(contentType ?? '')) return;
		const digest = `sha256:${createHash('sha256').update(body).digest('hex')}` as Digest;
		if (this.#pages.knows(path, digest)) {
			this.#pages.see({ key: path, digest, fingerprint: () => '', at: this.#now() });
			return;
		}
		const { fingerprint, links, canonical } = this.#read(path, body, contentType, digest);
		const from = referer === undefined ? undefined : this.#named.keyOf(referer);
		for (const url of links) {
			// A link back to where the visitor says to come from: the visitor names it, and not the site.
			if (from === undefined || this.#named.keyOf(url) !== from) this.#named.addUrl(url);
		}
		if (!this.#isPageOfItsOwn(path, fingerprint, canonical)) {
			this.#pages.forget(path);
			this.#variants.set(path, this.#now() + variantRest);
			return;
		}
		this.#pages.see({ key: path, digest, fingerprint: () => fingerprint, at: this.#now() });
		this.#pageOf.set(`${loosePath(path)}\n${fingerprint}`, path);
	}

	/**
	 * False for an address that differs from that of another page in letter case or query only, if its canonical link
	 * names that page or both have the same content.
	 */
	#isPageOfItsOwn(path: string, fingerprint: string, canonical: string | undefined): boolean {
		if (this.#named.isConfigured(path)) return true;
		const canonicalKey = canonical === undefined ? undefined : this.#named.keyOf(canonical);
		const isVariant = path !== pathOf(path);
		if (
			canonicalKey !== undefined &&
			canonicalKey !== path &&
			(isVariant || loosePath(canonicalKey) === loosePath(path))
		) {
			this.#named.add(canonicalKey);
			return false;
		}
		const same = this.#pageOf.get(`${loosePath(path)}\n${fingerprint}`);
		if (same === undefined || same === path || this.#pages.fingerprintOf(same) !== fingerprint) return true;
		if (oddness(path) >= oddness(same)) return false;
		// The plainer address comes after the other: it takes its place.
		this.#pages.forget(same);
		return true;
	}

	/** The page answers 404 or 410. */
	forget(path: string): void {
		this.#pages.forget(path);
	}

	revisionOf(path: string): number | undefined {
		return this.#pages.revisionOf(path);
	}

	/** Undefined until the shared store was read: revisions must not go back. */
	respond(visit: Visit): GatewayResponse | undefined {
		if (this.#options.shared !== undefined && this.#version === undefined) return undefined;
		const announced = this.#announced;
		announced.file ??= fileOf(announced.manifest);
		const { status, headers, body } = respondWithFile(announced.file, visit);
		const caching = status < 400 ? { 'cache-control': 'public, max-age=60' } : {};
		return { status, headers: { ...headers, ...caching }, body };
	}

	/** Stores what was learned, then announces it. One at a time; what fails is tried again. */
	async store(): Promise<void> {
		this.#storing ??= this.#storeNow().finally(() => {
			this.#storing = undefined;
		});
		await this.#storing;
	}

	async close(): Promise<void> {
		this.#closed = true;
		clearInterval(this.#timer);
		clearTimeout(this.#looking);
		await this.#storing;
		await this.store();
		await this.#db.destroy();
	}

	async #storeNow(): Promise<void> {
		this.#pages.expire(this.#now() - (this.#options.maxAge ?? 3600) * 1000);
		if (this.#options.shared !== undefined) return await this.#exchange(this.#options.shared);
		const changes = this.#pages.takeChanges();
		if (changes === undefined) return;
		const manifest = this.#manifest();
		try {
			await saveChanges(this.#db, this.#origin, changes, changes.pages, changes.removed);
			this.#announced = { manifest, file: undefined };
		} catch (error) {
			this.#pages.giveBack(changes.pages, changes.removed);
			this.#options.onTrouble?.(error);
		}
	}

	/** Stores what was learned here among what others have learned, and announces both. */
	async #exchange({ hasOthers }: SharedStore): Promise<void> {
		const known = this.#version;
		const changes = this.#pages.takeChanges();
		const { pages = [], removed = [], floor = 1 } = changes ?? {};
		try {
			if (known === undefined) await prepareRevisions(this.#db);
			else if (changes === undefined && (await lastVersion(this.#db, this.#origin)) === known) return;
			const startsAlone = known === undefined && !hasOthers();
			const earlier = known === undefined ? this.#earlier : undefined;
			const local = { floor, pages, removed, since: known ?? -1, startsAlone, earlier };
			const merged = await mergeChanges(this.#db, this.#origin, local);
			this.#pages.adopt(merged);
			for (const { key } of merged.pages) this.#named.add(key);
			this.#version = merged.version;
			this.#announced = { manifest: this.#manifest(), file: undefined };
		} catch (error) {
			if (changes !== undefined) this.#pages.giveBack(pages, removed);
			if (!this.#troubled) this.#options.onTrouble?.(error);
			this.#troubled = true;
			return;
		}
		this.#troubled = false;
	}

	#manifest(): Manifest {
		return this.#pages.manifest(`${new Date(this.#now()).toISOString().slice(0, 19)}Z`);
	}

	/** The fingerprint of a page, from its content or else its bytes, and the pages it names. */
	#read(path: string, body: Uint8Array, contentType: string | undefined, digest: string): ReadPage {
		if (!/html/i.test(contentType ?? ''))
			return { fingerprint: digest.slice('sha256:'.length), links: [], canonical: undefined };
		const { text } = decodeHtml(body, contentType);
		const extraction = extract(text, this.#origin + path);
		return {
			fingerprint: fingerprintOf(extraction, text),
			links: linksOf(extraction),
			canonical: extraction.canonicalUrl,
		};
	}
}

/** Of two addresses with one content, the page is the one without a query, and in small letters. */
function oddness(key: string): number {
	return (key === pathOf(key) ? 0 : 2) + (key === key.toLowerCase() ? 0 : 1);
}

/** The revisions in a file. */
async function readFileOf(file: string, origin: string): Promise<RevisionState | undefined> {
	const db = openDatabase<RevisionSchema>(`sqlite:${file}`);
	try {
		await prepareRevisions(db);
		return await loadRevisions(db, origin);
	} finally {
		await db.destroy();
	}
}

interface ReadPage {
	readonly fingerprint: string;
	/** Absolute. */
	readonly links: readonly string[];
	readonly canonical: string | undefined;
}

function fileOf(manifest: Manifest) {
	const text = formatManifest(manifest);
	const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
	return { type: 'application/json', text, etag };
}
