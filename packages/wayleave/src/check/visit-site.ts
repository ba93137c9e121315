import { createFetcher } from '@wayleave/io';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import type { Terminal } from '../command.ts';
import { ownPage } from '../options/defaults.ts';
import { version } from '../version.ts';
import { self } from './agent.ts';
import { type PoliteFetch, politeFetch } from './fetch-file.ts';

/** Looks at the site of a URL under our own name. */
export async function visitSite<Seen>(
	url: string,
	terminal: Terminal,
	look: (fetch: PoliteFetch) => Promise<Seen>,
): Promise<Seen> {
	const { hostname } = new URL(url);
	const identity = { name: self.name, version, category: self.categories[0] };
	const fetcher = createFetcher({
		userAgent: buildUserAgent({ botUrl: ownPage, botName: identity.name }),
		headers: { 'X-Agent-Identity': buildAgentIdentity(identity) },
		// The one host that the user named may be a machine of their own.
		allowPrivate: (host) => host === hostname,
	});
	try {
		return await look(politeFetch(fetcher, (text) => terminal.err(text)));
	} finally {
		await fetcher.close();
	}
}
