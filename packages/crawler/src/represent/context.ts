import type { Discovery } from '../discover/discovery.ts';
import type { DocumentContext } from '../documents/context.ts';
import type { Preference } from '../model/representation.ts';
import type { Source } from '../model/source.ts';
import type { SendRequest } from '../politeness/requester.ts';
import type { EndpointContext } from './endpoint-context.ts';
import type { EndpointTrust } from './endpoint-trust.ts';

/** Parts of a crawl that read a page by a representation of it. */
export interface RepresentContext extends Omit<DocumentContext, 'settings'>, Omit<EndpointContext, 'settings'> {
	readonly settings: DocumentContext['settings'] &
		EndpointContext['settings'] & { readonly prefer: Preference | undefined; readonly reuse: boolean };
	readonly trust: EndpointTrust;
	readonly send: SendRequest;
	readonly discovery: Discovery;
	/** Whether servers may answer that nothing has changed. */
	readonly conditional: boolean;
	readonly onSource: ((source: Source) => void) | undefined;
}
