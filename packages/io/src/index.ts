export { createResolver, type Resolution, type Resolver, type ResolverOptions } from './dns/resolver.ts';
export { reverseName } from './dns/reverse.ts';
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
export {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	type PublicJwk,
	parseKeyDirectory,
	type SigningKey,
} from './signatures/keys.ts';
export {
	type SignatureHeaders,
	type SignatureVerdict,
	type SignedMessage,
	signRepresentation,
	verifyRepresentation,
} from './signatures/representation.ts';
export { DatabaseError, type DatabaseErrorCode } from './sql/error.ts';
export { type MigrateOptions, type Migration, migrate } from './sql/migrate.ts';
export { type OpenOptions, openDatabase } from './sql/open.ts';
