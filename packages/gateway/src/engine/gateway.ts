import type { SigningKey } from '@wayleave/io/signatures';
import type { PermissionName } from '@wayleave/protocols/robots2';
import type { Readings } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import type { DecidedRequest } from '../decide/decision.ts';
import { offeredBy } from '../decide/offered.ts';
import { RequestDecider } from '../decide/request-decider.ts';
import { ClaimReader } from '../identify/claim.ts';
import type { Identifier } from '../identify/identifier.ts';
import { IdentityChecker, identityOptions } from '../identify/identity-checker.ts';
import { warnOfNoChecks } from '../identify/unverified-warning.ts';
import { type Entry, entryOf, isRecorded, type Served } from '../ledger/entry.ts';
import type { PastPolicyVersion, Recalled, RecalledGrant, Recorder } from '../ledger/recorder.ts';
import { referralOf } from '../ledger/referral.ts';
import { type OwnFiles, type Published, publishTerms } from '../policy/published-files.ts';
import { readingsBehind } from '../policy/server-readings.ts';
import { type ClientMemory, clientMemoryKey } from '../request/client-memory.ts';
import { cameThroughProxy, withoutPathOverrides } from '../request/path-overrides.ts';
import { problemResponse, toWebResponse } from '../request/response.ts';
import type { Sharing } from '../request/sharing.ts';
import { type Visit, visitOf } from '../request/visit.ts';
import { addTerms } from '../respond/add-policy-headers.ts';
import { createOriginPages, type OriginFetch } from '../respond/origin-pages.ts';
import { type PageHead, preparePageHeaders } from '../respond/page-headers.ts';
import { createRepresentations } from '../respond/representation.ts';
import { type Responded, type RespondOptions, respond } from '../respond/respond.ts';
import { agentIndexOf } from '../terms/named-agents.ts';
import type { ChangeObserver } from './change-observer.ts';
import { observeResponse, recordServed } from './observe-response.ts';

export interface GatewayOptions {
	/** Gets what the gateway does not answer itself: the site. Default: the `fetch` of the platform. */
	readonly origin?: OriginFetch;
	/**
	 * Default: the gateway believes claimed identities without a check, and warns once about that; addresses come from the
	 * trusted proxies of the policy file.
	 */
	readonly identifier?: Identifier;
	readonly recorder?: Recorder;
	/** Counts every request, of people too. */
	readonly meter?: { count(decided: DecidedRequest, served: Served): void };
	/** Sees every entry too: logs. */
	readonly onEntry?: (entry: Entry) => void;
	/** No request is denied or slowed down; the ledger records what would have happened. Default false. */
	readonly observe?: boolean;
	/** Signs representations; its public half is served in the key directory. */
	readonly signingKey?: SigningKey;
	readonly changeObserver?: ChangeObserver;
	/** The site's own files, if known. */
	readonly own?: OwnFiles;
	/** Earlier versions of the policy and when each was replaced, the latest first. */
	readonly past?: readonly PastPolicyVersion[];
	/** The version that each client fetched last, from an earlier run. */
	readonly recalled?: readonly Recalled[];
	/** Permissions of agents from an earlier run. */
	readonly grants?: readonly RecalledGrant[];
	/** The memory of an earlier gateway of the same site. */
	readonly clientMemory?: ClientMemory;
	/** State that other gateways of the site have in common with this one. */
	readonly sharing?: Sharing;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** Clients in memory. Default 100,000. */
	readonly maxClients?: number;
}

export interface Connection {
	/** Address of the peer. */
	readonly address: string;
	/** How the router behind reads a path; readings of the policy file are added. */
	readonly readings?: Readings;
}

/** The site's side. */
export interface Gateway {
	readonly config: Config;
	/**
	 * One request, from the first byte to the record.
	 *
	 * @param next gets what the gateway does not answer itself; the `origin` of the options when absent.
	 */
	handle(request: Request, connection: Connection, next?: OriginFetch): Promise<Response>;
	/** Stages 1 to 3, for servers that forward requests themselves. */
	decide(visit: Visit): DecidedRequest | Promise<DecidedRequest>;
	/** Stage 4; undefined: the request is to be forwarded. */
	respond(decided: DecidedRequest): Responded | Promise<Responded | undefined> | undefined;
	/** The headers about its terms and its representation that are added to a response of the site. Names in lower case. */
	termsOfPage(decided: DecidedRequest, head: PageHead): Readonly<Record<string, string>>;
	/** Stage 5. */
	record(decided: DecidedRequest, served: Served): void;
	/** How the site reads a path. */
	readings(): Readings;
	readonly changeObserver: ChangeObserver | undefined;
	/** The clients that are remembered: a gateway that takes over from this one takes them over too. */
	readonly clientMemory: ClientMemory;
	/** Earlier versions of the policy, the latest first. */
	past(): readonly PastPolicyVersion[];
	/** Uses newly read files of the site. */
	adopt(own: OwnFiles): Published;
	published(): Published;
}

/** Versions that are kept; more changes a day than these are no honest policy. */
const maxPast = 10;
/** "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309 §2.4). */
const day = 86_400_000;
const manifestPath = '/.well-known/pagedigest.json';

/**
 * Makes the gateway of a site. Stages of a request, as in `docs/reference/gateway.md`:
 * 1 read the target, 2 identify, 3 decide (`Judge`), 4 respond (`respond`, or the site), 5 record (`entryOf`).
 */
