import type { FetchFailure } from '@wayleave/io';
import type { Use } from '@wayleave/protocols/policy';
import type { AskAnswer } from '@wayleave/protocols/robots2';

/** A policy file as it was last fetched. */
export interface PolicyFile {
	/** Where it is looked for. */
	readonly url: string;
	/** Where it was found, when redirects led away. */
	readonly finalUrl?: string;
	readonly fetchedAt: number;
	readonly expiresAt: number;
	/** Since when it could not be fetched; the rest is of the time before. */
	readonly unreachableSince?: number;
	/** How it could not be fetched at the last try, for as long as anybody works who was at work then. */
	readonly outage?: Outage;
	/** Status of the last answer that counted; 0 when there never was one. */
	readonly status: number;
	readonly body?: Uint8Array;
	readonly etag?: string;
	readonly lastModified?: string;
	readonly contentType?: string;
}

/** Why a policy file could not be had. */
export interface Outage {
	/** For people: `timeout`, `500`. */
	readonly detail: string;
	/** Where there was no answer. */
	readonly failure?: FetchFailure;
	readonly status?: number;
	/** Before that it is not asked for again; milliseconds since 1970. */
	readonly until: number;
}

/** The answer of a site to one question, with how long it may be used. Never one that is good for one use only. */
export interface KeptAnswer {
	readonly origin: string;
	/** Whom it was given to: the whole `X-Agent-Identity`. */
	readonly identity: string;
	readonly directive: Use;
	readonly answer: AskAnswer;
	/** The URL that was asked. */
	readonly source: string;
	readonly askedAt: number;
	readonly expiresAt: number;
}
