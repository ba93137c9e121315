import { buildAgentIdentity } from '@wayleave/protocols/identity';
import type { AskRecord, Use } from '@wayleave/protocols/policy';
import { type AskAnswer, type AskIdentity, buildAskRequest, readAskResponse } from '@wayleave/protocols/robots2';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { rfc3339 } from '../base/time.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { SendRequest } from '../politeness/requester.ts';
import type { KeptAnswer, PolicyCache } from '../store/roles/policies.ts';

interface Tools {
	readonly send: SendRequest;
	readonly cache: PolicyCache;
	readonly clock: Clock;
	readonly emit: (event: CrawlEvent) => void;
	/** The identity that asks. */
	readonly identity: AskIdentity;
}

interface Unused {
	readonly visit: object;
	readonly used: Promise<void>;
	end(): void;
}

function waitFor(visit: object): Unused {
	let end = () => {};
	const used = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { visit, used, end };
}

/** How long others wait until a permission for one use is spent; milliseconds. */
const maxUse = 30_000;
/** "Not now" replies after which the whole site is deferred to a later run. */
const maxTries = 3;
/** A site that gave no answer at all is not asked again within this time; seconds. */
const retryFailure = 300;
/** Origins whose answers are kept ready; the store has all of them. */
const rememberedOrigins = 2000;

/**
 * Asks sites for what their policy grants only on request, and keeps their answers as long as they hold (robots2.txt
 * 0.2.1 §6). An ask is a request like any other: it waits until the host may be asked.
 */
export class AskClient {
	readonly #tools: Tools;
	/** Our identity as sent: a decision applies to no other. */
	readonly #identity: string;
	/** By origin, what holds; newer answers replace older ones. */
	readonly #kept = new BoundedMap<readonly KeptAnswer[]>(rememberedOrigins);
	/** Questions that are out. */
	readonly #out = new Map<string, Promise<unknown>>();
	/** Permissions for one use that a visit has and has not used yet: a site keeps one of a kind open. */
	readonly #unused = new Map<string, Unused>();

	constructor(tools: Tools) {
		this.#tools = tools;
		this.#identity = buildAgentIdentity(tools.identity);
	}

	/** The answers of the origin of a URL that hold now. */
	async known(url: string): Promise<readonly AskRecord[]> {
		const now = this.#tools.clock.now();
		const kept = this.#kept.get(new URL(url).origin) ?? (await this.#load(url));
		return kept.filter(({ expiresAt }) => expiresAt > now);
	}

	/**
	 * Asks whether a directive may be acted upon at a URL. One question to one origin is out at a time; what comes back
	 * answers those who have waited for it, unless it is good for one use only.
	 *
	 * @param visit the caller that reports by `used` when a permission for one use is spent: until then no other visit
	 * asks for one
	 */
	async request(directive: Use, url: string, slot: HostSlot, visit?: object): Promise<AskRecord | NotScheduled> {
		const key = `${new URL(url).origin} ${directive}`;
		for (;;) {
			const out = this.#out.get(key);
			const unused = this.#unused.get(key);
			if (out !== undefined) await out;
			else if (unused !== undefined && unused.visit !== visit) await this.#untilUsed(key, unused);
			else break;
		}
		const asking = this.#ask(directive, url, slot);
		this.#out.set(
			key,
			asking.catch(() => {}),
		);
		try {
			const record = await asking;
			if (visit !== undefined && typeof record !== 'string' && record.answer.decision === 'allow-once') {
				this.#unused.set(key, waitFor(visit));
			}
			return record;
		} finally {
			this.#out.delete(key);
		}
	}

	/** Ends a visit's permissions for one use, spent or not. */
	used(visit: object): void {
		for (const [key, unused] of this.#unused) {
			if (unused.visit !== visit) continue;
			this.#unused.delete(key);
			unused.end();
		}
	}

	/** A visit that takes too long, or waits itself, does not delay others. */
	async #untilUsed(key: string, unused: Unused): Promise<void> {
		const stop = new AbortController();
		await Promise.race([unused.used, this.#tools.clock.sleep(maxUse, stop.signal)]);
		stop.abort();
		if (this.#unused.get(key) === unused) this.#unused.delete(key);
	}

	async #ask(directive: Use, url: string, slot: HostSlot): Promise<AskRecord | NotScheduled> {
		const { send, identity } = this.#tools;
		// Another visit or process may have asked in the meantime.
		const known = (await this.#load(url)).find((kept) => kept.directive === directive);
		if (known !== undefined) return known;
		const { method, url: source, headers } = buildAskRequest(url, directive, identity);
		for (let tries = 1; ; tries++) {
			const response = await send(slot, source, { method, headers });
			if (typeof response === 'string') return response;
			if (!response.ok && response.reason === 'aborted') return 'stopped';
			const answer: AskAnswer = response.ok
				? readAskResponse(response)
				: { decision: 'deny', why: 'unparseable', maxAge: retryFailure };
			const until = await this.#keep(directive, answer, source);
			this.#tell(directive, answer, source, until, response.ok ? undefined : response.reason);
			// The pause that came with a "not now" is kept by the slot of the host: the next try waits for it (R2-45).
			if (answer.decision !== 'later' || tries >= maxTries) return { directive, answer, source, url };
		}
	}

	/** Only for as long as the answer allows, and never one for a single use; returns until when. */
	async #keep(directive: Use, answer: AskAnswer, source: string): Promise<number | undefined> {
		if (answer.maxAge <= 0) return undefined;
		const { cache, clock } = this.#tools;
		const { origin } = new URL(source);
		const askedAt = clock.now();
		const expiresAt = askedAt + answer.maxAge * 1000;
		const kept = { origin, identity: this.#identity, directive, answer, source, askedAt, expiresAt };
		await cache.saveAskAnswer(kept);
		const others = (this.#kept.get(origin) ?? []).filter((one) => one.directive !== directive);
		this.#kept.set(origin, [...others, kept]);
		return expiresAt;
	}

	#tell(directive: Use, answer: AskAnswer, url: string, until: number | undefined, failure: string | undefined): void {
		const { decision } = answer;
		const scopes = 'scopes' in answer && answer.scopes.length > 0 ? { scopes: answer.scopes } : {};
		const detail = answer.decision === 'deny' ? { detail: failure ?? answer.why } : {};
		const event = { type: 'ask', url, directive, decision, ...scopes, ...detail } as const;
		this.#tools.emit(until === undefined ? event : { ...event, until: rfc3339(until) });
	}

	async #load(url: string): Promise<readonly KeptAnswer[]> {
		const { cache, clock } = this.#tools;
		const { origin } = new URL(url);
		const kept = await cache.askAnswers(origin, this.#identity, clock.now());
		this.#kept.set(origin, kept);
		return kept;
	}
}
