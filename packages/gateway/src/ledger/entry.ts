import type { Evidence } from '@wayleave/protocols';
import { type DecidedRequest, type Decision, rawTarget } from '../decide/decision.ts';
import type { Outcome } from '../request/identity.ts';
import type { Purpose } from '../request/purpose.ts';

/** An action of the gateway, or `pass`. */
export type Action = Decision['action'];

/** All actions, those that let a client have something first. */
export const actions: readonly Action[] = [
	'pass',
	'represent',
	'som',
	'file',
	'ask',
	'deny',
	'limit',
	'honeypot',
	'refuse',
];

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
	/** With --observe, the action that would have been taken. */
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
	/** Why it is not a violation, or does not count as one. */
	readonly excuse: string | null;
	/** 1: before the pause was over that the policy asks for. */
	readonly early: 0 | 1;
	/** The directive that was asked for, and the answer. */
	readonly asked: string | null;
	readonly answer: string | null;
	/** The revision of the page that was served, where that is known. */
	readonly revision: number | null;
}

/** The result of a request. */
export interface Served {
	readonly status: number;
	readonly bytes: number;
	readonly bytesSaved?: number;
	readonly tokensSaved?: number;
	readonly asked?: string;
	readonly answer?: string;
	readonly revision?: number;
}

/** Whether a request belongs into the ledger: agents, readers of our files, visitors of honeypots; never people's pages. */
export function isRecorded({ purpose, decision, would }: DecidedRequest): boolean {
	// A client that is refused endlessly must not fill the disk: the metrics count each of these.
	const decisive = would ?? decision;
	if (decisive.action === 'limit' && decisive.refused === 'again') return false;
	if (purpose === 'agent' || purpose === 'assistant' || purpose === 'anonymous') return true;
	const { action } = decisive;
	return action === 'file' || action === 'ask' || action === 'som' || action === 'honeypot';
}

const maxPathLength = 2000;
const maxEvidenceLength = 4000;

export function entryOf(decided: DecidedRequest, served: Served, inForce: string): Entry {
	const { identity, visit, decision, would, known } = decided;
	const decisive = would ?? decision;
	const rule = ruleOf(decisive);
	const { violation, excuse } = violationOf(decided, decisive);
	return {
		at: decided.at,
		client: identity.client,
		agent: identity.name ?? null,
		categories: identity.categories.join(' '),
		purpose: identity.verification ? 'verification' : decided.purpose,
		outcome: identity.outcome,
		evidence: evidenceText(identity.evidence),
		address: identity.address,
		method: visit.method,
		path: rawTarget(decided).slice(0, maxPathLength),
		action: decision.action,
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
		early: decided.early ? 1 : 0,
		asked: served.asked ?? null,
		answer: served.answer ?? null,
		revision: served.revision ?? null,
	};
}

interface WrittenEvidence {
	readonly evidence: object;
	readonly text: string;
}

/** The last evidence about a claim: an agent that comes from many addresses has the same from most of them. */
const written = new WeakMap<object, WrittenEvidence>();

function evidenceText(evidence: unknown): string {
	const claimed = isObject(evidence) ? evidence.claimed : undefined;
	if (!isObject(evidence) || !isObject(claimed)) return textOf(evidence);
	const last = written.get(claimed);
	if (last !== undefined && isSame(last.evidence, evidence)) return last.text;
	const text = textOf(evidence);
	written.set(claimed, { evidence, text });
	return text;
}

const textOf = (evidence: unknown): string => JSON.stringify(evidence)?.slice(0, maxEvidenceLength) ?? '';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/** Whether two values are written as the same JSON: members in the same order, and of these each the same. */
function isSame(a: unknown, b: unknown): boolean {
	if (a === b) return true;
	if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
	const [names, others] = [Object.keys(a), Object.keys(b)];
	return names.length === others.length && names.every((name, at) => name === others[at] && isSame(a[name], b[name]));
}

function reasonOf(decision: Decision): string | null {
	if (decision.action === 'deny') return decision.reason;
	if (decision.action === 'limit') return decision.refused === undefined ? null : 'too-many-refusals';
	return decision.action === 'refuse' ? decision.fault : null;
}

function ruleOf(decision: Decision): Evidence | undefined {
	return decision.action === 'deny' && decision.reason !== 'spoofed' ? decision.verdict.because[0] : undefined;
}

function violationOf(decided: DecidedRequest, decision: Decision): { violation: boolean; excuse: string | null } {
	if (decision.action === 'honeypot')
		return { violation: decision.excuse === undefined, excuse: decision.excuse ?? null };
	if (decision.action !== 'deny') return { violation: false, excuse: null };
	return { violation: decided.excuse === undefined, excuse: decided.excuse ?? null };
}
