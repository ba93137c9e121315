import { createFetcher, type Fetcher } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import { botOf } from '../config/bot.ts';
import type { ServiceDeps } from './route-module.ts';

/**
 * For URLs that callers supply besides pages: domain proofs, key directories. It connects to no private address, and
 * identifies itself as the crawler does. The service closes it.
 */
export function guardedFetcher(
	{ background, config }: Pick<ServiceDeps, 'background' | 'config'>,
	userAgent: string,
): Fetcher {
	const { fetching } = config;
	const { reachable } = botOf(config);
	const fetcher = createFetcher({
		userAgent,
		allowPrivate: (host) => fetching.privateHosts?.includes(host) === true,
		...present({ lookup: fetching.lookup, ca: fetching.ca, proxy: fetching.proxy }),
		...(!reachable && { unintroduced: (host) => fetching.ownSites?.includes(host) === true }),
	});
	background.signal.addEventListener('abort', () => void fetcher.close(), { once: true });
	return fetcher;
}
