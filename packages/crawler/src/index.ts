export type * from './change/records.ts';
export type { History, RevisitRules } from './change/revisit.ts';
export { type Clock, systemClock } from './clock.ts';
export type { AddressOptions } from './discover/address-rules.ts';
export { normaliseUrl } from './discover/normalise.ts';
export { type Crawl, crawl } from './engine/crawl.ts';
export { createPoliteClient, type PoliteClient, type PoliteClientOptions } from './engine/polite-client.ts';
export { CrawlError, type CrawlErrorCode } from './errors.ts';
export type {
	AskEvent,
	AuditEvent,
	CrawlEvent,
	CycleEvent,
	DoneEvent,
	DuplicateTally,
	HostEvent,
	HostStats,
	ManifestEvent,
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
} from './events.ts';
export { createReader, type Reader, type ReaderOptions } from './extraction/reader.ts';
export { threadsOr } from './extraction/threads.ts';
export { type LeftOut, permittedFor } from './inspect/permitted-for.ts';
export { openStoreView, type StoreView } from './inspect/view.ts';
export { isOwnHost } from './manners/contact.ts';
export { type DecisionMessage, decisionChannel } from './manners/permission.ts';
export { formatCrawlMetrics } from './metrics/metrics.ts';
export type { Identity } from './model/identity.ts';
export type { LearnedAddresses, LearnedHost } from './model/learned-addresses.ts';
export type { Progress } from './model/progress.ts';
export type { Source } from './model/source.ts';
export type {
	CommonOptions,
	CrawlOptions,
	DocumentFetcherOptions,
	DocumentRequest,
	FetchOptions,
	Use,
} from './options.ts';
export { type Ending, explainReason, type Outcome, outcomes, type Reason, reasonTexts } from './outcome.ts';
export { findChromium } from './render/find-chromium.ts';
export type { RenderLimits, RenderMode } from './render/types.ts';
export type { SomOptions } from './represent/som-options.ts';
export { isSpent, type PolicyNote, type Result } from './result.ts';
export { defaultCategory } from './settings.ts';
export { jsonlSink } from './sinks/jsonl.ts';
export { chunkLines, type LineOptions } from './sinks/line.ts';
export { formatMarkdown, markdownSink } from './sinks/markdown.ts';
export { parquetSink } from './sinks/parquet.ts';
export { type LineStream, streamSink } from './sinks/stream.ts';
export type { Sink } from './sinks/types.ts';
export { writeToSinks } from './sinks/write-to-sinks.ts';
export type { Preference, Representation, RepresentationReason } from './som/representation.ts';
export { openStore } from './store/open.ts';
export type { Batch, Committed, Visit } from './store/roles/commit.ts';
export type {
	Ended,
	EndWhere,
	FrontierUrl,
	KnownUrl,
	LastSeen,
	NewUrl,
	OutOfScope,
	RunRequest,
	RunState,
	UrlKind,
} from './store/roles/frontier.ts';
export type { HostRecord } from './store/roles/leases.ts';
export type {
	Comparable,
	Content,
	DocumentPlace,
	ForgetTarget,
	Forgotten,
	GivenOptions,
	KeptDocument,
	KeptPage,
	KnownLikeness,
	Pruned,
	PruneOptions,
	SiteOf,
	SitePage,
	Snapshot,
	StoredResultsOptions,
	UnvisitedOptions,
} from './store/roles/pages.ts';
export type { KeptAnswer, Outage, PolicyFile } from './store/roles/policies.ts';
export type { StoreStatus, UrlStory } from './store/roles/reader.ts';
export type { Tally, TallyCause, TallyRow } from './store/roles/tally.ts';
export type * from './store/types.ts';
export { createDocumentFetcher, type DocumentFetcher } from './visit/document-fetcher.ts';
export { fetchDocument, hashRoute } from './visit/fetch-document.ts';
export type { PageReading, PageSource, ReadPage } from './visit/read-page.ts';
export type { Validators } from './visit/validators.ts';
export { type ArchivedItem, type ArchivedPage, archivedPages } from './warc/archived-pages.ts';
export type { Capture, Exchange } from './warc/exchange.ts';
export { contentOf, type HttpAnswer, parseHttpAnswer } from './warc/http-answer.ts';
export { type WarcProblem, type WarcProblemCode, warcProblems } from './warc/problems.ts';
export type { WarcItem, WarcRecord } from './warc/read/warc-item.ts';
export { type ReadWarcOptions, readWarc } from './warc/read-warc.ts';
export { warcSink } from './warc/sink.ts';
