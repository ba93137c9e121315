import type { FreshnessPolicy } from '@wayleave/protocols/aidocument';
import type { Clock } from '../base/clock.ts';
import type { ChangeDetection } from '../change/change-detection.ts';
import type { FetchOptions } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';
import type { Discovery } from '../discover/discovery.ts';
import type { KnownSites } from '../discover/known-sites.ts';
import type { Scope } from '../discover/scope.ts';
import type { Duplicates } from '../documents/near-duplicates.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { PolicyChecker } from '../policy/policy-checker.ts';
import type { PolicyFiles } from '../policy/policy-files.ts';
import type { Hosts } from '../politeness/hosts.ts';
import type { SendRequest } from '../politeness/requester.ts';
import type { ReadPage } from '../read/read-page.ts';
import type { Reader } from '../read/reader.ts';
import type { Renderer } from '../render/renderer.ts';
import type { EndpointTrust } from '../represent/endpoint-trust.ts';
import type { Store } from '../store/roles/store.ts';
import type { Recorder } from '../warc/write/recorder.ts';
import type { RoutePages } from './route-pages.ts';
import type { UrlClaims } from './url-claims.ts';

/** Everything that a visit touches. */
export interface CrawlContext {
	readonly settings: Settings;
	readonly clock: Clock;
	/** For the times of hosts, and for those at which something is tried again. */
	readonly pace: Clock;
	readonly store: Store;
	readonly hosts: Hosts;
	readonly files: PolicyFiles;
	readonly policyChecker: PolicyChecker;
	readonly trust: EndpointTrust;
	readonly send: SendRequest;
	readonly emit: (event: CrawlEvent) => void;
	readonly scope: Scope;
	/** Reads scope expansions of other workers. */
	readonly refreshScope: () => Promise<void>;
	readonly discovery: Discovery;
	readonly duplicates: Duplicates;
	/** Knowledge about the addresses of the hosts being crawled. */
	readonly sites: KnownSites;
	readonly read: ReadPage;
	readonly readFile: Reader['readFile'];
	/** Only if pages may be opened in a browser. */
	readonly renderer: Renderer | undefined;
	readonly routes: RoutePages;
	readonly freshnessPolicy: FreshnessPolicy;
	readonly claims: UrlClaims;
	/** One page is wanted, not its outcome: known outcomes of the URLs that redirect to it do not end the visit. */
	readonly single: boolean;
	/** Whether servers may answer that nothing has changed. */
	readonly conditional: boolean;
	/** Undefined where one page is fetched by itself. */
	readonly changes: ChangeDetection | undefined;
	readonly onSource: FetchOptions['onSource'];
	/** Told of pages that are not asked for, and of which the options of today would make another document. */
	readonly onOutdated?: (url: string) => void;
	/** Gets the pages with more links than the limit. */
	readonly onLinksLeft?: (url: string, count: number) => void;
	/** Only if there is an archive. */
	readonly recorder: Recorder | undefined;
}
