import type { SigningKey } from '@wayleave/io';
import type { PermissionName } from '@wayleave/protocols/robots2';
import type { Readings } from '@wayleave/protocols/url';
import type { Config } from '../config/schema.ts';
import { ClaimReader } from '../identify/claim.ts';
import { IdentityChecker, identityOptions } from '../identify/identity-checker.ts';
import { agentIndexOf } from '../identify/named-agents.ts';
import { warnOfNoChecks } from '../identify/unverified-warning.ts';
import { type Entry, entryOf, isRecorded, type Served } from '../ledger/entry.ts';
import { type Acquaintances, acquaintanceKey } from './acquaintances.ts';
import { problemAnswer, responseOf } from './answer.ts';
import type { Edition } from './edition.ts';
import { type OwnFiles, type Published, publishTerms } from './files.ts';
import type { Identifier } from './identity.ts';
import { Judge } from './judge.ts';
import { learnFrom, recordServed } from './lesson.ts';
import { offeredBy } from './offered.ts';
import { createOriginPages, type OriginFetch } from './origin-pages.ts';
import { type PageHead, preparePageHeaders } from './page-headers.ts';
import { cameThroughProxy, withoutPathOverrides } from './path-overrides.ts';
import { createRepresentations } from './representation.ts';
import { type ManifestSource, type Responded, type RespondOptions, respond } from './respond.ts';
import type { Judged } from './ruling.ts';
import { readingsBehind } from './server-readings.ts';
import { addTerms } from './terms-fields.ts';
import { type Visit, visitOf } from './visit.ts';

/** Where requests are recorded. */
export interface Recorder {
	/** Never waits and never throws. */
	record(entry: Entry): void;
	/** A version of the policy is in force from now on. */
	recordEdition(edition: Edition): void;
}

/** Learns from pages that are served to anybody which of them have changed. */
export interface PageLearner extends ManifestSource {
	/** Whether the body of a response of this page is wanted. */
	wants(path: string): boolean;
	/** @param referer where the visitor says to come from: a link back there is not one of the site. */
	learn(path: string, body: Uint8Array, contentType: string | undefined, referer?: string): void;
	/** The page is gone. */
	forget(path: string): void;
	/** The revision of a page, where it is known. */
	revisionOf(path: string): number | undefined;
}

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
	readonly meter?: { count(judged: Judged, served: Served): void };
	/** Sees every entry too: logs. */
	readonly onEntry?: (entry: Entry) => void;
	/** Nobody is denied or slowed down; what would have been done is recorded. Default false. */
	readonly observe?: boolean;
	/** Signs representations; its public half is served in the key directory. */
	readonly signingKey?: SigningKey;
	readonly learner?: PageLearner;
	/** What the site itself publishes, as far as it is known. */
	readonly own?: OwnFiles;
	/** Earlier versions of the policy and when each was replaced, the latest first. */
	readonly past?: readonly PastEdition[];
	/** Which version each client fetched last, from an earlier run. */
	readonly recalled?: readonly Recalled[];
	/** What agents were allowed when they asked, from an earlier run. */
	readonly grants?: readonly RecalledGrant[];
	/** The memory of an earlier gateway of the same site. */
	readonly acquaintances?: Acquaintances;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** Clients in memory. Default 100,000. */
	readonly maxClients?: number;
}

/** What a client was known to know when an earlier gateway ended. */
export interface Recalled {
	readonly agent: string | null;
	readonly client: string;
	/** The version that it fetched last, and when. */
	readonly policy: string;
	readonly at: number;
}

/** What a client was allowed before an earlier gateway ended. */
export interface RecalledGrant {
	readonly agent: string | null;
	readonly client: string;
	readonly directive: string;
	readonly at: number;
}

/** A version of the policy that is in force no more. */
export interface PastEdition {
	readonly edition: Edition;
	/** When it was replaced; milliseconds since 1970. */
	readonly until: number;
}

export interface Connection {
	/** The address of whoever is connected. */
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
	judge(visit: Visit): Judged | Promise<Judged>;
	/** Stage 4; undefined: the request is to be forwarded. */
	respond(judged: Judged): Responded | Promise<Responded | undefined> | undefined;
	/** The headers about its terms and its representation that are added to a response of the site. Names in lower case. */
	termsOfPage(judged: Judged, head: PageHead): Readonly<Record<string, string>>;
	/** Stage 5. */
	record(judged: Judged, served: Served): void;
	/** How the site reads a path. */
	readings(): Readings;
	readonly learner: PageLearner | undefined;
	/** The clients that are remembered: a gateway that takes over from this one takes them over too. */
	readonly acquaintances: Acquaintances;
	/** Earlier versions of the policy, the latest first. */
	past(): readonly PastEdition[];
	/** What the site itself publishes has been read anew. */
	adopt(own: OwnFiles): Published;
	published(): Published;
}

