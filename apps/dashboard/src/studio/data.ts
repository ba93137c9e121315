// The members of the studio's JSON that the page reads. Times in milliseconds since 1970.

export type Severity = 'error' | 'warning' | 'info';

export interface PolicyProblem {
	readonly code: string;
	readonly severity: Severity;
	/** From 1; 0: the file as a whole. */
	readonly line: number;
	readonly column: number;
	readonly sentence: string;
}

export interface Place {
	readonly path: readonly (string | number)[];
	readonly value: string;
	readonly line: number;
	readonly column: number;
	readonly endColumn: number;
}

export interface YieldedFile {
	readonly name: string;
	readonly text: string;
	readonly format?: string;
}

export interface DescribedAgent {
	readonly token: string;
	readonly name?: string;
	readonly operator?: string;
	readonly category?: string;
}

export interface Yielded {
	readonly origin: string;
	readonly version: string;
	readonly files: readonly YieldedFile[];
	readonly agents: readonly DescribedAgent[];
}

export interface Preview {
	readonly problems: readonly PolicyProblem[];
	readonly places: readonly Place[];
	readonly yields?: Yielded;
}

export interface KeptVersion {
	readonly id: string;
	readonly at: number;
	readonly note: string;
	readonly revision: string;
}

export interface PolicyText {
	readonly text: string;
	readonly revision: string;
}

export interface StudioState {
	readonly origin: string;
	readonly file?: PolicyText & { readonly name: string };
	readonly readOnly?: string;
	readonly live: Yielded;
	readonly schema: unknown;
	readonly versions: readonly KeptVersion[];
}

export type Access = 'allow' | 'limit' | 'block';
export type SubjectKind = 'agent' | 'category' | 'operator';

export interface Switched {
	readonly text: string;
	readonly sentence: string;
}

export type ReplayedEffect = 'allowed' | 'denied' | 'slowed' | 'trapped' | 'refused';
export type EffectCounts = Readonly<Record<ReplayedEffect, number>>;

export interface ReplayedChange {
	readonly from: ReplayedEffect;
	readonly to: ReplayedEffect;
	readonly requests: number;
	readonly paths: readonly { readonly path: string; readonly requests: number }[];
	readonly morePaths: number;
	readonly rule?: { readonly source: string; readonly line: number; readonly text: string };
}

export interface ReplayedAgent {
	readonly agent: string | null;
	readonly operator?: string;
	readonly requests: number;
	readonly changed: number;
	readonly before: EffectCounts;
	readonly after: EffectCounts;
	readonly changes: readonly ReplayedChange[];
	readonly uses: readonly { readonly use: string; readonly from: string; readonly to: string }[];
}

export interface Comparison {
	readonly period: { readonly since: number; readonly until: number };
	readonly recorded: number;
	readonly replayed: number;
	readonly sample?: string;
	readonly changed: number;
	readonly before: EffectCounts;
	readonly after: EffectCounts;
	readonly agents: readonly ReplayedAgent[];
	readonly others?: { readonly requests: number; readonly changed: number };
	readonly limits: readonly string[];
}

export interface Published {
	readonly revision: string;
	readonly version: string;
}
