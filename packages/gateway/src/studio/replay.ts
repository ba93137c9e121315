import { setImmediate } from 'node:timers/promises';
import { present } from '@wayleave/protocols';
import { findAgentByToken } from '@wayleave/protocols/identity';
import { uses, type Verdict } from '@wayleave/protocols/policy';
import type { Config } from '../config/schema.ts';
import type { DecidedRequest, Decision } from '../decide/decision.ts';
import { createGateway, type Gateway } from '../engine/gateway.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { Entry } from '../ledger/entry.ts';
import type { LedgerDb } from '../ledger/schema.ts';
import type { OwnFiles } from '../policy/published-files.ts';
import type { Period } from '../report/period.ts';
import { agentOf, type Identity } from '../request/identity.ts';
import type { Visit } from '../request/visit.ts';

/** What a client experiences. */
export const effects = ['allowed', 'denied', 'slowed', 'trapped', 'refused'] as const;
export type ReplayedEffect = (typeof effects)[number];
export type EffectCounts = Readonly<Record<ReplayedEffect, number>>;

/** Requests of one agent that another policy would have treated in another way. */
export interface ReplayedChange {
	readonly from: ReplayedEffect;
	readonly to: ReplayedEffect;
	readonly requests: number;
	/** The most frequent first. */
	readonly paths: readonly { readonly path: string; readonly requests: number }[];
	/** Further paths. */
	readonly morePaths: number;
	/** The line that denies the first of these requests, in the policy that denies it. */
	readonly rule?: { readonly source: string; readonly line: number; readonly text: string };
}

/** A statement about a use of the home page that changes for an agent, whatever it requests. */
export interface ChangedUse {
	readonly use: string;
	readonly from: Verdict['effect'];
	readonly to: Verdict['effect'];
}

export interface ReplayedAgent {
	/** Null: clients without a name. */
	readonly agent: string | null;
	readonly operator?: string;
	readonly requests: number;
	readonly changed: number;
	readonly before: EffectCounts;
	readonly after: EffectCounts;
	readonly changes: readonly ReplayedChange[];
	readonly uses: readonly ChangedUse[];
}

/** Two policies over the same recorded requests. */
export interface Comparison {
	readonly period: Period;
	/** Requests in the period. */
	readonly recorded: number;
	readonly replayed: number;
	/** Where not all were replayed: how they were chosen, as a sentence. */
	readonly sample?: string;
	readonly changed: number;
	readonly before: EffectCounts;
	readonly after: EffectCounts;
	/** Those with most changes first; those without any change last. */
	readonly agents: readonly ReplayedAgent[];
	/** Agents beyond the list, all together. */
	readonly others?: { readonly requests: number; readonly changed: number };
	/** What a replay cannot know, as sentences. */
	readonly limits: readonly string[];
}

export interface ReplayOptions {
	readonly db: LedgerDb;
	readonly period: Period;
	readonly before: Config;
	readonly after: Config;
	/** The site's own files. */
	readonly own: OwnFiles;
	/** Requests that are replayed at most. Default 100,000. */
	readonly maxRequests?: number;
}

const maxRequests = 100_000;
/** Agents in the list; names are chosen by clients. */
const maxAgents = 100;
/** Agents that are counted one by one; further names are counted together. */
const maxNames = 2000;
/** Paths counted for each change of an agent, and those in the list. */
const maxCounted = 500;
const maxPaths = 10;
const hour = 3_600_000;
/** Requests between two pauses, in which the gateway serves others. */
const batch = 250;

const none: EffectCounts = { allowed: 0, denied: 0, slowed: 0, trapped: 0, refused: 0 };

/**
 * Decides the recorded requests of a period again, by two policies, with the code that decides live requests: names in
 * the User-Agent, path rules, permissions, rates. Identities count as they were verified at the time.
 */
