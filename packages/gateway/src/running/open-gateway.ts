import type { AddressInfo } from 'node:net';
import { createFetcher, type Fetcher, type FetcherOptions, type ProxyFor } from '@wayleave/io/http';
import type { RangeListStatus } from '@wayleave/io/ranges';
import { present } from '@wayleave/protocols';
import { buildUserAgent } from '@wayleave/protocols/identity';
import type { Config } from '../config/schema.ts';
import { isWithheld } from '../decide/decide.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../engine/gateway.ts';
import { type OpenIdentityChecker, openIdentityChecker } from '../identify/open.ts';
import type { Entry } from '../ledger/entry.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { type ChangeObserverOptions, DurableChangeObserver } from '../pagedigest/change-observer.ts';
import type { OwnFiles } from '../policy/published-files.ts';
import { createProxy, type ProxyOptions, type ReverseProxy } from '../proxy/server.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '../proxy/upstream.ts';
import { type OpenSharing, openSharing, type SharingStatus } from '../sharing/open-sharing.ts';
import type { RobotsResponse } from '../site/read-robots.ts';
import { type SiteStatus, SiteWatch } from '../site/watch.ts';
import { explainPublishProblem, type PublishProblemCode } from '../terms/problems.ts';
import type { Terms } from '../terms/terms.ts';

export interface OpenGatewayOptions
	extends UpstreamOptions,
		Pick<ProxyOptions, 'tls' | 'idleTimeout' | 'headerTimeout' | 'requestTimeout' | 'restTimeout' | 'maxInFlight'> {
	/** Open client connections at once: `ProxyOptions.maxConnections`, where `maxConnections` is those to the site. */
	readonly maxClients?: number;
	/** The origin of the site as the gateway reaches it: `http://127.0.0.1:3000`. */
	readonly upstream: string;
	readonly observe?: boolean;
	/** Sees every entry of the ledger. */
	readonly onEntry?: (entry: Entry) => void;
	/** A note for the operator, in one line. */
	readonly onNote?: (text: string) => void;
	/** The folder that paths in the policy file start from. Default: the working folder. */
	readonly base?: string;
	/** For requests of the gateway itself, to lists and key directories; the site is asked directly. Default: none. */
	readonly proxy?: ProxyFor;
	/** DNS servers for reverse look-ups, with a port if it is not 53. Default: those of the system. */
	readonly resolvers?: readonly string[];
	/** Folder that keeps address lists over restarts. */
	readonly rangesDirectory?: string;
	/** Milliseconds between two looks at what the site itself publishes. Default 300,000. */
	readonly refreshTime?: number;
	/** Parts that are used in place of those of the policy file; for tests and for other servers. */
	readonly parts?: Pick<GatewayOptions, 'identifier' | 'signingKey' | 'changeObserver'>;
}

/** A gateway at work in front of a site, with all that it needs. */
export interface RunningGateway {
	readonly ledger: Ledger;
	readonly proxy: ReverseProxy;
	gateway(): Gateway;
	/** State of the site's own robots.txt. */
	site(): SiteStatus;
	/** The site's own files as they were last read. */
	own(): OwnFiles;
	/** The address lists by which agents are verified; empty where they are not checked. */
	lists(): readonly RangeListStatus[];
	/** State of the store that several gateways share; undefined: this one shares nothing. */
	sharing(): SharingStatus | undefined;
	metrics(): string;
	listen(port: number, host?: string): Promise<AddressInfo>;
	/**
	 * Goes on by another policy; requests in flight end by the one they began with.
	 *
	 * @throws TypeError where a restart is needed: another origin, another ledger.
	 */
	reload(config: Config): Promise<void>;
	/** Ends what is in flight, writes what waits. */
	close(deadline?: number): Promise<void>;
}

/** Why a running gateway cannot take over a policy, as a sentence. Undefined: it can. */
export function restartFault(before: Config, after: Config): string | undefined {
	const settings = [
		['origin', before.origin, after.origin],
		['ledger.store', before.ledger.store, after.ledger.store],
		['shared', before.shared, after.shared],
		['pagedigest.state', before.pagedigest?.state, after.pagedigest?.state],
	] as const;
	const [name] = settings.find(([, old, next]) => old !== next) ?? [];
	return name && `a new ${name} takes effect only after a restart`;
}

