export type { FileKind } from '@wayleave/protocols/file-types';
export type { AddressOptions } from './addresses/address-rules.ts';
export { hashRoute } from './addresses/routes.ts';
export { type Clock, systemClock } from './base/clock.ts';
export { CrawlError, type CrawlErrorCode } from './base/errors.ts';
export { isOwnHost } from './config/contact.ts';
export type {
	CommonOptions,
	CrawlOptions,
	DocumentFetcherOptions,
	DocumentRequest,
	FetchOptions,
	Use,
} from './config/options.ts';
export { defaultCategory } from './config/settings.ts';
export { normaliseRoute, normaliseUrl } from './discover/normalise.ts';
export { LandingPages } from './documents/landing-pages.ts';
export { type Crawl, crawl } from './engine/crawl.ts';
export { createDocumentFetcher, type DocumentFetcher } from './engine/document-fetcher.ts';
export { fetchDocument } from './engine/fetch-document.ts';
export { formatCrawlMetrics } from './engine/format-metrics.ts';
export { createPoliteClient, type PoliteClient, type PoliteClientOptions } from './engine/polite-client.ts';
export { differenceSince, type PageDifference, type PageVersion, type PageVersions } from './inspect/page-versions.ts';
export { type LeftOut, permittedFor } from './inspect/permitted-for.ts';
export { withoutPageAnchors } from './inspect/search-documents.ts';
export { openStoreView, type StoreView, storeView } from './inspect/store-view.ts';
export { type ChunkBudget, chunkerFor } from './model/chunks.ts';
export type {
	AskEvent,
	AuditEvent,
	ChangeEvent,
	CrawlEvent,
	CycleEvent,
	DoneEvent,
	DuplicateTally,
	HostEvent,
	HostStats,
	ManifestEvent,
	NoticeEvent,
	PageEvent,
	PageExample,
	PauseTally,
	ProblemEvent,
	RobotsEvent,
	RunMode,
	SitemapEvent,
	SitemapTally,
	StartEvent,
	Stats,
	StoreEvent,
	Summary,
	SummaryRow,
	TrustEvent,
	WaitEvent,
	WaitReason,
} from './model/events.ts';
export type { Capture, Exchange } from './model/exchange.ts';
export { type FieldSchemaFault, fieldsOf, readDocumentSchema } from './model/fields.ts';
export type { Identity } from './model/identity.ts';
export type { LearnedAddresses, LearnedHost } from './model/learned-addresses.ts';
export { type Ending, explainReason, type Outcome, outcomes, type Reason, reasonTexts } from './model/outcome.ts';
export {
	type AnnouncedVersion,
	type PageChange,
	type PageChangeKind,
	type PageTerms,
	pageChangeKinds,
} from './model/page-change.ts';
export type { Progress } from './model/progress.ts';
export type { Preference, Representation, RepresentationReason } from './model/representation.ts';
export { isSpent, type PolicyNote, type Result } from './model/result.ts';
export type { History, RevisitRules } from './model/revisit.ts';
export type { Source } from './model/source.ts';
export { type DecisionMessage, decisionChannel } from './policy/policy-checker.ts';
export { type FileSource, UnreadableFileError } from './read/convert-file.ts';
export type { PageReading, PageSource, ReadPage } from './read/read-page.ts';
export { createReader, type Reader, type ReaderOptions } from './read/reader.ts';
export { threadsOr } from './read/thread-count.ts';
export { findChromium } from './render/find-chromium.ts';
export type { RenderLimits, RenderMode } from './render/types.ts';
export type { SomOptions } from './represent/som-options.ts';
export { isFileSource, kindOfFile } from './response/classify.ts';
export type { Validators } from './response/validators.ts';
export { jsonlSink } from './sinks/jsonl.ts';
export { chunkLines, type LineOptions } from './sinks/line.ts';
export { formatMarkdown, markdownSink } from './sinks/markdown.ts';
export { parquetSink } from './sinks/parquet.ts';
export { type LineStream, streamSink } from './sinks/stream.ts';
export type { RollingSink, Sink } from './sinks/types.ts';
export { writeToSinks } from './sinks/write-to-sinks.ts';
export { openStoreForReading } from './store/groups/open-for-reading.ts';
export { type SingleProcessHosts, singleProcessLeases } from './store/leases/single-process.ts';
export type * from './store/roles/changes.ts';
export type { Batch, Committed, Visit } from './store/roles/commit.ts';
export type {
	Ended,
	EndWhere,
	Frontier,
	FrontierReader,
	FrontierUrl,
	KnownUrl,
	LastSeen,
	LearnedPart,
	NewUrl,
	OutOfScope,
	RunRecord,
	RunRequest,
	RunState,
	TimeSlices,
	UnvisitedOptions,
	UrlCount,
	UrlCounts,
	UrlFilter,
	UrlKind,
	UrlList,
	UrlListRequest,
	UrlRecord,
	UrlSummary,
} from './store/roles/frontier.ts';
export type { HostRecord, HostState, Leases, LeasesReader, WaitingHost } from './store/roles/leases.ts';
export type { OutputFile, Outputs, Segment } from './store/roles/outputs.ts';
export type {
	Comparable,
	Content,
	DocumentPlace,
	DocumentVersion,
	EmittedOptions,
	ForgetTarget,
	Forgotten,
	KeptDocument,
	KeptPage,
	KnownMinHash,
	NumberedDocument,
	PageContent,
	Pages,
	PagesReader,
	Pruned,
	PruneOptions,
	ReplacedDocument,
	ReplacedRequest,
	SiteOf,
	SitePage,
	Snapshot,
	StoredPage,
	StoredResultsOptions,
	StoreSize,
} from './store/roles/pages.ts';
export type {
	KeptAnswer,
	Outage,
	PolicyCache,
	PolicyFile,
	PolicyReader,
	StoredPolicyFile,
} from './store/roles/policies.ts';
export type { StoreReader, StoreStatus, UrlHistory } from './store/roles/reader.ts';
export type * from './store/roles/store.ts';
export type { Tally, TallyCause, TallyRow } from './store/roles/tally.ts';
export type * from './store/roles/watch.ts';
export { openStore } from './store/sql/open.ts';
export { type ArchivedItem, type ArchivedPage, archivedPages } from './warc/read/archived-pages.ts';
export {
	type ArchivedResponse,
	contentOf,
	parseArchivedResponse,
} from './warc/read/http-response.ts';
export { type WarcProblem, type WarcProblemCode, warcProblems } from './warc/read/problems.ts';
export { type ReadWarcOptions, readWarc } from './warc/read/read-warc.ts';
export type { WarcItem, WarcRecord } from './warc/read/warc-item.ts';
export { warcSink } from './warc/write/sink.ts';
export type { NoticeReceiver, WatchOptions } from './watch/types.ts';
