import type { FetchFailure } from '@wayleave/io/http';
import type { Use } from '@wayleave/protocols/policy';
import type { AskAnswer } from '@wayleave/protocols/robots2';

/** A policy file as it was last fetched. */
export interface PolicyFile {
	/** URL at which it is requested. */
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
	/** If there was no response. */
	readonly failure?: FetchFailure;
	readonly status?: number;
	/** Before that it is not asked for again; milliseconds since 1970. */
	readonly until: number;
}

/** The answer of a site to one question, with how long it may be used. Never one that is good for one use only. */
export interface KeptAnswer {
	readonly origin: string;
	/** The identity it was given to: the whole `X-Agent-Identity`. */
	readonly identity: string;
	readonly directive: Use;
	readonly answer: AskAnswer;
	/** The URL that was asked. */
	readonly source: string;
	readonly askedAt: number;
	readonly expiresAt: number;
}

/** A stored policy file without its body. Times are RFC 3339. */
export interface StoredPolicyFile {
	readonly url: string;
	readonly status: number;
	readonly fetchedAt: string;
	readonly expiresAt: string;
	readonly unreachableSince?: string;
}

/** The part of the policy cache that a reader needs. */
export interface PolicyReader {
	policyFile(url: string): Promise<PolicyFile | undefined>;
	/** The policy files of the origin of a URL. */
	filesOf(url: string): Promise<StoredPolicyFile[]>;
	/** How many policy files are stored. */
	count(): Promise<number>;
}

/** The policy files of sites, and their replies to ask requests. */
export interface PolicyCache extends PolicyReader {
	savePolicyFile(file: PolicyFile): Promise<void>;
	/** Replies of an origin to an identity that are valid at `now` (robots2.txt §6). */
	askAnswers(origin: string, identity: string, now: number): Promise<KeptAnswer[]>;
	/** Replaces an earlier reply to the same question. */
	saveAskAnswer(answer: KeptAnswer): Promise<void>;
}
