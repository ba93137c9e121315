import type { Clock } from '../clock.ts';
import type { Hosts } from '../engine/hosts.ts';
import type { Permissions } from '../manners/permission.ts';
import type { PolicyFiles } from '../manners/policy-files.ts';
import type { SomOptions } from './som-options.ts';

/** Parts of a crawl that decide whether an endpoint and its signature are trusted. */
export interface EndpointContext {
	readonly settings: { readonly som: SomOptions };
	readonly hosts: Hosts;
	readonly permissions: Permissions;
	readonly files: PolicyFiles;
	readonly clock: Clock;
}