/** Opens ledger, identity checks and proxy as the policy file says. @throws DatabaseError */
export async function openGateway(config: Config, options: OpenGatewayOptions): Promise<RunningGateway> {
	const note = options.onNote ?? (() => {});
	const ledger = await openLedger(config.ledger.store, {
		...config.ledger,
		onTrouble: (error) => note(`the ledger cannot be written: ${error instanceof Error ? error.message : error}`),
	});
	const upstream = createUpstream(options.upstream, options);
	const running = new Running(config, options, ledger, upstream, note);
	await running.start();
	return running;
}

class Running implements RunningGateway {
	readonly ledger: Ledger;
	readonly proxy: ReverseProxy;
	readonly #options: OpenGatewayOptions;
	readonly #upstream: Upstream;
	readonly #counts: Metrics = createMetrics();
	readonly #note: (text: string) => void;
	#config: Config;
	#current!: Gateway;
	#identity: OpenIdentityChecker | undefined;
	#changeObserver: DurableChangeObserver | undefined;
	readonly #elsewhere: ReturnType<typeof createElsewhere>;
	readonly #watch: SiteWatch;
	#sharing: OpenSharing | undefined;
	#troubleAt = 0;

	constructor(
		config: Config,
		options: OpenGatewayOptions,
		ledger: Ledger,
		upstream: Upstream,
		note: (text: string) => void,
	) {
		this.#config = config;
		this.#options = options;
		this.ledger = ledger;
		this.#upstream = upstream;
		this.#note = note;
		this.#elsewhere = createElsewhere(present({ userAgent: userAgentOf(config), proxy: options.proxy }));
		const { refreshTime } = options;
		this.#watch = new SiteWatch({
			fetch: upstream.fetch,
			origin: config.origin,
			aliases: [options.upstream],
			elsewhere: this.#elsewhere.get,
			onNote: note,
			readingsStated: config.readings !== undefined,
			onRead: (site) => ledger.recordSite(config.origin, site),
			...(refreshTime !== undefined && { refreshTime }),
		});
		const { maxConnections: _, timeout: __, maxClients, ...bounds } = options;
		this.proxy = createProxy({
			...bounds,
			...(maxClients !== undefined && { maxConnections: maxClients }),
			gateway: () => this.#current,
			upstream,
			onTrouble: (error) => this.#reportTrouble(error),
		});
	}

	/** At most once a minute: a client that can cause an error must not fill the log. */
	#reportTrouble(error: unknown): void {
		if (Date.now() - this.#troubleAt < 60_000) return;
		this.#troubleAt = Date.now();
		const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
		this.#note(`a request failed in the gateway, and its connection was closed. Please report this error: ${text}`);
	}

	gateway(): Gateway {
		return this.#current;
	}

	async start(): Promise<void> {
		const { origin, pagedigest } = this.#config;
		await this.#openSharing();
		if (pagedigest !== undefined && this.#options.parts?.changeObserver === undefined) {
			this.#changeObserver = await DurableChangeObserver.open(this.#config, this.#learning());
		}
		const [past, recalled, grants, known] = await Promise.all([
			this.ledger.pastPolicyVersions(origin),
			this.ledger.recall(),
			this.ledger.recallGrants(),
			this.ledger.recallSite(origin),
		]);
		this.#watch.recall(known);
		await this.#replace(this.#config, { past, recalled, grants });
		this.#watch.start(() => this.#current);
		const look = this.#changeObserver?.lookAtSite();
		// A site that does not answer does not hold up the start.
		if (!this.#watch.status.closed) await look;
	}

	async #openSharing(): Promise<void> {
		const { origin, shared, ledger } = this.#config;
		if (shared === undefined) return;
		this.#sharing = await openSharing(shared, origin, { onNote: this.#note });
		if (ledger.store.startsWith('sqlite:'))
			this.#note(
				'the ledger is a file on this machine: reports and honeypot visits are those of this gateway alone. Set ledger.store to a postgres:// URL to have those of all',
			);
	}

	sharing(): SharingStatus | undefined {
		return this.#sharing?.status();
	}

	lists(): readonly RangeListStatus[] {
		return this.#identity?.lists?.statuses() ?? [];
	}

	site(): SiteStatus {
		return this.#watch.status;
	}

	own(): OwnFiles {
		return this.#watch.own;
	}

	listen(port: number, host?: string): Promise<AddressInfo> {
		return this.proxy.listen(port, host);
	}

	async reload(config: Config): Promise<void> {
		const fault = restartFault(this.#config, config);
		if (fault !== undefined) throw new TypeError(fault);
		const current = this.#current;
		const identity = this.#identity;
		const { policyVersion, closed } = current.published();
		// A version that was never served cannot be in use by a client.
		const before = closed === undefined ? [{ policyVersion, until: Date.now() }] : [];
		const past = [...before, ...current.past()];
		await this.#replace(config, { past, clientMemory: current.clientMemory });
		this.#config = config;
		await identity?.close();
	}

	metrics(): string {
		return this.#counts.format({
			inFlight: () => this.proxy.inFlight,
			dropped: () => this.ledger.dropped,
			clients: () => this.#current.clientMemory.size,
			site: () => this.#watch.status,
			connections: () => this.proxy.connections,
			lists: () => this.lists(),
			sharing: () => this.sharing(),
		});
	}

	async close(deadline?: number): Promise<void> {
		this.#watch.stop();
		await this.proxy.close(deadline);
		await this.#elsewhere.close();
		await this.#identity?.close();
		await this.#changeObserver?.close();
		await this.#sharing?.close();
		this.#upstream.close();
		await this.ledger.close();
	}

	async #replace(
		config: Config,
		memory: Pick<GatewayOptions, 'past' | 'recalled' | 'grants' | 'clientMemory'>,
	): Promise<void> {
		const { ledger } = this;
		const options = this.#options;
		const upstream = this.#upstream;
		const identity = options.parts?.identifier === undefined ? this.#openIdentity(config) : undefined;
		await this.#watch.look();
		const next = createGateway(config, {
			...(identity !== undefined && { identifier: identity.checker }),
			...present({ changeObserver: this.#changeObserver, sharing: this.#sharing }),
			...options.parts,
			...memory,
			origin: upstream.fetch,
			recorder: ledger,
			meter: this.#counts,
			own: this.#watch.own,
			...present({ observe: options.observe, onEntry: options.onEntry }),
		});
		for (const line of namesNotes(next.published().terms)) this.#note(line);
		this.#identity = identity;
		this.#current = next;
	}

	/** Listed is what anybody may fetch. */
	#learning(): ChangeObserverOptions {
		const { base } = this.#options;
		const { shared } = this.#config;
		return {
			...(base !== undefined && { base }),
			...(shared !== undefined && {
				shared: { url: shared, hasOthers: () => (this.#sharing?.status().gateways ?? 1) > 1 },
			}),
			fetch: this.#upstream.fetch,
			sitemaps: () => {
				const { robots } = this.#current.published().policyVersion.policies;
				return robots !== undefined && 'file' in robots ? robots.file.sitemaps.map(({ value }) => value) : [];
			},
			isWithheld: (path) => {
				const { policyVersion, closed } = this.#current.published();
				return closed !== undefined || isWithheld(path, policyVersion, this.#config.origin, this.#current.readings());
			},
			onTrouble: (error) => this.#note(`revisions cannot be stored: ${error instanceof Error ? error.message : error}`),
		};
	}

	#openIdentity(config: Config): OpenIdentityChecker {
		const { proxy, rangesDirectory, resolvers } = this.#options;
		return openIdentityChecker({
			config,
			userAgent: userAgentOf(config),
			onNote: this.#note,
			...present({ proxy, rangesDirectory, resolvers }),
		});
	}
}

/** Notes for the operator about names in the policy file and the site's robots.txt, one line each. */
function namesNotes({ problems }: Terms): string[] {
	const nameProblems = problems.filter(({ code }) => nameCodes.has(code));
	return nameProblems.map(({ code, line, args }) => {
		const place = code === 'publish-name-unmatched' && line > 0 ? `robots.txt of the site, line ${line}: ` : '';
		return place + explainPublishProblem({ code: code as PublishProblemCode, args });
	});
}

const nameCodes: ReadonlySet<string> = new Set([
	'publish-name-unmatched',
	'publish-name-on-trust',
	'publish-name-unprovable',
	'publish-category-wins',
]);

function userAgentOf({ origin }: Config): string {
	return buildUserAgent({ botUrl: `${origin}/`, botName: 'Wayleave-Gateway' });
}

/** A robots.txt on another host, to which the site redirects: by the guarded fetcher, which reaches no private address. */
function createElsewhere(options: FetcherOptions) {
	let fetcher: Fetcher | undefined;
	return {
		async get(url: string, signal: AbortSignal): Promise<RobotsResponse> {
			fetcher ??= createFetcher(options);
			const found = await fetcher.get(url, { signal, maxBytes: 512_000, onLimit: 'truncate' });
			if (!found.ok) throw new Error(`${new URL(url).host}: ${found.reason}`);
			const { status, body, headers } = found;
			return { status, body, decoded: true, header: (name) => headers.get(name) };
		},
		close: async () => await fetcher?.close(),
	};
}
