import type { PageChange, PageChangeKind } from '../../model/page-change.ts';

/** State of a watched page. */
export const watchedStates = ['present', 'gone', 'moved', 'refused'] as const;
export type WatchedState = (typeof watchedStates)[number];

/** The last announced state of a page. */
export interface WatchedPage {
	readonly url: string;
	/** Counts announced documents from 1. */
	readonly version: number;
	readonly state: WatchedState;
	/** SHA-256 of the announced document, title included. */
	readonly digest: Uint8Array;
	/** The same of the document that was compared with it last. */
	readonly seen: Uint8Array;
	/** The content without noise, hashed, of a document that may not be stored. */
	readonly meaning?: Uint8Array;
	/** The terms, as JSON. */
	readonly terms: string;
}

/** The record of a page before a visit is committed. */
export interface WatchRecord {
	readonly url: string;
	/** Undefined: the crawl has not watched it yet. */
	readonly watched?: WatchedPage;
	/** Whether the store has a current document. */
	readonly kept: boolean;
}

/** The text of one version of a page. Times are milliseconds since 1970. */
export interface VersionText {
	readonly version: number;
	readonly fetchedAt: number;
	readonly title: string;
	readonly markdown: string;
}

/** The document of a page as the store has it, with its terms. */
export interface StoredText extends Omit<VersionText, 'version'> {
	readonly terms: string;
}

/** A change that is announced with the visit that saw it. */
export interface NewChange {
	/** Identifies the notice: `webhook-id`. */
	readonly id: string;
	readonly at: number;
	/** Waits for the end of the run, which may show that the page has moved. */
	readonly held: boolean;
	readonly version: number;
	readonly change: PageChange;
}

/** Everything that a commit writes about watched pages. */
export interface WatchUpdate {
	readonly pages: readonly WatchedPage[];
	/** Texts of earlier versions, by URL. */
	readonly versions: readonly (VersionText & { readonly url: string })[];
	readonly changes: readonly NewChange[];
	/** Earlier versions that stay, for each page. */
	readonly history: number;
	/** Numbers of the receivers that get notices. */
	readonly receivers: readonly number[];
}

/** State of a notice for one receiver. */
export const noticeStates = ['waiting', 'delivered', 'kept'] as const;
export type NoticeState = (typeof noticeStates)[number];

/** A receiver of notices, as the store knows it. Times are milliseconds since 1970. */
export interface ReceiverRecord {
	readonly id: number;
	readonly address: string;
	/** `stopped`: it answered 410. */
	readonly state: 'open' | 'stopped';
	readonly detail?: string;
	/** Milliseconds until it is tried again. */
	readonly wait: number;
	/** Failures in a row. */
	readonly failures: number;
}

/** One notice that a worker sends. */
export interface ClaimedNotice {
	/** Number of the change. */
	readonly change: number;
	readonly id: string;
	readonly attempts: number;
	readonly content: PageChange;
}

/** How an attempt ended. Times are milliseconds since 1970. */
export interface NoticeOutcome {
	readonly change: number;
	readonly receiver: number;
	readonly state: NoticeState;
	/** Milliseconds until the next attempt. */
	readonly wait?: number;
	readonly status?: number;
	readonly detail?: string;
	readonly at: number;
}

/** A change in the log of a store, with its notices. */
export interface LoggedChange extends Omit<NewChange, 'version'> {
	/** Its number, which grows with time. */
	readonly number: number;
	readonly kind: PageChangeKind;
	readonly url: string;
	readonly notices: readonly LoggedNotice[];
}

export interface LoggedNotice extends Pick<NoticeOutcome, 'state' | 'status' | 'detail'> {
	readonly receiver: string;
	readonly attempts: number;
	readonly at?: number;
}

/** Notices of one receiver, counted. */
export interface NoticeCount extends Pick<ReceiverRecord, 'state' | 'detail'> {
	readonly receiver: string;
	readonly waiting: number;
	readonly delivered: number;
	readonly kept: number;
}

export interface ChangesRequest {
	/** Behind this number, the latest first. Default: from the latest on. */
	readonly before?: number;
	readonly limit: number;
	readonly url?: string;
}

/** The part of the watch that a reader needs. */
export interface WatchReader {
	/** Logged changes, the latest first. */
	log(request: ChangesRequest): Promise<LoggedChange[]>;
	/** Earlier versions of a page that the store has, the latest first. */
	earlier(url: string): Promise<VersionText[]>;
	/** The number of the announced version; undefined for a page that is not watched. */
	current(url: string): Promise<number | undefined>;
	/** Notices by receiver. */
	counts(): Promise<NoticeCount[]>;
}

/** Watched pages, their versions, and the notices about them: the outbox. */
export interface Watch extends WatchReader {
	/** Whether a run before this one was complete: then a page that is new to the store is new to the site. */
	hasBaseline(): Promise<boolean>;
	records(urls: readonly string[]): Promise<WatchRecord[]>;
	/** The document that the store has of a page. */
	stored(url: string): Promise<StoredText | undefined>;
	/** Texts that may be that of an announced version: a crawl that did not watch may have replaced it. */
	texts(url: string, version: number): Promise<VersionText[]>;
	/** Decides about changes that waited for the end of the run; `decide` returns each as it is sent. */
	release(receivers: readonly number[], decide: (held: LoggedChange) => Promise<PageChange>): Promise<void>;
	/** Names the receivers of this crawl; returns their records. */
	receivers(addresses: readonly string[]): Promise<ReceiverRecord[]>;
	/**
	 * Takes up to `limit` notices for a receiver, in order, none of a page of which an earlier one is not delivered. Others
	 * get them again when `lease` milliseconds are over.
	 */
	claim(receiver: number, limit: number, lease: number): Promise<ClaimedNotice[]>;
	/** Records how attempts ended. */
	saveOutcome(outcome: NoticeOutcome): Promise<void>;
	/** Milliseconds until the next notice of a receiver is due; undefined if none waits that may be sent. */
	nextNotice(receiver: number): Promise<number | undefined>;
	/** Sets when a receiver is tried again, or stops it. */
	setReceiver(receiver: ReceiverRecord): Promise<void>;
}
