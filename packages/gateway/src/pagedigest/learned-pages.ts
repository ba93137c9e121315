import type { Digest, Manifest, ManifestEntry, PageRevision, RevisionState } from '@wayleave/protocols/pagedigest';

/** A page as it was seen on its way to a client. */
export interface SeenPage {
	readonly key: string;
	readonly digest: Digest;
	/** Made of the content; asked for only where the bytes are new. */
	readonly fingerprint: () => string;
	/** Milliseconds since 1970. */
	readonly at: number;
}

interface ObservedPage {
	rev: number;
	fingerprint: string;
	/** Of the bytes that were seen last, where that was stored. */
	digest: Digest | undefined;
	/** Two clients in a row got these bytes: they are what everybody gets. */
	agreed: boolean;
	/** When it was seen last; undefined: not since the start. */
	seen: number | undefined;
	/** How long it need not be looked at again, milliseconds: longer where only the bytes change, over and over. */
	rest: number;
	/** When the store learned that it was seen. */
	sharedAt: number;
}

const maxRest = 300_000;
/** Milliseconds after which the store learns that a page that has not changed was seen. */
const tellAgain = 900_000;

/** A row that the store has yet to learn of. */
export type ChangedPage = PageRevision & {
	readonly key: string;
	/** When it was seen last; milliseconds since 1970. */
	readonly seen?: number;
	/** Whether everybody gets the bytes of the digest. */
	readonly agreed?: boolean;
};

/** Revisions as several gateways have left them in their store. */
export interface SharedRevisions {
	readonly siteRev: number;
	readonly floor: number;
	readonly pages: readonly ChangedPage[];
}

/**
 * The revisions of a site that is learned from what is served. A page is listed as long as it has been seen lately:
 * without requests for it, a change goes unseen. Its digest is listed once two clients in a row got the same bytes:
 * where they churn, there is none (pagedigest §3.2).
 */
export class ObservedPages {
	#state: { readonly siteRev: number; readonly floor: number };
	readonly #pages = new Map<string, ObservedPage>();
	readonly #changed = new Set<string>();
	#siteChanged = false;
	readonly #removed = new Set<string>();
	readonly #interval: number;
	readonly #max: number;

	/**
	 * Nothing is listed at first: what happened since the state was stored is not known.
	 *
	 * @param interval milliseconds between two looks at the same page
	 * @param max pages that are remembered: of more, those seen longest ago are let go of
	 */
	constructor(state: RevisionState | undefined, interval: number, max = Number.POSITIVE_INFINITY) {
		this.#interval = interval;
		this.#max = max;
		this.#state = { siteRev: state?.siteRev ?? 0, floor: state?.floor ?? 1 };
		for (const [key, { rev, fingerprint, digest }] of state?.pages ?? []) {
			const observed = { rev, fingerprint, digest, agreed: false, seen: undefined, rest: 0, sharedAt: 0 };
			this.#pages.set(key, observed);
		}
		if ([...(state?.pages.values() ?? [])].some(({ listed }) => listed)) this.#raiseSite();
	}

	get size(): number {
		return this.#pages.size;
	}

	get siteRev(): number {
		return this.#state.siteRev;
	}

	has(key: string): boolean {
		return this.#pages.has(key);
	}

	/** Whether it is too early to look at a page again. */
	isResting(key: string, at: number): boolean {
		const page = this.#pages.get(key);
		return page?.seen !== undefined && at - page.seen < page.rest;
	}

	/** Whether these bytes were seen of a page before, since the start. */
	knows(key: string, digest: Digest): boolean {
		const page = this.#pages.get(key);
		return page?.seen !== undefined && page.digest === digest;
	}

	/** The fingerprint of a page that is listed. */
	fingerprintOf(key: string): string | undefined {
		const page = this.#pages.get(key);
		return page?.seen === undefined ? undefined : page.fingerprint;
	}

	/** The revision of a page that is listed. */
	revisionOf(key: string): number | undefined {
		const page = this.#pages.get(key);
		return page?.seen === undefined ? undefined : page.rev;
	}

