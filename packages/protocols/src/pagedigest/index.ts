export {
	type AuditedResponse,
	type AuditVerdict,
	auditDigest,
	digestOf,
	type InconclusiveReason,
	type Sha256,
	sampleAudits,
} from './audit.ts';
export { type BuildManifestOptions, type BuiltManifest, buildManifest, type PublishedPage } from './build.ts';
export {
	type Anomaly,
	type CompareOptions,
	compareManifests,
	finishPlan,
	type KnownRevisions,
	type Plan,
	type PlannedFetch,
	type PlannedOutcome,
	type Settlement,
} from './compare.ts';
export { coverageTest, describeKey } from './coverage.ts';
export { formatManifest } from './format.ts';
export { hasTrackingQuery, isUrlKey, urlKey } from './key.ts';
export { type ParseManifestOptions, parseManifest } from './parse.ts';
export type { PagedigestProblem, PagedigestProblemCode } from './problems.ts';
export { formatRevisions, type PageRevision, parseRevisions, type RevisionState } from './revisions.ts';
export { buildPageDigestState, type PageDigestState, parsePageDigestState } from './state-header.ts';
export { checkSuccession } from './succession.ts';
export {
	auditRate,
	auditsDue,
	believes,
	initialTrust,
	reduceTrust,
	type TrustEvent,
	type TrustLevel,
	type TrustRules,
	type TrustState,
	type UrlTrust,
} from './trust.ts';
export {
	type Coverage,
	type Digest,
	type Manifest,
	type ManifestEntry,
	manifestPath,
	manifestRelation,
} from './types.ts';
