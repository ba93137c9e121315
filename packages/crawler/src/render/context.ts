import type { Clock } from '../base/clock.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { PolicyChecker } from '../policy/policy-checker.ts';
import type { Hosts } from '../politeness/hosts.ts';
import type { SendRequest } from '../politeness/requester.ts';
import type { ReadPage } from '../read/read-page.ts';

/** Parts of a crawl that load what a page asks for. */
export interface LoadContext {
	readonly hosts: Hosts;
	readonly policyChecker: PolicyChecker;
	readonly send: SendRequest;
	readonly clock: Clock;
}

/** Parts of a crawl that render pages. */
export interface RenderContext extends LoadContext {
	readonly emit: (event: CrawlEvent) => void;
	readonly read: ReadPage;
	readonly settings: { readonly userAgent: string };
}
