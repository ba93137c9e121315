export { registrableDomain } from './domain.ts';
export { isPublicAddress } from './fetch/address.ts';
export { fetchFailures } from './fetch/failure.ts';
export { createFetcher, defaultLimits } from './fetch/fetcher.ts';
export { ReceivedHeaders } from './fetch/headers.ts';
export type { RedirectFailure, RedirectTarget } from './fetch/redirect.ts';
export { redirectTarget } from './fetch/redirect.ts';
export type {
	FetchAnswer,
	Fetcher,
	FetcherOptions,
	FetchFailed,
	FetchFailure,
	FetchSuccess,
	GetOptions,
	Limits,
	Lookup,
	ResolvedAddress,
	Timeouts,
} from './fetch/types.ts';
export { sha256 } from './hash.ts';