export async function replay(options: ReplayOptions): Promise<Comparison> {
	const { db, period, own } = options;
	const max = options.maxRequests ?? maxRequests;
	const slices = await slicesOf(db, period);
	const recorded = slices.reduce((sum, { requests }) => sum + requests, 0);
	const clock = { now: period.since };
	const [before, after] = [options.before, options.after].map((config) => openReplay(config, own, clock)) as [
		Replayed,
		Replayed,
	];
	const tally = new Tally();
	let replayed = 0;
	for (const { since, until, requests } of slices) {
		const take = recorded <= max ? requests : Math.floor((requests * max) / recorded);
		for await (const row of rowsOf(db, since, until, take)) {
			clock.now = row.at;
			tally.add(row, await before.decide(row), await after.decide(row));
			if (++replayed % batch === 0) await setImmediate();
		}
	}
	return {
		period,
		recorded,
		replayed,
		...(replayed < recorded && { sample: sampleSentence(replayed, recorded) }),
		...tally.result(before.gateway, after.gateway),
		limits: limitsOf(options),
	};
}

function sampleSentence(replayed: number, recorded: number): string {
	const share = Math.max(1, Math.round((replayed / recorded) * 100));
	return `These are the first ${share} % of the requests of each hour: ${count(replayed)} of ${count(recorded)}. The counts are of these requests, not of all.`;
}

const count = (value: number): string => value.toLocaleString('en');

function limitsOf({ before, after }: ReplayOptions): string[] {
	const names = (config: Config) => Object.keys(config.paths.agents ?? {});
	const known = new Set(names(before).map((name) => name.toLowerCase()));
	const added = names(after).filter((name) => !known.has(name.toLowerCase()) && findAgentByToken(name) === undefined);
	return [
		'Pages that people requested are not recorded, so they are not replayed.',
		...(added.length > 0
			? [
					`${added.slice(0, 5).join(', ')}: until a policy names an agent that is not in the catalogue, its requests are not recorded, so this comparison may miss some of them.`,
				]
			: []),
	];
}

const columns = [
	'id',
	'at',
	'client',
	'agent',
	'categories',
	'purpose',
	'outcome',
	'evidence',
	'address',
	'method',
	'path',
] as const;

/** A recorded request. */
type Row = Pick<Entry & { readonly id: number }, (typeof columns)[number]>;

/** The hours of a period with their requests; each is counted by itself, so that no statement is long. */
async function slicesOf(db: LedgerDb, { since, until }: Period) {
	const slices: { since: number; until: number; requests: number }[] = [];
	for (let start = since; start < until; start += hour) {
		const end = Math.min(start + hour, until);
		const { requests } = await db
			.selectFrom('gateway_request')
			.select(({ fn }) => fn.countAll().as('requests'))
			.where('at', '>=', start)
			.where('at', '<', end)
			.executeTakeFirstOrThrow();
		if (Number(requests) > 0) slices.push({ since: start, until: end, requests: Number(requests) });
		await setImmediate();
	}
	return slices;
}

async function* rowsOf(db: LedgerDb, since: number, until: number, take: number): AsyncGenerator<Row> {
	let left = take;
	let [at, id] = [since, -1];
	while (left > 0) {
		const rows = await db
			.selectFrom('gateway_request')
			.select(columns)
			.where((where) => where.or([where('at', '>', at), where.and([where('at', '=', at), where('id', '>', id)])]))
			.where('at', '<', until)
			.orderBy('at')
			.orderBy('id')
			.limit(Math.min(left, 1000))
			.execute();
		for (const row of rows) yield { ...row, id: Number(row.id), at: Number(row.at) };
		const last = rows.at(-1);
		if (last === undefined) return;
		[at, id] = [Number(last.at), Number(last.id)];
		left -= rows.length;
	}
}

interface RecordedVisit extends Visit {
	readonly row: Row;
	readonly reason: string | undefined;
}

