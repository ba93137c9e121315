import { type Rate, TokenBuckets } from '@wayleave/io/rate';
import { askPath } from '@wayleave/protocols/robots2';
import { somDefaultPath } from '@wayleave/protocols/som';
import { type Readings, unionOfReadings } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import { excuseOf, isHoneypot } from '../honeypot/honeypot.ts';
import type { ClaimReader } from '../identify/claim.ts';
import { networkOf } from '../identify/client-address.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { FetchUse } from '../policy/agent-terms.ts';
import type { PolicyVersion } from '../policy/policy-version.ts';
import { openPaths, type Published } from '../policy/published-files.ts';
import {
	type ClientMemory,
	type ClientState,
	clientMemoryKey,
	createClientMemory,
	type Grant,
} from '../request/client-memory.ts';
import { agentOf, type Identity } from '../request/identity.ts';
import { type Purpose, purposeOf } from '../request/purpose.ts';
import type { LimitName, Sharing } from '../request/sharing.ts';
import { isFault, readVisit, type Target } from '../request/target.ts';
import type { Visit } from '../request/visit.ts';
import { bound, decidePage, spendAll, spendOnce } from './decide.ts';
import type { DecidedRequest, Decision } from './decision.ts';
import { besidePage, preferredFormat } from './preferred-format.ts';

export interface RequestDeciderOptions {
	readonly config: Config;
	readonly identifier: Identifier;
	/** No request is denied or slowed down; the ledger records what would have happened. */
	readonly observe: boolean;
	/** Reads what requests say about themselves, by all names that the policy file and the site use. */
	claims(): ClaimReader;
	/** The files published now. */
	published(): Published;
	/** Versions that clients may still use, latest first: those of one day. */
	past(): readonly PolicyVersion[];
	/** How the site reads a path. */
	readings(): Readings;
	/** A file at this path is made by us at the moment. */
	serves(path: string): boolean;
	readonly now: () => number;
	/** Clients in memory. Default 100,000. */
	readonly maxClients?: number;
	/** The memory of an earlier gateway. */
	readonly clientMemory?: ClientMemory;
	/** State that other gateways have in common with this one. Default: none. */
	readonly sharing?: Sharing;
}

/** How often anybody may come for the files that are never denied: enough for every honest use. */
const filesRate: Rate = { perMinute: 120, burst: 60 };
/** Asks are few: an allow holds for a day, a denial for an hour. */
const askRate: Rate = { perMinute: 60, burst: 30 };
/** Assistants come for many people at once. */
const assistantRate: Rate = { perMinute: 300, burst: 150 };
const anonymousRate: Rate = { perMinute: 60, burst: 30 };
/** Clocks and networks are not exact: a pause counts as kept from nine tenths on. */
const enoughPause = 900;
/** Seconds from which on several gateways see to a pause together. */
const sharedPause = 0.5;

/** A request before it is ruled on. */
type Request = Omit<DecidedRequest, 'decision' | 'target'> & {
	readonly target: Target;
	/** Permissions for one use that the decision takes. */
	spent?: readonly (readonly [FetchUse, Grant])[];
};

/** Purposes with a rate limit: browsers are not slowed, whatever they send. */
const held: ReadonlySet<Purpose> = new Set([...bound, 'anonymous']);
const passing: Decision = { action: 'pass' };
const termsUnknown: Decision = { action: 'refuse', fault: 'terms-unknown' };
const storeUnreachable: Decision = { action: 'refuse', fault: 'store-unreachable' };
/** Actions that --observe leaves out. */
const withheld: ReadonlySet<Decision['action']> = new Set(['deny', 'limit', 'honeypot']);

/** Judges requests: who is it, and what is to be done. Remembers clients as long as there is room. */
export class RequestDecider {
	readonly clientMemory: ClientMemory;
	readonly #options: RequestDeciderOptions;
	#merged: { own: Readings; more: Readings; all: Readings } | undefined;
	readonly #siteHost: string;
	readonly #somPaths: ReadonlySet<string>;
	readonly #take: Record<LimitName | 'slowed', (client: string) => number>;

