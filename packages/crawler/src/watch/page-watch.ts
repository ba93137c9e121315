import { randomUUID } from 'node:crypto';
import { sha256 } from '@wayleave/io/hash';
import { rfc3339 } from '../base/time.ts';
import { diffDocuments } from '../diff/block-diff.ts';
import { contentOf, isSameContent } from '../diff/noise.ts';
import type { AnnouncedVersion, PageChange, PageTerms } from '../model/page-change.ts';
import { termsOfRefusal } from '../model/page-terms.ts';
import type {
	LoggedChange,
	NewChange,
	VersionText,
	Watch,
	WatchedPage,
	WatchRecord,
	WatchUpdate,
} from '../store/roles/watch.ts';
import { type PresentSubject, type Subject, subjectsOf } from './subjects.ts';
import type { ObservedVisit } from './types.ts';

type Text = Pick<VersionText, 'title' | 'markdown'>;

/** Tells documents apart, titles included. */
const digestOf = ({ title, markdown }: Text): Uint8Array => sha256(Buffer.from(`${title}\0${markdown}`));
/** The same without noise. */
const meaningOf = ({ title, markdown }: Text, url: string): Uint8Array =>
	sha256(Buffer.from([...contentOf(title, url), ...contentOf(markdown, url)].join('\0')));
const hashOf = (markdown: string): string => Buffer.from(sha256(Buffer.from(markdown))).toString('hex');
const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
/** One-line texts are documents too. */
const hasSameContent = (a: Text, b: Text, addresses: readonly [string, string]): boolean =>
	isSameContent(a.title, b.title, addresses) && isSameContent(a.markdown, b.markdown, addresses);

interface PageWatchOptions {
	readonly watch: Watch;
	readonly history: number;
	/** Numbers of the receivers. */
	readonly receivers: readonly number[];
}

/**
 * Compares what visits of one run saw with the last announced state of each page. It only reads; what it finds is
 * written in the transaction of the visits.
 */
export class PageWatch {
	readonly #options: PageWatchOptions;
	#hasBaseline: Promise<boolean> | undefined;

	constructor(options: PageWatchOptions) {
		this.#options = options;
	}

	/** The changes of a batch of visits, before it is committed. */
	async observe(visits: readonly ObservedVisit[]): Promise<WatchUpdate> {
		const { watch, history, receivers } = this.#options;
		this.#hasBaseline ??= watch.hasBaseline();
		const seen = visits.flatMap((visit) => subjectsOf(visit).map((subject) => ({ subject, at: visit.visit.at })));
		const records = await watch.records([...new Set(seen.map(({ subject }) => subject.url))]);
		const batch = new ObservedBatch(watch, records, await this.#hasBaseline);
		for (const { subject, at } of seen) await batch.observe(subject, at);
		return { pages: [...batch.pages.values()], versions: batch.versions, changes: batch.changes, history, receivers };
	}

	/** Decides at the end of the run about a change that waited for it. */
	async decide({ url, change }: LoggedChange): Promise<PageChange> {
		const { watch } = this.#options;
		const { kind, movedTo: to, before } = change;
		if (kind !== 'moved' || to === undefined || before === undefined) return change;
		const old = (await watch.texts(url, before.version)).find(({ markdown }) => hashOf(markdown) === before.sha256);
		const current = await watch.stored(to);
		const isSame = old !== undefined && current !== undefined && hasSameContent(old, current, [url, to]);
		// The crawler has compared the texts of an alias itself.
		if (current === undefined || !(isSame || change.by === 'canonical')) return leftFor(change, to);
		const version = (await watch.current(to)) ?? 1;
		return {
			...change,
			title: current.title,
			after: { version, sha256: hashOf(current.markdown) },
			...(old && { diff: diffDocuments(old.markdown, current.markdown) }),
		};
	}
}

/** The address leads to a page that is another one. */
const leftFor = ({ before: _, by: __, ...change }: PageChange, movedTo: string): PageChange => ({
	...change,
	kind: 'gone',
	reason: 'redirected',
	movedTo,
});

/** The changes of the visits that are committed together. */
class ObservedBatch {
	readonly pages = new Map<string, WatchedPage>();
	readonly versions: (VersionText & { readonly url: string })[] = [];
	readonly changes: NewChange[] = [];
	readonly #watch: Watch;
	readonly #records: ReadonlyMap<string, WatchRecord>;
	readonly #announces: boolean;

	/** @param announces whether a page that is new to the store is new to the site */
	constructor(watch: Watch, records: readonly WatchRecord[], announces: boolean) {
		this.#watch = watch;
		this.#records = new Map(records.map((record) => [record.url, record]));
		this.#announces = announces;
	}

	async observe(subject: Subject, at: number): Promise<void> {
		const page = await this.#find(subject.url);
		if (subject.is === 'present') return page === undefined ? this.#add(subject, at) : this.#compare(page, subject, at);
		if (page === undefined || (page.state !== 'present' && page.state !== 'refused')) return;
		const { url } = subject;
		if (subject.is === 'refused') return this.#setTerms(page, termsOfRefusal(subject.reason), 'refused', at);
		const old = await this.#announced(page);
		const title = old === undefined ? {} : { title: old.title };
		if (subject.is === 'gone') {
			const { reason, movedTo } = subject;
			this.#log({ kind: 'gone', url, ...title, reason, ...(movedTo !== undefined && { movedTo }) }, page.version, at);
			this.#save({ ...page, state: 'gone' });
			return;
		}
		const before = { version: page.version, sha256: old === undefined ? '' : hashOf(old.markdown) };
		const moved = { kind: 'moved', url, ...title, before, movedTo: subject.to, by: subject.by } as const;
		this.#log(moved, page.version, at, true);
		this.#save({ ...page, state: 'moved' });
	}