/** Finds out nothing: it repeats what was found when the request came. */
const asRecorded: Identifier = {
	now(visit, claim) {
		const { row, reason } = visit as RecordedVisit;
		const name = claim.name ?? row.agent ?? undefined;
		const operator = claim.agent?.operator ?? (name === undefined ? undefined : findAgentByToken(name)?.operator);
		return {
			outcome: row.outcome,
			...present({ name, token: claim.token }),
			otherNames: claim.otherNames,
			categories: claim.name === undefined ? row.categories.split(' ').filter(Boolean) : claim.categories,
			...(claim.as !== undefined && { agent: claim.as }),
			...((claim.userTriggered || row.purpose === 'assistant') && { userTriggered: true }),
			...(row.purpose === 'verification' && { verification: true }),
			client: row.client,
			address: row.address,
			...present({ reason, operator }),
			evidence: undefined,
		};
	},
	ask: () => Promise.reject(new Error('a replay looks nothing up')),
};

interface Replayed {
	readonly gateway: Gateway;
	decide(row: Row): DecidedRequest | Promise<DecidedRequest>;
}

/** A gateway that serves no client, with a clock of its own. */
function openReplay(config: Config, own: OwnFiles, clock: { readonly now: number }): Replayed {
	const { unreadable: _, ...readable } = own;
	const gateway = createGateway(config, { identifier: asRecorded, own: readable, now: () => clock.now });
	return {
		gateway,
		async decide(row) {
			const decided = await gateway.decide(visitOfRow(row));
			// A client that reads the terms, or asks, is treated by that from then on.
			if (decided.decision.action === 'ask' || decided.decision.action === 'file') await gateway.respond(decided);
			return decided;
		},
	};
}

function visitOfRow(row: Row): RecordedVisit {
	const { claimed, reason } = evidenceOf(row.evidence);
	const fields: Readonly<Record<string, string | undefined>> = {
		'user-agent': claimed.userAgent ?? (row.purpose === 'anonymous' ? undefined : (row.agent ?? 'unknown')),
		'x-agent-identity': claimed.agentIdentity,
	};
	return { method: row.method, target: row.path, address: row.address, row, reason, header: (name) => fields[name] };
}

interface RecordedClaim {
	readonly claimed: { readonly userAgent?: string; readonly agentIdentity?: string };
	readonly reason: string | undefined;
}

function evidenceOf(text: string): RecordedClaim {
	try {
		const { claimed, reason } = JSON.parse(text) ?? {};
		const part = (name: string) => (typeof claimed?.[name] === 'string' ? { [name]: claimed[name] as string } : {});
		return {
			claimed: { ...part('userAgent'), ...part('agentIdentity') },
			reason: typeof reason === 'string' ? reason : undefined,
		};
	} catch {
		// Evidence that was too long is cut.
		return { claimed: {}, reason: undefined };
	}
}

function effectOf({ action }: Decision): ReplayedEffect {
	if (action === 'deny') return 'denied';
	if (action === 'limit') return 'slowed';
	if (action === 'honeypot') return 'trapped';
	return action === 'refuse' ? 'refused' : 'allowed';
}

interface OpenChange {
	readonly from: ReplayedEffect;
	readonly to: ReplayedEffect;
	requests: number;
	readonly paths: Map<string, number>;
	readonly uncounted: Set<string>;
	readonly rule: ReplayedChange['rule'];
}

interface OpenAgent {
	readonly agent: string | null;
	readonly identity: Identity;
	requests: number;
	changed: number;
	readonly before: Record<ReplayedEffect, number>;
	readonly after: Record<ReplayedEffect, number>;
	readonly changes: Map<string, OpenChange>;
}

/** Counts what each agent would have experienced. */
class Tally {
	readonly #agents = new Map<string | null, OpenAgent>();
	readonly #before = { ...none };
	readonly #after = { ...none };
	#changed = 0;
	readonly #others = { requests: 0, changed: 0 };