	constructor(options: RequestDeciderOptions) {
		const { config, now, maxClients = 100_000 } = options;
		this.#options = options;
		this.clientMemory = options.clientMemory ?? createClientMemory(maxClients);
		this.#siteHost = new URL(config.origin).host;
		this.#somPaths = ownSomPaths(config);
		options.sharing?.attach(this.clientMemory);
		const limiter = (name: LimitName | 'slowed', rate: Rate | undefined): ((client: string) => number) => {
			if (rate === undefined) return () => 0;
			// That a refusal is recorded once a minute is a matter of each gateway.
			if (options.sharing !== undefined && name !== 'slowed') return options.sharing.limit(name, rate);
			const buckets = new TokenBuckets(now, maxClients);
			return (client) => buckets.take(client, rate);
		};
		this.#take = {
			files: limiter('files', filesRate),
			ask: limiter('ask', askRate),
			pages: limiter('pages', pagesRate(config)),
			searchEngines: limiter('searchEngines', rateOf(config.rate.searchEngines)),
			unknown: limiter('unknown', rateOf(config.rate.unknown)),
			assistant: limiter('assistant', assistantRate),
			anonymous: limiter('anonymous', anonymousRate),
			refusals: limiter('refusals', { perMinute: config.rate.refusals, burst: config.rate.refusals }),
			slowed: limiter('slowed', { perMinute: 1, burst: 1 }),
		};
	}

	/** Synchronous, unless the identity needs a look-up, or a permission the store of several gateways. */
	decide(visit: Visit): DecidedRequest | Promise<DecidedRequest> {
		const { identifier } = this.#options;
		const claim = this.#options.claims().read(visit.header('user-agent'), visit.header('x-agent-identity'));
		const identity = identifier.now(visit, claim);
		if (identity !== undefined) return this.#decideKnown(visit, identity);
		return identifier.ask(visit, claim).then((found) => this.#decideKnown(visit, found));
	}

	/** @param refreshed whether the store of several gateways was read for this request */
	#decideKnown(visit: Visit, identity: Identity, refreshed = false): DecidedRequest | Promise<DecidedRequest> {
		const at = this.#options.now();
		const purpose = purposeOf(visit, identity);
		const target = readVisit(visit, identity, this.#readingsFor(visit), this.#siteHost);
		if (isFault(target)) {
			const decision = this.#slowed({ identity, purpose }, { action: 'refuse', fault: target });
			return { visit, at, target: undefined, identity, purpose, known: this.#recall(identity, purpose), decision };
		}
		const known = this.#recall(identity, purpose, target.path);
		const request: Request = { visit, at, target, identity, purpose, known };
		const decision = this.#decideAction(request);
		const { sharing } = this.#options;
		if (sharing === undefined) return this.#finish(request, decision);
		const mayHaveAsked = decision.action === 'deny' && decision.reason === 'ask-first';
		// Another gateway may have given the permission a moment ago.
		if (mayHaveAsked && !refreshed) return sharing.refresh().then(() => this.#decideKnown(visit, identity, true));
		if (request.spent === undefined || request.spent.length === 0) return this.#finish(request, decision);
		return this.#spend(request, request.spent, decision, sharing);
	}

	/** Spends permissions for one use in the store of all gateways: where another one was first, decides again without. */
	async #spend(
		request: Request,
		spent: readonly (readonly [FetchUse, Grant])[],
		decision: Decision,
		sharing: Sharing,
	): Promise<DecidedRequest> {
		const outcome = await spendAll(sharing, spent);
		if (outcome === 'spent') return this.#finish(request, decision);
		if (outcome === 'gone') return this.#decideKnown(request.visit, request.identity, true);
		// They may be spent or not: the store says so when it is back.
		for (const [use, grant] of spent) request.known.grants?.set(use, grant);
		return this.#finish(request, storeUnreachable);
	}

	#finish(request: Request, action: Decision): DecidedRequest {
		const { visit, at, target, identity, purpose, known } = request;
		const decision = this.#slowed(request, action);
		const early = decision.action !== 'file' && decision.action !== 'ask' && this.#isEarly(request);
		const excused = decision.action === 'deny' && decision.reason !== 'spoofed' && this.#isExcused(request);
		const isOutage = decision === termsUnknown || decision === storeUnreachable;
		const observed = this.#options.observe && (withheld.has(decision.action) || isOutage);
		return {
			visit,
			at,
			target,
			identity,
			purpose,
			known,
			decision: observed ? passing : decision,
			would: observed ? decision : undefined,
			excuse: excused ? 'policy-changed' : undefined,
			early,
		};
	}

	/** After many refusals from one address, refuses without a body, before it is composed. */
	#slowed({ identity, purpose }: Pick<DecidedRequest, 'identity' | 'purpose'>, decision: Decision): Decision {
		const refused = decision.action === 'deny' || (decision.action === 'refuse' && held.has(purpose));
		if (!refused) return decision;
		const client = networkOf(identity.address);
		const wait = this.#take.refusals(client);
		if (wait === 0) return decision;
		return { action: 'limit', wait, refused: this.#take.slowed(client) === 0 ? 'first' : 'again' };
	}

	#readingsFor(visit: Visit): Readings {
		const own = this.#options.readings();
		if (visit.readings === undefined) return own;
		// An adapter gives the same object with every visit.
		if (this.#merged?.own !== own || this.#merged.more !== visit.readings) {
			this.#merged = { own, more: visit.readings, all: unionOfReadings([own, visit.readings]) };
		}
		return this.#merged.all;
	}

	/** Clients that only request pages, as people do, are not remembered. */
	#recall(identity: Identity, purpose: Purpose, path?: string): ClientState {
		const remembered =
			purpose === 'agent' ||
			purpose === 'assistant' ||
			purpose === 'anonymous' ||
			(path !== undefined && (openPaths.has(path) || isHoneypot(this.#options.config.honeypots, path)));
		if (!remembered) return {};
		const known = this.clientMemory.of(clientMemoryKey(identity));
		if (identity.outcome === 'verified') this.#takeOver(known, identity);
		return known;
	}

	/** Takes over permissions from before the client was verified, by this address and name. */
	#takeOver(known: ClientState, { name, address }: Identity): void {
		const before = this.clientMemory.find(clientMemoryKey({ name, client: networkOf(address) }));
		if (before?.grants === undefined || before === known) return;
		known.grants = new Map([...before.grants, ...(known.grants ?? [])]);
		delete before.grants;
	}

	/** The order is the policy of the gateway: files and asks for everybody, then traps, terms, pace, form. */
	#decideAction(request: Request): Decision {
		const { config } = this.#options;
		const { visit, identity, purpose, target, known } = request;
		const { path } = target;
		if (path === askPath) return limited(this.#take.ask(identity.client)) ?? { action: 'ask' };
		if (openPaths.has(path)) {
			const slow = limited(this.#take.files(identity.client));
			return slow ?? (this.#options.serves(path) ? { action: 'file', path } : { action: 'pass' });
		}
		if (isHoneypot(config.honeypots, path)) return this.#decideHoneypot(request);
		if (identity.outcome === 'spoofed') return { action: 'deny', reason: 'spoofed' };
		const { policyVersion, closed } = this.#options.published();
		const isEndpoint = this.#somPaths.has(path) && purpose !== 'anonymous';
		if (closed !== undefined && (isEndpoint || bound.has(purpose))) return termsUnknown;
		const { sharing } = this.#options;
		// What clients may do still is not known until the store was read.
		if (sharing !== undefined && sharing.readAt === undefined && (isEndpoint || bound.has(purpose)))
			return storeUnreachable;
		// The endpoint judges the page that it is asked for.
		if (isEndpoint) return { action: 'som' };
		const verdict = decidePage(config, policyVersion, identity, purpose, known, target, request.at);
		if (verdict?.permitted === false) {
			return { action: 'deny', reason: verdict.effect === 'ask' ? 'ask-first' : 'not-permitted', verdict };
		}
		const slow = this.#limit(identity, purpose, visit);
		if (slow !== undefined) return slow;
		if (known.grants !== undefined && verdict !== undefined)
			request.spent = spendOnce(known, policyVersion.for(agentOf(identity)));
		return this.#represent(visit, purpose, target) ?? passing;
	}

	#decideHoneypot({ visit, identity, purpose, target, known }: Request): Decision {
		const slow = limited(this.#take.files(identity.client));
		if (slow !== undefined) return slow;
		const url = this.#options.config.origin + target.path;
		return {
			action: 'honeypot',
			excuse: excuseOf(visit, identity, purpose, this.#policyVersionRead(known.policy), url),
		};
	}

	#limit(identity: Identity, purpose: Purpose, visit: Visit): Decision | undefined {
		// A proxy that is not trusted stands for all its visitors: to limit it would be to limit the site.
		if (identity.sharesAddress) return undefined;
		const { client } = identity;
		if (purpose === 'agent' && isSearchEngine(identity)) return limited(this.#take.searchEngines(client));
		if (purpose === 'other' && !isBrowser(visit)) return limited(this.#take.unknown(client));
		if (purpose === 'agent') return limited(this.#take.pages(client));
		if (purpose === 'assistant') return limited(this.#take.assistant(client));
		return purpose === 'anonymous' ? limited(this.#take.anonymous(client)) : undefined;
	}

	#represent(visit: Visit, purpose: Purpose, { raw, path }: Target): Decision | undefined {
		if (this.#somPaths.size === 0 || purpose === 'anonymous' || raw === '*') return undefined;
		// While it is unknown which pages may be represented, the page is sent as it is.
		if (this.#options.published().closed !== undefined) return undefined;
		if (visit.method !== 'GET' && visit.method !== 'HEAD') return undefined;
		const beside = raw === path ? besidePage(path) : undefined;
		if (beside !== undefined) return { action: 'represent', ...beside };
		const format = preferredFormat(visit.header('accept'));
		return format && { action: 'represent', format };
	}

	/** Whether a page was asked for before the pause was over; the time is noted. */
	#isEarly({ identity, purpose, known, at }: Request): boolean {
		if (purpose !== 'agent') return false;
		const { delay } = this.#options.published().policyVersion.for(agentOf(identity));
		const early = known.lastPage !== undefined && at - known.lastPage < delay * enoughPause;
		known.lastPage = at;
		// Shorter pauses are over before another gateway hears of the request.
		if (delay >= sharedPause) this.#options.sharing?.changed(clientMemoryKey(identity), known);
		return early;
	}

	/** A denial by terms that did not hold in a version of the last day is enforced, and not held against the client. */
	#isExcused({ identity, purpose, known, target, at }: Request): boolean {
		const { config, past } = this.#options;
		return past().some(
			(policyVersion) => decidePage(config, policyVersion, identity, purpose, known, target, at)?.permitted !== false,
		);
	}

	/** The version that a client has read, as long as it is in force or was within the last day. */
	#policyVersionRead(version: string | undefined): PolicyVersion | undefined {
		if (version === undefined) return undefined;
		const { policyVersion } = this.#options.published();
		return policyVersion.version === version
			? policyVersion
			: this.#options.past().find((past) => past.version === version);
	}
}

function limited(wait: number): Decision | undefined {
	return wait > 0 ? { action: 'limit', wait } : undefined;
}

/** Reasons for which a name is unverified only because a check failed: it keeps the terms of its name. */
const unasked: ReadonlySet<string> = new Set([
	'pending',
	'dns-failed',
	'dns-timeout',
	'list-unavailable',
	'list-stale',
	'no-public-address',
]);

/** A known search engine that is verified, or that could not be. It slows down by itself on 429, and drops pages. */
function isSearchEngine({ outcome, reason, operator, categories }: Identity): boolean {
	const isTrusted = outcome === 'verified' || (reason !== undefined && unasked.has(reason));
	const onlyIndexes = categories.length > 0 && categories.every((category) => category === 'search-indexer');
	return isTrusted && operator !== undefined && onlyIndexes;
}

/** Whether the User-Agent is that of a browser; people are not slowed. */
function isBrowser(visit: Visit): boolean {
	return /^(?:Mozilla|Opera)\//.test(visit.header('user-agent') ?? '');
}

function rateOf(perMinute: number | undefined): Rate | undefined {
	return perMinute === undefined ? undefined : { perMinute, burst: Math.max(1, Math.ceil(perMinute / 3)) };
}

/** The pace for crawlers; none where the policy states none. */
function pagesRate({ rate, policy }: Config): Rate | undefined {
	const perMinute = rate.default ?? Number(policy.rate ?? Number.NaN);
	if (Number.isNaN(perMinute)) return undefined;
	return { perMinute, burst: rate.burst ?? Math.max(1, Math.ceil(perMinute / 3)) };
}

/** The paths of the endpoint where it is ours: its own, and `/v1/som` besides. */
function ownSomPaths({ origin, som }: Config): ReadonlySet<string> {
	if (som === undefined) return new Set();
	const endpoint = new URL(som.endpoint, origin);
	return new Set(endpoint.origin === origin ? [endpoint.pathname, somDefaultPath] : []);
}
