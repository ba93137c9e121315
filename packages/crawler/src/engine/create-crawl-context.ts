import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { type AddressOptions, AddressRules } from '../addresses/address-rules.ts';
import { type Clock, steadyClock, systemClock } from '../base/clock.ts';
import { ChangeDetection } from '../change/change-detection.ts';
import type { SitesTools } from '../change/sites.ts';
import type { CommonOptions, CrawlOptions, FetchOptions } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';
import { Discovery } from '../discover/discovery.ts';
import { KnownSites } from '../discover/known-sites.ts';
import { Duplicates } from '../documents/near-duplicates.ts';
import type { CrawlContext } from '../fetch/crawl-context.ts';
import { RoutePages } from '../fetch/route-pages.ts';
import { UrlClaims } from '../fetch/url-claims.ts';
import type { CrawlEvent } from '../model/events.ts';
import { AskClient } from '../policy/ask-client.ts';
import { PolicyChecker } from '../policy/policy-checker.ts';
import { PolicyFiles } from '../policy/policy-files.ts';
import { Hosts } from '../politeness/hosts.ts';
import { mayBePrivate } from '../politeness/private-seeds.ts';
import { RequestScheduler } from '../politeness/request-scheduler.ts';
import { createRequester } from '../politeness/requester.ts';
import { createReader } from '../read/reader.ts';
import { createRenderer } from '../render/renderer.ts';
import { EndpointTrust } from '../represent/endpoint-trust.ts';
import type { Leases } from '../store/roles/leases.ts';
import type { Recorder } from '../warc/write/recorder.ts';
import { openFetcher } from './fetcher-options.ts';
import { Meter } from './meter.ts';

export interface CrawlContextParts
	extends Pick<CrawlContext, 'settings' | 'store' | 'emit' | 'scope' | 'refreshScope' | 'freshnessPolicy'> {
	/** Reads pages in the place of our own threads. */
	readonly read: CrawlContext['read'] | undefined;
	readonly options: CommonOptions & AddressOptions & Pick<CrawlOptions, 'filter'> & Pick<FetchOptions, 'onSource'>;
	/** URLs that the user has named. */
	readonly seeds: readonly string[];
	/** A URL that was being visited is free again. */
	readonly onRelease: (url: string) => void;
	readonly recorder?: Recorder;
	/** A crawl looks at what has changed. */
	readonly cycle?: {
		/** Every page is asked for. */
		readonly everything: boolean;
		/** New URLs wait in the store, so many of each host. */
		readonly onAdded: (added: ReadonlyMap<string, number>) => void;
	};
}

/** A context with the parts that only its creator may use. */
export interface OwnCrawlContext {
	readonly context: CrawlContext;
	readonly scheduler: RequestScheduler;
	readonly meter: Meter;
	close(): Promise<void>;
}

/** Puts together what visits need. */
export function createCrawlContext(parts: CrawlContextParts): OwnCrawlContext {
	const { options, settings, store, emit, scope, refreshScope, freshnessPolicy } = parts;
	const clock = options.clock ?? systemClock;
	const pace = options.clock ?? steadyClock;
	const meter = new Meter(pace.now());
	const fetcher = options.fetcher ?? openFetcher(mayBePrivate(parts.seeds), options, settings);
	const scheduler = new RequestScheduler(pace, settings.concurrency, settings.maxPause);
	const reader = createReader({
		threads: settings.threads,
		measured: settings.measuredThreads,
		onFull: (full) => scheduler.hold(full),
		emit,
	});
	const hosts = hostsFor(store.leases, settings, pace);
	const { recorder } = parts;
	const send = createRequester({
		fetcher,
		scheduler,
		clock,
		pace,
		meter,
		emit,
		assure: () => store.leases.assure(),
		sign: settings.sign,
		onProgress: options.onProgress,
		recorder,
	});
	const discovery = new Discovery({
		scope,
		maxDepth: settings.maxDepth,
		sitemaps: settings.sitemaps,
		routes: () => renderer?.hasBrowser === true,
		onRouteLeft: (url: string) => meter.routes.add(url),
		filter: options.filter,
		rules: new AddressRules(options),
		wantsHttps: (host) => hosts.peek(host)?.host.https ?? false,
		now: () => clock.now(),
	});
	const files = new PolicyFiles({ send, hosts, cache: store.policies, clock, pace, retries: settings.retries, emit });
	const asks = new AskClient({ send, cache: store.policies, clock, emit, identity: settings.asker });
	const policyChecker = new PolicyChecker(files, asks, settings, emit);
	const claims = new UrlClaims(parts.onRelease);
	const read = parts.read ?? reader.read;
	const around = { hosts, policyChecker, send, clock, emit, read, settings };
	const renderer = createRenderer(settings.render, namedBy(parts.seeds), around, options.credentials?.origins);
	const context = {
		settings,
		clock,
		pace,
		store,
		hosts,
		files,
		policyChecker,
		trust: new EndpointTrust(options.resolver),
		send,
		emit,
		scope,
		refreshScope,
		discovery,
		duplicates: new Duplicates(store.pages),
		sites: new KnownSites(store.frontier),
		read: renderer === undefined ? countingBare(read, meter) : read,
		readFile: reader.readFile,
		renderer,
		routes: new RoutePages(() => clock.now()),
		freshnessPolicy,
		claims,
		single: false,
		conditional: true,
		changes: parts.cycle && changesOf(parts.cycle, { store, send, clock, policyChecker, discovery, emit }, settings),
		onSource: options.onSource,
		onOutdated: (url: string) => meter.outdated.add(url),
		onLinksLeft: (url: string, count: number) => meter.leaveLinks(url, count),
		recorder,
	};
	return {
		context,
		scheduler,
		meter,
		async close() {
			scheduler.stop();
			await renderer?.close();
			await context.changes?.close();
			await reader.close();
			if (options.fetcher === undefined) await fetcher.close();
		},
	};
}

/** Without a browser, the table at the end names the pages that would have needed one. */
function countingBare(read: CrawlContext['read'], meter: Meter): CrawlContext['read'] {
	return async (source) => {
		const reading = await read(source);
		if (reading.dependsOnScripts === true) meter.bare.add(source.fetched.url);
		return reading;
	};
}

function changesOf(
	{ everything, onAdded }: NonNullable<CrawlContextParts['cycle']>,
	tools: Omit<SitesTools, 'onAdded' | 'discovers' | 'threads'>,
	{ auditRate, every, budget, sitemaps, maxDepth, threads }: Settings,
): ChangeDetection {
	const discovers = sitemaps && maxDepth > 0;
	return new ChangeDetection(
		{ auditRate, every, budget, everything },
		{ ...tools, discovers, onAdded, threads: threads > 0 },
	);
}

/** The user has named these: they may be on a private network, others may not. */
const namedBy = (seeds: readonly string[]): ReadonlySet<string> => new Set(seeds.map((url) => new URL(url).hostname));

function hostsFor(leases: Leases, { delay, ownSites, concurrency, pauseCap }: Settings, pace: Clock): Hosts {
	const paceOf = (name: string) => ({
		delay,
		own: ownSites.has(name) || isLoopbackName(name),
		connections: concurrency,
		pauseCap,
	});
	return new Hosts(leases, paceOf, pace);
}

/** No-op listener. */
export const noop = (_: CrawlEvent): void => {};
