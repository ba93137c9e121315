import type { Clock } from '../clock.ts';
import type { Hosts } from '../engine/hosts.ts';
import type { SendRequest } from '../engine/requester.ts';
import type { CrawlEvent } from '../events.ts';
import type { Permissions } from '../manners/permission.ts';
import type { ReadPage } from '../visit/read-page.ts';

/** Parts of a crawl that load what a page asks for. */
export interface LoadContext {
	readonly hosts: Hosts;
	readonly permissions: Permissions;
	readonly send: SendRequest;
	readonly clock: Clock;
}

/** Parts of a crawl that render pages. */
export interface RenderContext extends LoadContext {
	readonly emit: (event: CrawlEvent) => void;
	readonly read: ReadPage;
	readonly settings: { readonly userAgent: string };
}
