export { type Clock, systemClock } from './clock.ts';
export { type Crawl, crawl } from './engine/crawl.ts';
export { CrawlError, type CrawlErrorCode } from './errors.ts';
export type {
	CrawlEvent,
	DoneEvent,
	HostEvent,
	HostStats,
	PageEvent,
	ProblemEvent,
	RobotsEvent,
	RunMode,
	SitemapEvent,
	StartEvent,
	Stats,
	Summary,
	SummaryRow,
	WaitEvent,
	WaitReason,
} from './events.ts';
export type { CommonOptions, CrawlOptions, FetchOptions, Identity, Use } from './options.ts';
export { type Ending, explainReason, type Outcome, outcomes, type Reason } from './outcome.ts';
export type { PolicyNote, Result } from './result.ts';
export type { LineOptions } from './sinks/jsonl.ts';
export type { Sink } from './sinks/types.ts';
export type * from './store/types.ts';
export { fetchDocument } from './visit/fetch-document.ts';
// To come, with these signatures:
// export function jsonlSink(file: string, options?: LineOptions): Sink
// export function markdownSink(directory: string): Sink
// export function streamSink(stream: NodeJS.WritableStream, options?: LineOptions): Sink
// export function openStore(url: string): Promise<Store>      'sqlite:FILE' or 'memory'
