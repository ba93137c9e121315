import type { PolicyVersion } from '../policy/policy-version.ts';
import type { Entry } from './entry.ts';
import type { Referral } from './referral.ts';

/** Records requests. */
export interface Recorder {
	/** Never waits and never throws. */
	record(entry: Entry): void;
	/** A person came from an assistant. Never waits and never throws. Default: nothing is counted. */
	recordReferral?(referral: Referral): void;
	/** A version of the policy is in force from now on. */
	recordPolicyVersion(policyVersion: PolicyVersion): void;
}

/** The version that a client had read when an earlier gateway ended. */
export interface Recalled {
	readonly agent: string | null;
	readonly client: string;
	/** The version that it fetched last, and when. */
	readonly policy: string;
	readonly at: number;
}

/** A permission from before an earlier gateway ended. */
export interface RecalledGrant {
	readonly agent: string | null;
	readonly client: string;
	readonly directive: string;
	readonly at: number;
}

/** A version of the policy that is in force no more. */
export interface PastPolicyVersion {
	readonly policyVersion: PolicyVersion;
	/** When it was replaced; milliseconds since 1970. */
	readonly until: number;
}
