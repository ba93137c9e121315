import type { Evidence } from '@wayleave/protocols';
import type { Ending } from '../../model/outcome.ts';
import type { CheckResult, ListedUpdate } from './changes.ts';
import type { NewUrl } from './frontier.ts';
import type { HostRecord } from './leases.ts';
import type { Segment } from './outputs.ts';
import type { KeptPage } from './pages.ts';
import type { WatchUpdate } from './watch.ts';

/** The changes of one visit. */
export interface Visit extends Pick<KeptPage, 'at' | 'status' | 'redirectedTo' | 'content'> {
	readonly id: number;
	/** Undefined: the URL waits for another try, not before `due`. With both, only a refresh visits it before. */
	readonly ending?: Ending;
	readonly due?: number;
	readonly attempts: number;
	readonly evidence?: readonly Evidence[];
	/** Addresses of pages whose documents may no longer be kept, regardless of the outcome of the visit. */
	readonly revokedUrls?: readonly string[];
	/** A document was given for it, which has its place among those of the run. */
	readonly document?: boolean;
	readonly found: readonly NewUrl[];
	/** Names that identify the page when another address of it comes: the first page with a name keeps it. */
	readonly names?: readonly string[];
	/** The target of the redirect, when this visit has read it: it ends here too, and the content is its own. */
	readonly target?: Pick<KeptPage, 'url' | 'ending' | 'due'> & { readonly check?: CheckResult };
	/** For the history of the page; undefined when the visit could not tell whether it had changed. */
	readonly check?: CheckResult;
	/** Revisions of the manifest that now count as fetched, or no longer do. */
	readonly listed?: readonly ListedUpdate[];
}

export interface Batch {
	readonly visits: readonly Visit[];
	/** Clocks of the hosts concerned. */
	readonly hosts: readonly HostRecord[];
	readonly positions: ReadonlyMap<string, string>;
	/** Results that were written for rolling files. */
	readonly segments?: readonly Segment[];
	/** URLs whose places come into scope. */
	readonly scopeExpansions: readonly string[];
	/** By host number: its learned address patterns, as JSON. */
	readonly learned?: ReadonlyMap<number, string>;
	/** Changes of watched pages. */
	readonly watch?: WatchUpdate;
}

export interface Committed {
	/** How many new URLs wait, by host name. */
	readonly added: ReadonlyMap<string, number>;
	/** By visit, in order: how many URLs were new. */
	readonly newLinks: readonly number[];
}
