import type { Evidence } from '@wayleave/protocols';
import type { Outcome } from '../serve/identity.ts';
import type { Purpose } from '../serve/purpose.ts';
import type { Judged, Ruling } from '../serve/ruling.ts';

/** What was done: an action of the gateway, or `pass`. */
export type Action = Ruling['action'];

/** One request of an agent, as the ledger keeps it. */
export interface Entry {
	/** Milliseconds since 1970. */
	readonly at: number;
	/** A verified name or an address: what counts as one client. Hashed where addresses are. */
	readonly client: string;
	readonly agent: string | null;
	readonly categories: string;
	readonly purpose: Purpose | 'verification';
	readonly outcome: Outcome;
	/** JSON: the evidence for the identity. */
	readonly evidence: string;
	readonly address: string;
	readonly method: string;
	/** Path and query, cut to 2,000 characters. */
	readonly path: string;
	readonly action: Action;
	/** What a gateway that does not only observe would have done. */
	readonly would: Action | null;
	/** Why, for denials and refusals: `ask-first`, `spoofed`, `not-permitted`, `dot-segment`, … */
	readonly reason: string | null;
	readonly status: number;
	/** Bytes of the body that was sent. */
	readonly bytes: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	/** The version of the policy that the client had fetched last, if any. */
	readonly policy: string | null;
	/** The version in force. */
	readonly inForce: string;
	/** The line that decides. */
	readonly ruleSource: string | null;
	readonly ruleLine: number | null;
	readonly ruleText: string | null;
	/** 1: against the policy that the client could know. */
	readonly violation: 0 | 1;
	/** Why it is none, or is not held against it. */
	readonly excuse: string | null;
	/** 1: before the pause was over that the policy asks for. */
	readonly early: 0 | 1;
	/** The directive that was asked for, and the answer. */
	readonly asked: string | null;
	readonly answer: string | null;
	/** The revision of the page that was served, where that is known. */
	readonly revision: number | null;
}

/** What came of a request. */
export interface Served {
	readonly status: number;
	readonly bytes: number;
	readonly bytesSaved?: number;
	readonly tokensSaved?: number;
	readonly asked?: string;
	readonly answer?: string;
	readonly revision?: number;
}

/** Whether a request belongs into the ledger: agents, whoever reads our files, and visitors of honeypots; never people's pages. */
export function isRecorded({ purpose, ruling, would }: Judged): boolean {
	// Who is refused without end must not fill the disk: the metrics count each of these.
	const decisive = would ?? ruling;
	if (decisive.action === 'limit' && decisive.refused === 'again') return false;
	if (purpose === 'agent' || purpose === 'assistant' || purpose === 'anonymous') return true;
	const { action } = decisive;
	return action === 'file' || action === 'ask' || action === 'som' || action === 'honeypot';
}

const longestPath = 2000;
const longestEvidence = 4000;

export function entryOf(judged: Judged, served: Served, inForce: string): Entry {
	const { identity, visit, ruling, would, known } = judged;
	const decisive = would ?? ruling;
	const rule = ruleOf(decisive);
	const { violation, excuse } = violationOf(judged, decisive);
	return {
		at: judged.at,
		client: identity.client,
		agent: identity.name ?? null,
		categories: identity.categories.join(' '),
		purpose: identity.verification ? 'verification' : judged.purpose,
		outcome: identity.outcome,
		evidence: evidenceText(identity.evidence),
		address: identity.address,
		method: visit.method,
		path: (judged.target?.raw ?? visit.target).slice(0, longestPath),
		action: ruling.action,
		would: would?.action ?? null,
		reason: reasonOf(decisive),
		status: served.status,
		bytes: served.bytes,
		bytesSaved: served.bytesSaved ?? 0,
		tokensSaved: served.tokensSaved ?? 0,
		policy: known.policy ?? null,
		inForce,
		ruleSource: rule?.source ?? null,
		ruleLine: rule?.line ?? null,
		ruleText: rule?.text ?? null,
		violation: violation ? 1 : 0,
		excuse,
		early: judged.early ? 1 : 0,
		asked: served.asked ?? null,
		answer: served.answer ?? null,
		revision: served.revision ?? null,
	};
}

/** An identity that is remembered has the same evidence each time. */
const written = new WeakMap<object, string>();

function evidenceText(evidence: unknown): string {
	const known = typeof evidence === 'object' && evidence !== null ? written.get(evidence) : undefined;
	if (known !== undefined) return known;
	const text = JSON.stringify(evidence)?.slice(0, longestEvidence) ?? '';
	if (typeof evidence === 'object' && evidence !== null) written.set(evidence, text);
	return text;
}

function reasonOf(ruling: Ruling): string | null {
	if (ruling.action === 'deny') return ruling.reason;
	if (ruling.action === 'limit') return ruling.refused === undefined ? null : 'too-many-refusals';
	return ruling.action === 'refuse' ? ruling.fault : null;
}

function ruleOf(ruling: Ruling): Evidence | undefined {
	return ruling.action === 'deny' && ruling.reason !== 'spoofed' ? ruling.verdict.because[0] : undefined;
}

function violationOf(judged: Judged, ruling: Ruling): { violation: boolean; excuse: string | null } {
	if (ruling.action === 'honeypot') return { violation: ruling.excuse === undefined, excuse: ruling.excuse ?? null };
	if (ruling.action !== 'deny') return { violation: false, excuse: null };
	return { violation: judged.excuse === undefined, excuse: judged.excuse ?? null };
}
