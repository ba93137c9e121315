// What the server gives, as far as it is shown. Times in milliseconds since 1970.

export type Outcome = 'verified' | 'unverified' | 'unknown' | 'spoofed';

export interface AgentFigures {
	readonly agent: string | null;
	readonly outcome: Outcome;
	readonly judgement: 'kept' | 'broken' | 'unread' | 'spoofed';
	readonly clients: number;
	readonly requests: number;
	readonly pages: number;
	readonly policyReads: number;
	readonly disallowed: number;
	readonly unasked: number;
	readonly honeypots: number;
	readonly early: number;
	readonly limited: number;
	readonly overfetched: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	readonly last: number;
	/** Evidence for the identity; may be empty. */
	readonly why: string;
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
	readonly slices: readonly { readonly at: number; readonly allowed: number; readonly denied: number }[];
	readonly agents: readonly AgentFigures[];
}

export interface Violation {
	readonly at: number;
	readonly agent: string | null;
	readonly outcome: string;
	readonly address: string;
	readonly method: string;
	readonly path: string;
	readonly rule: string;
	/** The version of the policy that it had read, and the one in force. */
	readonly fetched: string | null;
	readonly inForce: string;
	readonly status: number;
	readonly evidence: unknown;
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

export const periods = { '1h': 'hour', '24h': 'day', '7d': 'week', '30d': '30 days' } as const;
export type PeriodName = keyof typeof periods;

export interface Figures {
	readonly overview: Overview;
	readonly violations: readonly Violation[];
	readonly policy: Policy | null;
	readonly health: readonly HealthLine[];
}

/** Reads all figures at once. Rejects where the server does not give them. */
export async function readFigures(period: PeriodName, signal: AbortSignal): Promise<Figures> {
	const read = async <Value>(name: string): Promise<Value> => {
		const response = await fetch(`api/${name}?period=${period}`, { signal, headers: { accept: 'application/json' } });
		if (!response.ok) throw new Error(`the server responded with ${response.status}`);
		return (await response.json()) as Value;
	};
	const [overview, violations, policy, health] = await Promise.all([
		read<Overview>('overview'),
		read<Violation[]>('violations'),
		read<Policy | null>('policy'),
		read<HealthLine[]>('health'),
	]);
	return { overview, violations, policy, health };
}