export function createGateway(config: Config, options: GatewayOptions = {}): Gateway {
	const {
		observe = false,
		identifier = new IdentityChecker(identityOptions(config.identity)),
		now = Date.now,
		signingKey,
		changeObserver,
		recorder,
		sharing,
	} = options;
	if (options.identifier === undefined) warnOfNoChecks(config.identity);
	const origin = options.origin ?? ((request: Request) => fetch(request, { redirect: 'manual' }));
	let readings = config.readings ?? readingsBehind(options.own?.server);
	let published = publishTerms(config, options.own ?? {}, now(), signingKey);
	const readerOf = ({ robots }: OwnFiles) => new ClaimReader(agentIndexOf(config, robots, identifier.agents));
	let claims = readerOf(options.own ?? {});
	const prepareHeaders = () =>
		preparePageHeaders(
			config,
			published.terms.signals,
			changeObserver !== undefined,
			published.closed === undefined
				? offeredBy(published.policyVersion, config.origin, config.som?.offerDisallowed ?? false)
				: () => false,
		);
	let headersOf = prepareHeaders();
	let past = (options.past ?? []).filter(
		({ policyVersion }, index) => index > 0 || policyVersion.version !== published.policyVersion.version,
	);
	const pages = createOriginPages(origin);
	const decide = new RequestDecider({
		config,
		identifier,
		observe,
		now,
		claims: () => claims,
		published: () => published,
		readings: () => readings,
		past: () => past.filter(({ until }) => until > now() - day).map(({ policyVersion }) => policyVersion),
		serves: (path) => published.files.has(path) || (changeObserver !== undefined && path === manifestPath),
		...(options.maxClients !== undefined && { maxClients: options.maxClients }),
		...(options.clientMemory !== undefined && { clientMemory: options.clientMemory }),
		...(sharing !== undefined && { sharing }),
	});
	const { som } = config;
	const answering: RespondOptions = {
		config,
		published: () => published,
		sizeOf: pages.sizeOf,
		manifest: changeObserver,
		sharing,
		representations:
			som === undefined
				? undefined
				: createRepresentations({
						config: { ...config, som },
						page: pages.page,
						has: pages.has,
						policyVersion: () => published.policyVersion,
						readings: () => readings,
						signingKey,
						now,
						sharing,
					}),
	};
	if (published.closed === undefined) recorder?.recordPolicyVersion(published.policyVersion);
	for (const { agent, client, directive, at } of options.grants ?? []) {
		const known = decide.clientMemory.of(clientMemoryKey({ client, ...(agent !== null && { name: agent }) }));
		known.grants ??= new Map();
		known.grants.set(directive as PermissionName, { at, once: false });
	}
	for (const { agent, client, policy, at } of options.recalled ?? []) {
		const key = clientMemoryKey({ client, ...(agent !== null && { name: agent }) });
		Object.assign(decide.clientMemory.of(key), { policy, policyAt: at });
	}

	const gateway: Gateway = {
		config,
		changeObserver,
		clientMemory: decide.clientMemory,
		past: () => past,
		readings: () => readings,
		decide: (visit) => decide.decide(visit),
		respond: (decided) => respond(answering, decided),
		record(decided, served) {
			options.meter?.count(decided, served);
			if (sharing !== undefined) shareState(sharing, decided);
			const referral = referralOf(decided, served);
			if (referral !== undefined) recorder?.recordReferral?.(referral);
			if (!isRecorded(decided)) return;
			const entry = entryOf(decided, served, published.policyVersion.version);
			recorder?.record(entry);
			options.onEntry?.(entry);
		},
		termsOfPage: ({ target, visit }, head) => headersOf(target, head, visit.method),
		adopt(own) {
			readings = config.readings ?? readingsBehind(own.server);
			const { policyVersion: before, closed } = published;
			claims = readerOf(own);
			const next = publishTerms(config, own, now(), signingKey);
			if (closed === undefined && next.policyVersion.version === before.version) {
				published = { ...next, policyVersion: before };
				return published;
			}
			published = next;
			headersOf = prepareHeaders();
			// While it was closed, no client was served its files.
			if (closed === undefined) past = [{ policyVersion: before, until: now() }, ...past].slice(0, maxPast);
			if (next.closed === undefined) recorder?.recordPolicyVersion(next.policyVersion);
			return published;
		},
		published: () => published,
		async handle(request, { address, readings: router }, next = origin) {
			const decided = await gateway.decide({ ...visitOf(request, address), readings: router });
			const responded = await gateway.respond(decided);
			if (responded !== undefined) {
				gateway.record(decided, responded.served);
				return toWebResponse(responded.response, request.method);
			}
			const forwarded = cameThroughProxy(decided) ? request : withoutPathOverrides(request);
			const response = await next(forwarded).catch(unreachable);
			if (changeObserver !== undefined) observeResponse(changeObserver, decided, response);
			const bytes = Number(response.headers.get('content-length') ?? 0);
			recordServed(gateway, decided, { status: response.status, bytes });
			const type = response.headers.get('content-type') ?? undefined;
			return withTerms(response, gateway.termsOfPage(decided, { status: response.status, type }));
		},
	};
	return gateway;
}

/** Reports the state of a client to the other gateways, if this request has changed it. */
function shareState(sharing: Sharing, { at, identity, known, target }: DecidedRequest): void {
	const isNew = known.policyAt === at || target?.path === manifestPath;
	if (isNew) sharing.changed(clientMemoryKey(identity), known);
}

function unreachable(): Response {
	return toWebResponse(problemResponse(502, 'origin-unreachable', 'The site does not respond'), 'GET');
}

/** A response of the site with what is said besides about its terms; what the site says itself stays. */
function withTerms(response: Response, terms: Readonly<Record<string, string>>): Response {
	const headers = new Headers(response.headers);
	addTerms(
		terms,
		(name) => headers.has(name),
		(name, value) => headers.append(name, value),
	);
	const { status, statusText } = response;
	return new Response(response.body, { status, statusText, headers });
}
