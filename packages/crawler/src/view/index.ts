// The page that shows a crawl or a store: for commands, and for servers of your own.
export { type CrawlViewOptions, createCrawlView } from './crawl-view.ts';
export { LiveCrawl } from './live-crawl.ts';
export { readSource } from './read-source.ts';
