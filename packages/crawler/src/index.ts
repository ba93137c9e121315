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
	HostEvent,
	HostStats,
	ManifestEvent,
	PageEvent,
	PageExample,
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
export type { LearnedAddresses, LearnedHost } from './inspect/learned.ts';
export { type LeftOut, permittedFor } from './inspect/permitted-for.ts';
export type { Pruned, PruneOptions } from './inspect/prune.ts';
export type { StoredResultsOptions } from './inspect/results.ts';
export type { StoreStatus } from './inspect/status.ts';
export type { UrlStory } from './inspect/story.ts';
export { openStoreView, type StoreView } from './inspect/view.ts';
export { isOwnHost } from './manners/contact.ts';
export { type DecisionMessage, decisionChannel } from './manners/permission.ts';
export { formatCrawlMetrics } from './metrics/metrics.ts';
export type {
	CommonOptions,
	CrawlOptions,
	DocumentFetcherOptions,
	DocumentRequest,
	FetchOptions,
	Identity,
	Progress,
	SomOptions,
	Source,
	Use,
} from './options.ts';
export { type Ending, explainReason, type Outcome, outcomes, type Reason, reasonTexts } from './outcome.ts';
export { findChromium } from './render/find-chromium.ts';
export type { RenderLimits, RenderMode } from './render/types.ts';
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
export type { ForgetTarget, Forgotten } from './store/forgotten.ts';
export { openStore } from './store/open.ts';
export type { DocumentPlace, KeptDocument, SiteOf, SitePage } from './store/site-pages.ts';
export type * from './store/types.ts';
export { createDocumentFetcher, type DocumentFetcher } from './visit/document-fetcher.ts';
export { fetchDocument, hashRoute } from './visit/fetch-document.ts';
export type { PageReading, PageSource, ReadPage } from './visit/read-page.ts';
export { type ArchivedItem, type ArchivedPage, archivedPages } from './warc/archived-pages.ts';
export type { Capture, Exchange } from './warc/exchange.ts';
export { contentOf, type HttpAnswer, parseHttpAnswer } from './warc/http-answer.ts';
export { type WarcProblem, type WarcProblemCode, warcProblems } from './warc/problems.ts';
export { type ReadWarcOptions, readWarc, type WarcItem, type WarcRecord } from './warc/read-warc.ts';
export { warcSink } from './warc/sink.ts';
