import type { Clock } from '../base/clock.ts';
import type { PolicyChecker } from '../policy/policy-checker.ts';
import type { PolicyFiles } from '../policy/policy-files.ts';
import type { Hosts } from '../politeness/hosts.ts';
import type { SomOptions } from './som-options.ts';

/** Parts of a crawl that decide whether an endpoint and its signature are trusted. */
export interface EndpointContext {
	readonly settings: { readonly som: SomOptions };
	readonly hosts: Hosts;
	readonly policyChecker: PolicyChecker;
	readonly files: PolicyFiles;
	readonly clock: Clock;
}
