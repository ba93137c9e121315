export { isLoopbackAddress, isPublicAddress } from './address.ts';
export { ChainCookies } from './chain-cookies.ts';
export { contactParts, isContact, localBotUrl } from './contact.ts';
export { decodeContent } from './decode-content.ts';
export { fetchFailures } from './failure.ts';
export { createFetcher, defaultLimits } from './fetcher.ts';
export { ReceivedHeaders } from './headers.ts';
export { type Cookie, type OwnSiteCredentials, whyNotOwnHeader } from './own-site.ts';
export { parseDate } from './parse-date.ts';
export { fixedProxy, ProxyError, type ProxyFor, type ProxyServer, proxyFromEnvironment } from './proxy.ts';
export { type Failure, publicFailure } from './public-failure.ts';
export { type RedirectFailure, type RedirectTarget, redirectTarget } from './redirect.ts';
export { readRetryAfter } from './retry-after.ts';
export {
	type CutExchange,
	type Fetcher,
	type FetcherOptions,
	type FetchFailed,
	type FetchFailure,
	type FetchResult,
	type FetchSuccess,
	type GetOptions,
	type Limits,
	type RawExchange,
	type RequestMessage,
	requestChannel,
	type Timeouts,
} from './types.ts';
