import type { CrawlOptions, Preference } from '@wayleave/crawler';
import type { AgentFlags } from '../../shared/options/agent.ts';
import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FavorFlags } from '../../shared/options/favor.ts';
import type { RenderFlags } from '../../shared/options/render.ts';

export interface CrawlFlags extends AgentFlags, RenderFlags, FavorFlags, ChunkFlags {
	seeds?: string;
	out?: string[];
	warc?: string;
	store?: string;
	maxPages?: number;
	maxDepth?: number;
	include?: string[];
	exclude?: string[];
	ignoreParams?: string[];
	keepParams?: string[];
	scope: NonNullable<CrawlOptions['scope']>;
	concurrency?: number;
	threads?: number;
	maxCrawlDelay?: number;
	retries?: number;
	sitemaps: boolean;
	refresh?: boolean;
	every?: number;
	budget?: number;
	auditRate?: number;
	onChange?: string[];
	secretFile?: string;
	history?: number;
	prefer?: Preference;
	outcomes?: boolean;
	economics?: boolean;
	metrics?: string;
	allowHost?: string[];
	ui?: boolean;
	uiPort?: number;
	json?: boolean;
}