	add(row: Row, before: DecidedRequest, after: DecidedRequest): void {
		const [from, to] = [effectOf(before.decision), effectOf(after.decision)];
		this.#before[from]++;
		this.#after[to]++;
		if (from !== to) this.#changed++;
		const agent = this.#agent(after.identity);
		if (agent === undefined) {
			this.#others.requests++;
			if (from !== to) this.#others.changed++;
			return;
		}
		agent.requests++;
		agent.before[from]++;
		agent.after[to]++;
		if (from === to) return;
		agent.changed++;
		const change = changeOf(agent, from, to, ruleOf(after.decision) ?? ruleOf(before.decision));
		change.requests++;
		const known = change.paths.get(row.path);
		if (known !== undefined || change.paths.size < maxCounted) change.paths.set(row.path, (known ?? 0) + 1);
		else if (change.uncounted.size < maxCounted) change.uncounted.add(row.path);
	}

	result(before: Gateway, after: Gateway): Pick<Comparison, 'changed' | 'before' | 'after' | 'agents' | 'others'> {
		const all = [...this.#agents.values()].map((agent) => ({
			agent,
			uses: changedUses(before, after, agent.identity),
		}));
		all.sort(
			(a, b) =>
				b.agent.changed - a.agent.changed || b.uses.length - a.uses.length || b.agent.requests - a.agent.requests,
		);
		const rest = all.slice(maxAgents).map(({ agent }) => agent);
		const others = {
			requests: rest.reduce((sum, { requests }) => sum + requests, this.#others.requests),
			changed: rest.reduce((sum, { changed }) => sum + changed, this.#others.changed),
		};
		return {
			changed: this.#changed,
			before: this.#before,
			after: this.#after,
			agents: all.slice(0, maxAgents).map(({ agent, uses: changed }) => closeAgent(agent, changed)),
			...(others.requests > 0 && { others }),
		};
	}

	/** Undefined: there are too many names already. */
	#agent(identity: Identity): OpenAgent | undefined {
		const name = identity.name ?? null;
		const known = this.#agents.get(name);
		if (known !== undefined) return known;
		if (this.#agents.size >= maxNames) return undefined;
		const made = {
			agent: name,
			identity,
			requests: 0,
			changed: 0,
			before: { ...none },
			after: { ...none },
			changes: new Map(),
		};
		this.#agents.set(name, made);
		return made;
	}
}

function changeOf(
	agent: OpenAgent,
	from: ReplayedEffect,
	to: ReplayedEffect,
	rule: ReplayedChange['rule'],
): OpenChange {
	const key = `${from} ${to}`;
	const known = agent.changes.get(key);
	if (known !== undefined) return known;
	const made = { from, to, requests: 0, paths: new Map(), uncounted: new Set<string>(), rule };
	agent.changes.set(key, made);
	return made;
}

function ruleOf(decision: Decision): ReplayedChange['rule'] {
	if (decision.action !== 'deny' || decision.reason === 'spoofed') return undefined;
	const [evidence] = decision.verdict.because;
	return evidence && { source: evidence.source, line: evidence.line, text: evidence.text };
}

function changedUses(before: Gateway, after: Gateway, identity: Identity): ChangedUse[] {
	if (identity.name === undefined) return [];
	const effect = (gateway: Gateway, use: (typeof uses)[number]) =>
		gateway.published().policyVersion.for(agentOf(identity)).decide(use, `${gateway.config.origin}/`).effect;
	return uses.flatMap((use) => {
		const [from, to] = [effect(before, use), effect(after, use)];
		return from === to ? [] : [{ use, from, to }];
	});
}

function closeAgent({ identity, changes, ...agent }: OpenAgent, changedUse: readonly ChangedUse[]): ReplayedAgent {
	return {
		...agent,
		...(identity.operator !== undefined && { operator: identity.operator }),
		changes: [...changes.values()].map(({ paths, uncounted, rule, ...change }) => {
			const sorted = [...paths].sort(([, a], [, b]) => b - a);
			return {
				...change,
				...(rule && { rule }),
				paths: sorted.slice(0, maxPaths).map(([path, requests]) => ({ path, requests })),
				morePaths: Math.max(0, sorted.length - maxPaths) + uncounted.size,
			};
		}),
		uses: changedUse,
	};
}
