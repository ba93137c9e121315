import { createFetcher, type Fetcher, type FetcherOptions, type OwnSiteCredentials } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import { parseUrl } from '@wayleave/protocols/url';
import { CrawlError } from '../base/errors.ts';
import type { CommonOptions } from '../config/options.ts';
import type { Settings } from '../config/settings.ts';

/**
 * The fetcher of a crawl: our identity, the guard against private addresses and strangers, and what opens own sites.
 *
 * @throws CrawlError `bad-option`
 */
export function openFetcher(
	allowPrivate: NonNullable<FetcherOptions['allowPrivate']>,
	{ lookup, limits, ca, proxy, credentials }: CommonOptions,
	settings: Settings,
): Fetcher {
	const { userAgent, headers, introduced, ownSites, concurrency } = settings;
	try {
		return createFetcher({
			userAgent,
			headers,
			allowPrivate,
			connectionsPerHost: concurrency,
			...present({ lookup, limits, ca, proxy }),
			...(credentials && { credentials: ownOnly(credentials, ownSites) }),
			...(!introduced && { unintroduced: (host) => ownSites.has(host) }),
		});
	} catch (error) {
		throw new CrawlError('bad-option', (error as Error).message, { cause: error });
	}
}

/**
 * The fetcher of notices. Receivers are chosen by the operator, so private ones are allowed; proxy, names and
 * certificate authorities are those of the crawl.
 *
 * @throws CrawlError `bad-option`
 */
export function openNoticeFetcher({ lookup, ca, proxy }: CommonOptions, { userAgent }: Settings): Fetcher {
	try {
		return createFetcher({
			userAgent,
			allowPrivate: () => true,
			unreported: true,
			...present({ lookup, ca, proxy }),
		});
	} catch (error) {
		throw new CrawlError('bad-option', (error as Error).message, { cause: error });
	}
}

/** @throws TypeError for an origin of a host that was not vouched for */
function ownOnly(credentials: OwnSiteCredentials, ownSites: ReadonlySet<string>): OwnSiteCredentials {
	for (const origin of credentials.origins)
		if (!ownSites.has(parseUrl(origin)?.hostname ?? ''))
			throw new TypeError('credentials can only be sent to origins whose hosts are listed in ownSites');
	return credentials;
}
