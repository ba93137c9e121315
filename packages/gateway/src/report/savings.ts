import { sql } from 'kysely';
import type { Entry } from '../ledger/entry.ts';
import { type LedgerQuery, matching } from './filter.ts';
import { readGroups } from './groups.ts';
import { isManifestRead, manifestReadersOf } from './manifest-readers.ts';
import { slicesOf } from './slices.ts';

/** Requests, bytes and tokens that did not happen, by agent. */
export interface AgentSavings {
	readonly agent: string | null;
	/** Pages served as SOM or Markdown in place of HTML. */
	readonly represented: number;
	readonly bytesSaved: number;
	readonly tokensSaved: number;
	/** Reads of the manifest, the list of changed pages. */
	readonly manifestReads: number;
	/** Known pages that the agent did not fetch again after it had read the manifest, summed over its reads. */
	readonly requestsAvoided: number;
	/** Those pages at the size at which the agent last fetched each. */
	readonly bytesAvoided: number;
	/** `bytesAvoided` at four bytes of HTML a token. */
	readonly tokensAvoided: number;
}

export interface Savings {
	readonly agents: readonly AgentSavings[];
	/** More requests of manifest readers were in the ledger than are read at once: what was avoided is a lower bound. */
	readonly isPartial: boolean;
}

/** Requests of manifest readers that are looked at. */
const maxRequests = 200_000;
const bytesPerToken = 4;

/** What Markdown, SOM and the manifest saved in a period. */
export async function savingsOf(query: LedgerQuery): Promise<Savings> {
	const [represented, avoided] = await Promise.all([representedOf(query), avoidedOf(query)]);
	const names = [...new Set([...represented.keys(), ...avoided.agents.keys()])];
	const none = { manifestReads: 0, requestsAvoided: 0, bytesAvoided: 0 };
	const agents = names.map((agent): AgentSavings => {
		const saved = represented.get(agent) ?? { represented: 0, bytesSaved: 0, tokensSaved: 0 };
		const left = avoided.agents.get(agent) ?? none;
		return { agent, ...saved, ...left, tokensAvoided: Math.round(left.bytesAvoided / bytesPerToken) };
	});
	const weight = ({ bytesSaved, bytesAvoided }: AgentSavings) => bytesSaved + bytesAvoided;
	return { agents: agents.sort((a, b) => weight(b) - weight(a)), isPartial: avoided.isPartial };
}

type Represented = Pick<AgentSavings, 'represented' | 'bytesSaved' | 'tokensSaved'>;

async function representedOf(query: LedgerQuery): Promise<Map<string | null, Represented>> {
	const rows = await readGroups<Represented & { agent: string | null }>(
		query,
		{ keys: ['agent'], weight: 'represented' },
		(slice) => sql`
			select agent, count(*) as represented, sum(bytes_saved) as "bytesSaved", sum(tokens_saved) as "tokensSaved"
			from gateway_request
			where ${matching(slice, query.filter)} and action in ('represent', 'som') and status < 400
			group by agent`,
	);
	return new Map(rows.map(({ agent, ...saved }) => [agent, saved]));
}

type Avoided = Pick<AgentSavings, 'manifestReads' | 'requestsAvoided' | 'bytesAvoided'>;

interface Step extends Pick<Entry, 'agent' | 'client' | 'path' | 'bytes'> {
	/** 1: the manifest. */
	readonly manifest: number;
}

/** For each read of the manifest: the pages that the client knew, without those that it then fetched again. */
async function avoidedOf(query: LedgerQuery): Promise<{ agents: Map<string | null, Avoided>; isPartial: boolean }> {
	const agents = new Map<string | null, Avoided>();
	const clients = new Map<string, ClientPages>();
	let steps = 0;
	for await (const step of stepsOf(query)) {
		steps++;
		const key = JSON.stringify([step.agent, step.client]);
		const client = clients.get(key) ?? new ClientPages(step.agent);
		clients.set(key, client);
		client.see(step);
	}
	for (const client of clients.values()) {
		const sum = agents.get(client.agent) ?? { manifestReads: 0, requestsAvoided: 0, bytesAvoided: 0 };
		const own = client.end();
		agents.set(client.agent, {
			manifestReads: sum.manifestReads + own.manifestReads,
			requestsAvoided: sum.requestsAvoided + own.requestsAvoided,
			bytesAvoided: sum.bytesAvoided + own.bytesAvoided,
		});
	}
	return { agents, isPartial: steps === maxRequests };
}

/** What clients that read the manifest fetched, in the order of time. */
async function* stepsOf(query: LedgerQuery): AsyncGenerator<Step> {
	const { db, period, filter, signal } = query;
	const readers = await manifestReadersOf(query);
	let left = maxRequests;
	for await (const slice of slicesOf(db, period, { signal })) {
		const { rows } = await sql<Step>`
			select agent, client, path, bytes, case when ${isManifestRead} then 1 else 0 end as manifest
			from gateway_request
			where ${matching(slice, filter)} and (action = 'pass' and status = 200 or ${isManifestRead})
				and ${readers.condition}
			order by at limit ${maxRequests}`.execute(db);
		const steps = rows.filter(({ client }) => readers.has(client)).slice(0, left);
		yield* steps;
		left -= steps.length;
		if (left === 0) return;
	}
}

/** The pages that one client has, and those it need not fetch again. */
class ClientPages {
	readonly agent: string | null;
	readonly #known = new Map<string, number>();
	/** Bytes of `#known` together. */
	#knownBytes = 0;
	/** Known pages fetched again since the manifest was read. */
	#again = new Map<string, number>();
	#atRead: { readonly pages: number; readonly bytes: number } | undefined;
	#sum = { manifestReads: 0, requestsAvoided: 0, bytesAvoided: 0 };

	constructor(agent: string | null) {
		this.agent = agent;
	}

	see({ path, bytes, manifest }: Step): void {
		if (manifest === 1) {
			this.#endRead();
			this.#sum.manifestReads++;
			this.#atRead = { pages: this.#known.size, bytes: this.#knownBytes };
			return;
		}
		const known = this.#known.get(path);
		if (known !== undefined && this.#atRead !== undefined) this.#again.set(path, known);
		this.#known.set(path, bytes);
		this.#knownBytes += bytes - (known ?? 0);
	}

	end(): Avoided {
		this.#endRead();
		return this.#sum;
	}

	#endRead(): void {
		if (this.#atRead === undefined) return;
		const againBytes = [...this.#again.values()].reduce((all, bytes) => all + bytes, 0);
		this.#sum.requestsAvoided += Math.max(0, this.#atRead.pages - this.#again.size);
		this.#sum.bytesAvoided += Math.max(0, this.#atRead.bytes - againBytes);
		this.#again = new Map();
		this.#atRead = undefined;
	}
}
