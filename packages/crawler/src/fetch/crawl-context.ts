import type { Clock } from '../base/clock.ts';
import type { ChangeDetection } from '../change/change-detection.ts';
import type { Settings } from '../config/settings.ts';
import type { KnownSites } from '../discover/known-sites.ts';
import type { Scope } from '../discover/scope.ts';
import type { Duplicates } from '../documents/near-duplicates.ts';
import type { Reader } from '../read/reader.ts';
import type { RenderContext } from '../render/context.ts';
import type { Renderer } from '../render/renderer.ts';
import type { RepresentContext } from '../represent/context.ts';
import type { Store } from '../store/roles/store.ts';
import type { Recorder } from '../warc/write/recorder.ts';
import type { RoutePages } from './route-pages.ts';
import type { UrlClaims } from './url-claims.ts';

/** Everything that a visit touches. */
export interface CrawlContext extends RepresentContext, RenderContext {
	readonly settings: Settings;
	/** For the times of hosts, and for those at which something is tried again. */
	readonly pace: Clock;
	readonly store: Store;
	readonly scope: Scope;
	/** Reads scope expansions of other workers. */
	readonly refreshScope: () => Promise<void>;
	readonly duplicates: Duplicates;
	/** Knowledge about the addresses of the hosts being crawled. */
	readonly sites: KnownSites;
	readonly readFile: Reader['readFile'];
	/** Only if pages may be opened in a browser. */
	readonly renderer: Renderer | undefined;
	readonly routes: RoutePages;
	readonly claims: UrlClaims;
	/** One page is wanted, not its outcome: known outcomes of the URLs that redirect to it do not end the visit. */
	readonly single: boolean;
	/** Undefined where one page is fetched by itself. */
	readonly changes: ChangeDetection | undefined;
	/** Gets the pages with more links than the limit. */
	readonly onLinksLeft?: (url: string, count: number) => void;
	/** Only if there is an archive. */
	readonly recorder: Recorder | undefined;
}