	/** The announced state of a page; of one that was read before it was watched, that of its document. */
	async #find(url: string): Promise<WatchedPage | undefined> {
		const known = this.pages.get(url) ?? this.#records.get(url)?.watched;
		if (known !== undefined || this.#records.get(url)?.kept !== true) return known;
		const stored = await this.#watch.stored(url);
		if (stored === undefined) return undefined;
		const digest = digestOf(stored);
		const page: WatchedPage = { url, version: 1, state: 'present', digest, seen: digest, terms: stored.terms };
		this.#save(page);
		return page;
	}

	#add(subject: PresentSubject, at: number): void {
		const page = pageOf(subject, 1);
		this.#save(page);
		if (this.#announces) this.#logAdded(page, subject, at);
	}

	async #compare(page: WatchedPage, subject: PresentSubject, at: number): Promise<void> {
		if (page.state === 'gone' || page.state === 'moved') {
			await this.#keepAnnounced(page);
			const next = pageOf(subject, page.version + 1);
			this.#save(next);
			this.#logAdded(next, subject, at);
			return;
		}
		if (subject.terms !== page.terms) this.#setTerms(page, subject.terms, 'present', at);
		else if (page.state === 'refused') this.#save({ ...page, state: 'present' });
		const digest = digestOf(subject);
		if (isEqual(digest, page.digest) || isEqual(digest, page.seen)) return;
		await this.#compareDocuments(this.pages.get(page.url) ?? page, subject, digest, at);
	}

	async #compareDocuments(page: WatchedPage, subject: PresentSubject, digest: Uint8Array, at: number): Promise<void> {
		const { url } = page;
		const old = await this.#keepAnnounced(page);
		const isNoise =
			old === undefined
				? page.meaning !== undefined && isEqual(page.meaning, meaningOf(subject, url))
				: hasSameContent(old, subject, [url, url]);
		if (isNoise) return this.#save({ ...page, seen: digest });
		const next = pageOf(subject, page.version + 1);
		this.#save(next);
		const before = old && { version: page.version, sha256: hashOf(old.markdown) };
		const { title } = subject;
		const change = {
			kind: 'changed',
			url,
			title,
			...(before && { before }),
			after: announcedOf(next, subject),
		} as const;
		this.#log({ ...change, ...differenceOf(old?.markdown, subject) }, next.version, at);
	}

	#setTerms(page: WatchedPage, terms: string, state: WatchedPage['state'], at: number): void {
		this.#save({ ...page, state, terms });
		if (page.terms === terms) return;
		const [before, after] = [page.terms, terms].map((json) => JSON.parse(json) as PageTerms) as [PageTerms, PageTerms];
		this.#log({ kind: 'terms', url: page.url, terms: { before, after } }, page.version, at);
	}

	/** The document that was announced last, if the store has it. */
	async #announced({ url, version, digest }: WatchedPage): Promise<VersionText | undefined> {
		return (await this.#watch.texts(url, version)).find((text) => isEqual(digestOf(text), digest));
	}

	/** The same, which stays in the store when a newer one replaces it. */
	async #keepAnnounced(page: WatchedPage): Promise<VersionText | undefined> {
		const old = await this.#announced(page);
		if (old !== undefined) this.versions.push({ ...old, url: page.url });
		return old;
	}

	/** Such a notice waits for the end of the run, which may show that another page has moved here. */
	#logAdded(page: WatchedPage, subject: PresentSubject, at: number): void {
		const { url, title } = subject;
		const change = { kind: 'added', url, title, after: announcedOf(page, subject) } as const;
		this.#log({ ...change, ...differenceOf('', subject) }, page.version, at, true);
	}

	#save(page: WatchedPage): void {
		this.pages.set(page.url, page);
	}

	#log(change: Omit<PageChange, 'at'>, version: number, at: number, held = false): void {
		const id = `msg_${randomUUID().replaceAll('-', '')}`;
		this.changes.push({ id, at, held, version, change: { ...change, at: rfc3339(at) } });
	}
}

function pageOf(subject: PresentSubject, version: number): WatchedPage {
	const { url, terms, withheld } = subject;
	const digest = digestOf(subject);
	// Nothing else of it may outlive the visit.
	const meaning = withheld === undefined ? {} : { meaning: meaningOf(subject, url) };
	return { url, version, state: 'present', digest, seen: digest, terms, ...meaning };
}

const announcedOf = ({ version }: WatchedPage, { markdown }: PresentSubject): AnnouncedVersion => ({
	version,
	sha256: hashOf(markdown),
});

function differenceOf(before: string | undefined, { markdown, withheld }: PresentSubject): Partial<PageChange> {
	if (withheld !== undefined) return { withheld };
	return { diff: diffDocuments(before ?? '', markdown) };
}