	see({ key, digest, fingerprint, at }: SeenPage): void {
		const known = this.#pages.get(key);
		// The last one that was seen comes last: the first are let go of first.
		if (known !== undefined) {
			this.#pages.delete(key);
			this.#pages.set(key, known);
		}
		if (known === undefined) {
			this.#makeRoom();
			this.#removed.delete(key);
			const rev = this.#state.floor;
			const page = {
				rev,
				fingerprint: fingerprint(),
				digest,
				agreed: false,
				seen: at,
				rest: this.#interval,
				sharedAt: at,
			};
			this.#pages.set(key, page);
			this.#raise(key);
			return;
		}
		const isNew = known.digest !== digest;
		const print = isNew ? fingerprint() : known.fingerprint;
		if (print !== known.fingerprint) known.rev++;
		if (print !== known.fingerprint || known.seen === undefined) this.#raise(key);
		if (known.agreed === isNew) this.#changed.add(key);
		const churns = isNew && print === known.fingerprint;
		known.rest = churns ? Math.min(Math.max(known.rest, this.#interval) * 2, maxRest) : this.#interval;
		known.agreed = !isNew;
		known.fingerprint = print;
		known.digest = digest;
		known.seen = at;
		if (at - known.sharedAt >= tellAgain) this.#changed.add(key);
	}

	/** A page that is gone is listed no more; its revision is kept (pagedigest §4.1.1). */
	forget(key: string): void {
		const page = this.#pages.get(key);
		if (page?.seen === undefined) return;
		page.seen = undefined;
		this.#raise(key);
	}

	/** Lets go of the pages seen longest ago. Should one return, its revision must not be lower (pagedigest §4.1.1). */
	#makeRoom(): void {
		for (const [key, { rev }] of this.#pages) {
			if (this.#pages.size < this.#max) return;
			this.#pages.delete(key);
			this.#changed.delete(key);
			this.#removed.add(key);
			this.#state = { ...this.#state, floor: Math.max(this.#state.floor, rev + 1) };
			this.#raiseSite();
		}
	}

	/** Forgets pages that were not seen since `time`. */
	expire(time: number): void {
		for (const [key, { seen }] of this.#pages) if (seen !== undefined && seen < time) this.forget(key);
	}

	/** Changes since the last call; undefined if there are none. */
	takeChanges():
		| {
				readonly siteRev: number;
				readonly floor: number;
				readonly pages: readonly ChangedPage[];
				readonly removed: readonly string[];
		  }
		| undefined {
		if (!this.#siteChanged && this.#changed.size === 0) return undefined;
		const pages = [...this.#changed].flatMap((key): ChangedPage[] => {
			const page = this.#pages.get(key);
			if (page === undefined) return [];
			const { rev, fingerprint, digest, seen, agreed } = page;
			page.sharedAt = seen ?? page.sharedAt;
			const listed = seen !== undefined;
			return [{ key, rev, fingerprint, ...(digest && { digest }), listed, agreed, ...(listed && { seen }) }];
		});
		const removed = [...this.#removed];
		this.#siteChanged = false;
		this.#changed.clear();
		this.#removed.clear();
		return { ...this.#state, pages, removed };
	}

	/** Takes over what several gateways have stored, these revisions included. */
	adopt({ siteRev, floor, pages }: SharedRevisions): void {
		this.#state = { siteRev, floor: Math.max(floor, this.#state.floor) };
		for (const row of pages) {
			const page = this.#pages.get(row.key);
			if (page === undefined) {
				this.#makeRoom();
				this.#removed.delete(row.key);
			}
			if (page !== undefined && this.#changed.has(row.key)) {
				// It was seen again meanwhile: that is to be stored still.
				page.rev = Math.max(page.rev, page.fingerprint === row.fingerprint ? row.rev : row.rev + 1);
				continue;
			}
			const { rev, fingerprint, digest, listed, agreed = false, seen = 0 } = row;
			const since = listed ? Math.max(seen, page?.seen ?? 0) : undefined;
			const rest = page?.rest ?? this.#interval;
			this.#pages.set(row.key, { rev, fingerprint, digest, agreed, seen: since, rest, sharedAt: seen });
		}
	}

	/** Changes that could not be stored are changes still. */
	giveBack(pages: readonly ChangedPage[], removed: readonly string[] = []): void {
		this.#siteChanged = true;
		for (const { key } of pages) if (this.#pages.has(key)) this.#changed.add(key);
		for (const key of removed) if (!this.#pages.has(key)) this.#removed.add(key);
	}

	/** Of the pages that are listed; without coverage, since others may exist. */
	manifest(generated: string): Manifest {
		const entries = new Map<string, ManifestEntry>();
		for (const [key, { rev, digest, agreed, seen }] of this.#pages) {
			if (seen !== undefined) entries.set(key, agreed && digest ? { rev, digest } : { rev });
		}
		return { version: 1, generated, siteRev: this.#state.siteRev, entries };
	}

	#raise(key: string): void {
		this.#changed.add(key);
		this.#raiseSite();
	}

	#raiseSite(): void {
		this.#state = { ...this.#state, siteRev: this.#state.siteRev + 1 };
		this.#siteChanged = true;
	}
}
