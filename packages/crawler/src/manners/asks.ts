import { buildAgentIdentity } from '@wayleave/protocols/identity';
import type { AskRecord } from '@wayleave/protocols/policy';
import { type AskAnswer, type AskIdentity, buildAskRequest, readAskResponse } from '@wayleave/protocols/robots2';
import { BoundedMap } from '../bounded-map.ts';
import type { Clock } from '../clock.ts';
import { rfc3339, type SendRequest } from '../engine/requester.ts';
import type { NoTurn } from '../engine/turns.ts';
import type { CrawlEvent } from '../events.ts';
import type { Use } from '../options.ts';
import type { KeptAnswer, Store } from '../store/types.ts';
import type { HostSlot } from './slot.ts';

interface Tools {
	readonly send: SendRequest;
	readonly store: Store;
	readonly clock: Clock;
	readonly emit: (event: CrawlEvent) => void;
	/** Who asks. */
	readonly identity: AskIdentity;
}

/** "Not now" is taken so often before the site is put off to a later run. */
const mostTries = 3;
/** A site that gave no answer at all is not asked again within this time; seconds. */
const retryFailure = 300;
/** Origins whose answers are kept ready; the store has all of them. */
const rememberedOrigins = 2000;

/**
 * Asks sites for what their policy grants only on request, and keeps their answers as long as they hold (robots2.txt
 * 0.2.1 §6, AMB-55 to 60). An ask is a request like any other: it waits for the turn of the host.
 */
export class Asks {
	readonly #tools: Tools;
	/** Who we are, as it is sent: an answer is for nobody else. */
	readonly #identity: string;
	/** By origin, what holds; newer answers replace older ones. */
	readonly #kept = new BoundedMap<readonly KeptAnswer[]>(rememberedOrigins);
	/** Questions that are out. */
	readonly #out = new Map<string, Promise<unknown>>();

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
	 */
	async ask(directive: Use, url: string, slot: HostSlot): Promise<AskRecord | NoTurn> {
		const key = `${new URL(url).origin} ${directive}`;
		for (let out = this.#out.get(key); out !== undefined; out = this.#out.get(key)) await out;
		const asking = this.#ask(directive, url, slot);
		this.#out.set(
			key,
			asking.catch(() => {}),
		);
		try {
			return await asking;
		} finally {
			this.#out.delete(key);
		}
	}

	async #ask(directive: Use, url: string, slot: HostSlot): Promise<AskRecord | NoTurn> {
		const { send, identity } = this.#tools;
		// Somebody else may have asked in the meantime, here or in another process.
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
			// The pause that came with a "not now" is kept by the turns of the host: the next try waits for it (R2-45).
			if (answer.decision !== 'later' || tries >= mostTries) return { directive, answer, source, url };
		}
	}

	/** Only for as long as the answer allows, and never one for a single use (AMB-56); returns until when. */
	async #keep(directive: Use, answer: AskAnswer, source: string): Promise<number | undefined> {
		if (answer.maxAge <= 0) return undefined;
		const { store, clock } = this.#tools;
		const { origin } = new URL(source);
		const askedAt = clock.now();
		const expiresAt = askedAt + answer.maxAge * 1000;
		const kept = { origin, identity: this.#identity, directive, answer, source, askedAt, expiresAt };
		await store.saveAskAnswer(kept);
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
		const { store, clock } = this.#tools;
		const { origin } = new URL(url);
		const kept = await store.askAnswers(origin, this.#identity, clock.now());
		this.#kept.set(origin, kept);
		return kept;
	}
}
