import { isLoopbackName } from '@wayleave/io/dns/loopback';
import { isContact, localBotUrl } from '@wayleave/io/http';
import { CrawlError } from '../base/errors.ts';
import type { CommonOptions } from './options.ts';

/** Whether a host may be asked by a crawler that names no contact. `ownSites` are lower-case host names. */
export const isOwnHost = (host: string, ownSites: Iterable<string>): boolean =>
	isLoopbackName(host) || new Set(ownSites).has(host);

/**
 * A crawler says who it is (AIWebIndex 2.0 §3): strangers' sites are not asked with an address that leads nowhere.
 * A caller's own fetcher has its own User-Agent, and a caller's `lookup` may map names to this machine, which the
 * fetcher checks when it connects.
 *
 * @throws CrawlError `no-contact`
 */
export function requireContact(urls: readonly string[], options: CommonOptions): void {
	const { identity = {}, ownSites = [], fetcher, lookup } = options;
	if (fetcher !== undefined || lookup !== undefined || isContact(identity.botUrl ?? localBotUrl)) return;
	const own = new Set(ownSites.map((host) => host.toLowerCase()));
	const stranger = urls.map((url) => new URL(url).hostname).find((host) => !isOwnHost(host, own));
	if (stranger === undefined) return;
	const what =
		identity.botUrl === undefined ? 'the crawler has no contact' : `${identity.botUrl} is not a reachable contact`;
	throw new CrawlError(
		'no-contact',
		`${what}: set identity.botUrl to a page about the crawler or to mailto:YOU@YOUR-DOMAIN before it requests ${stranger}; without a contact, only loopback and ownSites are requested`,
	);
}
