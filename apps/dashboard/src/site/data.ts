// The members of the server's JSON that the page reads. Times in milliseconds since 1970.

export type Outcome = 'verified' | 'unverified' | 'unknown' | 'spoofed';

export interface AgentFigures {
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly judgement: 'kept' | 'broken' | 'unread' | 'spoofed';
	readonly requests: number;
	readonly pages: number;
	readonly policyReads: number;
	readonly manifestReads: number;
	readonly disallowed: number;
	readonly unasked: number;
	readonly asks: number;
	readonly honeypots: number;
	readonly early: number;
	readonly limited: number;
	readonly excused: number;
	readonly bytes: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	readonly last: number;
	/** Evidence for the identity; may be empty. */
	readonly why: string;
}

/** Figures that need single requests. */
export interface AgentDetails extends AgentFigures {
	readonly clients: number;
	readonly overfetched: number;
	readonly first: number;
}

export type Grouping = 'agent' | 'operator' | 'purpose' | 'category' | 'outcome' | 'action';

export interface TrafficSeries {
	/** Empty where requests have none. */
	readonly name: string;
	readonly requests: readonly number[];
	readonly bytes: readonly number[];
	readonly bytesSaved: readonly number[];
	readonly tokensSaved: readonly number[];
	readonly denied: readonly number[];
}

export interface Traffic {
	readonly by: Grouping;
	readonly times: readonly number[];
	readonly series: readonly TrafficSeries[];
}

export interface AskCount {
	readonly agent: string | null;
	readonly asked: string;
	readonly answer: string | null;
	readonly times: number;
	readonly last: number;
}

export interface AgentSavings {
	readonly agent: string | null;
	readonly represented: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	readonly manifestReads: number;
	readonly requestsAvoided: number;
	readonly bytesAvoided: number;
	readonly tokensAvoided: number;
}

export interface Savings {
	readonly agents: readonly AgentSavings[];
	/** The figures of avoided requests are lower bounds. */
	readonly isPartial: boolean;
}

export interface ReferredPage {
	readonly path: string;
	readonly assistants: readonly { readonly assistant: string; readonly visits: number }[];
	readonly visits: number;
	/** Requests of agents for the page. */
	readonly requests: number;
}

export interface Referrals {
	readonly times: readonly number[];
	readonly series: readonly { readonly name: string; readonly visits: readonly number[] }[];
	readonly pages: readonly ReferredPage[];
}

/** A version of the policy with its texts. */
export interface PolicyText {
	readonly version: string;
	readonly since: number;
	readonly robots: string;
	readonly robots2: string;
}

export interface Overview {
	readonly site: string;
	readonly observing: boolean;
	readonly period: { readonly since: number; readonly until: number };
	readonly totals: {
		readonly requests: number;
		readonly denied: number;
		readonly violations: number;
		readonly bytes: number;
		readonly bytesSaved: number;
		readonly tokensSaved: number;
	};
	readonly identity: Readonly<Record<Outcome, number>>;
	readonly actions: Readonly<Record<string, number>>;
	readonly slices: readonly {
		readonly at: number;
		readonly allowed: number;
		readonly denied: number;
		readonly violations: number;
		readonly bytesSaved: number;
	}[];
	readonly agents: readonly AgentFigures[];
}

export interface RecordedRequest {
	readonly at: number;
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly address: string;
	readonly method: string;
	readonly path: string;
	/** Empty where no rule decided. */
	readonly rule: string;
	readonly action: string;
	readonly reason: string | null;
	/** Why a broken rule does not count. */
	readonly excuse: string | null;
	/** The version of the policy that it had read, and the one in force. */
	readonly fetched: string | null;
	readonly inForce: string;
	readonly status: number;
	readonly bytes: number;
	readonly evidence: unknown;
}

export interface BrokenRule {
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly rule: string;
	readonly times: number;
	readonly paths: number;
	readonly first: number;
	readonly last: number;
}

export interface PathCount {
	readonly path: string;
	readonly requests: number;
	readonly agents: number;
}

export interface Paths {
	readonly fetched: readonly PathCount[];
	readonly denied: readonly PathCount[];
}

export interface Policy {
	readonly version: string;
	readonly since: number;
	readonly robots: string;
	readonly robots2: string;
	readonly past: readonly { readonly version: string; readonly since: number; readonly until: number }[];
}

/** How what the gateway relies on is doing. */
export interface HealthLine {
	readonly name: string;
	readonly state: 'good' | 'trouble';
	readonly detail: string;
}
