export * from './adapters/assert-protected.ts';
export { ConfigError, type ConfigProblem, checkConfig, loadConfig, parseConfig } from './config/load.ts';
export { type AskRule, type Config, type ConfigInput, configJsonSchema, configSchema } from './config/schema.ts';
export {
	createDashboard,
	type DashboardFile,
	type DashboardOptions,
	type DashboardSource,
	type PolicyInForce,
	type ShownRequest,
} from './dashboard/dashboard.ts';
export { type LedgerSourceOptions, ledgerSource } from './dashboard/ledger-source.ts';
export type { DecidedRequest, Decision } from './decide/decision.ts';
export type { ChangeObserver } from './engine/change-observer.ts';
export { type Connection, createGateway, type Gateway, type GatewayOptions } from './engine/gateway.ts';
export type { CheckedIdentity } from './identify/checked-identity.ts';
export { type Claim, ClaimReader } from './identify/claim.ts';
export { claimsOnly } from './identify/claims-only.ts';
export { clientKey } from './identify/client-address.ts';
export type { Identifier } from './identify/identifier.ts';
export { IdentityChecker, type IdentityCheckerOptions, identityOptions } from './identify/identity-checker.ts';
export { type OpenIdentityChecker, type OpenIdentityCheckerOptions, openIdentityChecker } from './identify/open.ts';
export { type IdentityReason, identityReasons } from './identify/reasons.ts';
export type { Check as IdentityCheck, IdentityEvidence, RequestFacts } from './identify/types.ts';
export type { Entry, Served } from './ledger/entry.ts';
export { type Ledger, type LedgerOptions, openLedger } from './ledger/ledger.ts';
export type { PastPolicyVersion, Recalled, RecalledGrant, Recorder } from './ledger/recorder.ts';
export type { Referral } from './ledger/referral.ts';
export type { Gauges, Metrics } from './metrics/metrics.ts';
export { type ChangeObserverOptions, DurableChangeObserver } from './pagedigest/change-observer.ts';
export { fingerprintOf } from './pagedigest/fingerprint.ts';
export type { OwnFiles, Published } from './policy/published-files.ts';
export { type ConnectionCounts, createProxy, type ProxyOptions, type ReverseProxy } from './proxy/server.ts';
export { createUpstream, type Upstream, type UpstreamOptions } from './proxy/upstream.ts';
export type { FileProblem, PublishOptions, PublishReport } from './publish/options.ts';
export { publish } from './publish/publish.ts';
export type { AskCount } from './report/asks.ts';
export type { BrokenRule } from './report/broken-rules.ts';
export type { Compliance } from './report/compliance.ts';
export type { CountedAgent, CountedOverview, Grouping, Traffic, TrafficSeries } from './report/counted.ts';
export type { RequestFilter } from './report/filter.ts';
export { formatReportCsv, formatReportJson, formatReportTable } from './report/format.ts';
export type { Overview } from './report/overview.ts';
export { formatReportHtml } from './report/page/page.ts';
export type { PathCount } from './report/paths.ts';
export type { Period } from './report/period.ts';
export { type Report, readReport } from './report/read-report.ts';
export type { Referrals, ReferredPage } from './report/referrals.ts';
export type { AgentSavings, Savings } from './report/savings.ts';
export { formatSubmission, type Submission } from './report/submission.ts';
export type { Timeframe } from './report/timeframe.ts';
export type { RecordedRequest, Violation } from './report/violations.ts';
export type { Identity, Outcome } from './request/identity.ts';
export { type Purpose, purposes } from './request/purpose.ts';
export type { Sharing } from './request/sharing.ts';
export type { Target } from './request/target.ts';
export { type Visit, visitOf } from './request/visit.ts';
export type { OriginFetch } from './respond/origin-pages.ts';
export { type OpenGatewayOptions, openGateway, type RunningGateway } from './running/open-gateway.ts';
export { type OpenSharing, openSharing, type SharingOptions, type SharingStatus } from './sharing/open-sharing.ts';
export { type SiteStatus, SiteWatch, type SiteWatchOptions } from './site/watch.ts';
export { type KeptVersion, PolicyFile, type PolicyFileOptions, type PolicyText } from './studio/policy-file.ts';
export type { Preview } from './studio/preview.ts';
export type { Comparison } from './studio/replay.ts';
export { createStudio, maxStudioBody, type StudioOptions, type StudioState, tooLarge } from './studio/studio.ts';
export type { Switched } from './studio/switch-access.ts';
export { agentIndexOf } from './terms/named-agents.ts';
export { gatherAgents, type OwnAgent } from './terms/own-robots.ts';
export { pageHeaders } from './terms/page-terms.ts';
export { type PublishProblem, type PublishProblemCode, publishProblems } from './terms/problems.ts';
export { type Signals, signalsOf } from './terms/signals.ts';
export { policiesOf, type Terms, termsOf } from './terms/terms.ts';
