export type { ForwardLookup, ReverseAnswer, ReverseOutcome } from './dns/confirm.ts';
export { createResolver, type Resolution, type Resolver, type ResolverOptions } from './dns/resolver.ts';
export { reverseName } from './dns/reverse.ts';
export { type KeptReverseAnswer, ReverseDns, type ReverseDnsOptions } from './dns/reverse-dns.ts';
export { registrableDomain } from './domain.ts';
export { isLoopbackAddress, isPublicAddress } from './fetch/address.ts';
export { ChainCookies } from './fetch/chain-cookies.ts';
export { contactParts, isContact, localBotUrl } from './fetch/contact.ts';
export { decodeContent } from './fetch/decode-content.ts';
export { fetchFailures } from './fetch/failure.ts';
export { createFetcher, defaultLimits } from './fetch/fetcher.ts';
export { ReceivedHeaders } from './fetch/headers.ts';
export { type Cookie, type OwnSiteCredentials, whyNotOwnHeader } from './fetch/own-site.ts';
export { parseDate } from './fetch/parse-date.ts';
export {
	fixedProxy,
	ProxyError,
	type ProxyFor,
	type ProxyServer,
	proxyFromEnvironment,
} from './fetch/proxy.ts';
export type { RedirectFailure, RedirectTarget } from './fetch/redirect.ts';
export { redirectTarget } from './fetch/redirect.ts';
export type {
	CutExchange,
	FetchAnswer,
	Fetcher,
	FetcherOptions,
	FetchFailed,
	FetchFailure,
	FetchSuccess,
	GetOptions,
	Limits,
	Lookup,
	RawExchange,
	RequestMessage,
	ResolvedAddress,
	Timeouts,
} from './fetch/types.ts';
export { requestChannel } from './fetch/types.ts';
export { sha256 } from './hash.ts';
export { addTo, type Counter, createCounter, escapeLabel, formatFamily, metricsType } from './metrics/exposition.ts';
export { filesOfStore, makePrivateFile, makePrivateFolder, openToOthers } from './private-files.ts';
export { RangeLists } from './ranges/lists.ts';
export { narrowRanges } from './ranges/narrow.ts';
export { fileRangeStore, type RangeListStore, type StoredRangeList } from './ranges/store.ts';
export type { RangeAnswer, RangeListStatus, RangeListsOptions } from './ranges/types.ts';
export { type KeyAnswer, KeyDirectories, type KeyDirectoriesOptions } from './signatures/directories.ts';
export {
	formatKeyDirectory,
	generateSigningKey,
	keyDirectoryPath,
	keyDirectoryType,
	loadSigningKey,
	type PublicJwk,
	parseKeyDirectory,
	type Signer,
	type SigningKey,
	type Verifier,
	verifierOf,
} from './signatures/keys.ts';
export {
	type SignatureHeaders,
	type SignatureVerdict,
	type SignedMessage,
	signRepresentation,
	verifyRepresentation,
} from './signatures/representation.ts';
export type { RequestVerdict, SignatureFault, SignedRequest } from './signatures/request-verdict.ts';
export { type RequestSignature, type SignRequestOptions, signRequest } from './signatures/sign-request.ts';
export { RequestVerifier, type RequestVerifierOptions } from './signatures/verify-request.ts';
export { DatabaseError, type DatabaseErrorCode, isUnreachable } from './sql/error.ts';
export { lockFile } from './sql/file-lock.ts';
export { type MigrateOptions, type Migration, migrate, missingMigrations } from './sql/migrate.ts';
export { databaseKind, databaseName, type OpenOptions, openDatabase } from './sql/open.ts';
export { sqliteProblem } from './sql/sqlite.ts';
export { ThreadError, type ThreadErrorCode } from './threads/error.ts';
export { ThreadPool, type ThreadPoolOptions, threadEntry } from './threads/thread-pool.ts';