/** Versions that are kept; more changes a day than these are no honest policy. */
const maxPast = 10;
/** "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309 §2.4). */
const day = 86_400_000;

/**
 * Makes the gateway of a site. Stages of a request, as in `docs/gateway.md`:
 * 1 read the target, 2 identify, 3 decide (`Judge`), 4 respond (`respond`, or the site), 5 record (`entryOf`).
 */
export function createGateway(config: Config, options: GatewayOptions = {}): Gateway {
	const {
		observe = false,
		identifier = new IdentityChecker(identityOptions(config.identity)),
		now = Date.now,
		signingKey,
		learner,
		recorder,
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
			learner !== undefined,
			published.closed === undefined
				? offeredBy(published.edition, config.origin, config.som?.offerDisallowed ?? false)
				: () => false,
		);
	let headersOf = prepareHeaders();
	let past = (options.past ?? []).filter(
		({ edition }, index) => index > 0 || edition.version !== published.edition.version,
	);
	const pages = createOriginPages(origin);
	const judge = new Judge({
		config,
		identifier,
		observe,
		now,
		claims: () => claims,
		published: () => published,
		readings: () => readings,
		past: () => past.filter(({ until }) => until > now() - day).map(({ edition }) => edition),
		serves: (path) => published.files.has(path) || (learner !== undefined && path === '/.well-known/pagedigest.json'),
		...(options.maxClients !== undefined && { maxClients: options.maxClients }),
		...(options.acquaintances !== undefined && { acquaintances: options.acquaintances }),
	});
	const { som } = config;
	const answering: RespondOptions = {
		config,
		published: () => published,
		sizeOf: pages.sizeOf,
		manifest: learner,
		representations:
			som === undefined
				? undefined
				: createRepresentations({
						config: { ...config, som },
						page: pages.page,
						has: pages.has,
						edition: () => published.edition,
						readings: () => readings,
						signingKey,
						now,
					}),
	};
	if (published.closed === undefined) recorder?.recordEdition(published.edition);
	for (const { agent, client, directive, at } of options.grants ?? []) {
		const known = judge.acquaintances.of(acquaintanceKey({ client, ...(agent !== null && { name: agent }) }));
		known.grants ??= new Map();
		known.grants.set(directive as PermissionName, { at, once: false });
	}
	for (const { agent, client, policy, at } of options.recalled ?? []) {
		const key = acquaintanceKey({ client, ...(agent !== null && { name: agent }) });
		Object.assign(judge.acquaintances.of(key), { policy, policyAt: at });
	}

	const gateway: Gateway = {
		config,
		learner,
		acquaintances: judge.acquaintances,
		past: () => past,
		readings: () => readings,
		judge: (visit) => judge.judge(visit),
		respond: (judged) => respond(answering, judged),
		record(judged, served) {
			options.meter?.count(judged, served);
			if (!isRecorded(judged)) return;
			const entry = entryOf(judged, served, published.edition.version);
			recorder?.record(entry);
			options.onEntry?.(entry);
		},
		termsOfPage: ({ target, visit }, head) => headersOf(target, head, visit.method),
		adopt(own) {
			readings = config.readings ?? readingsBehind(own.server);
			const { edition: before, closed } = published;
			claims = readerOf(own);
			const next = publishTerms(config, own, now(), signingKey);
			if (closed === undefined && next.edition.version === before.version) {
				published = { ...next, edition: before };
				return published;
			}
			published = next;
			headersOf = prepareHeaders();
			// While it was closed nobody was served its files.
			if (closed === undefined) past = [{ edition: before, until: now() }, ...past].slice(0, maxPast);
			if (next.closed === undefined) recorder?.recordEdition(next.edition);
			return published;
		},
		published: () => published,
		async handle(request, { address, readings: router }, next = origin) {
			const judged = await gateway.judge({ ...visitOf(request, address), readings: router });
			const responded = await gateway.respond(judged);
			if (responded !== undefined) {
				gateway.record(judged, responded.served);
				return responseOf(responded.answer, request.method);
			}
			const forwarded = cameThroughProxy(judged) ? request : withoutPathOverrides(request);
			const response = await next(forwarded).catch(unreachable);
			if (learner !== undefined) learnFrom(learner, judged, response);
			const bytes = Number(response.headers.get('content-length') ?? 0);
			recordServed(gateway, judged, { status: response.status, bytes });
			const type = response.headers.get('content-type') ?? undefined;
			return withTerms(response, gateway.termsOfPage(judged, { status: response.status, type }));
		},
	};
	return gateway;
}

function unreachable(): Response {
	return responseOf(problemAnswer(502, 'origin-unreachable', 'The site does not respond'), 'GET');
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
