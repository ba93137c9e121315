import type { CrawlOptions } from '@wayleave/crawler';
import type { AgentFlags } from '../../shared/options/agent.ts';
import type { ChunkFlags } from '../../shared/options/chunks.ts';
import type { FavorFlags } from '../../shared/options/favor.ts';
import type { FieldFlags } from '../../shared/options/fields.ts';
import type { RenderFlags } from '../../shared/options/render.ts';

/** Options of the library that the command takes as they are. */
type PlainOptions = Pick<
	CrawlOptions,
	| ('documents' | 'maxPages' | 'maxDepth' | 'include' | 'exclude' | 'ignoreParams' | 'keepParams' | 'economics')
	| ('concurrency' | 'threads' | 'retries' | 'refresh' | 'every' | 'budget' | 'auditRate' | 'prefer')
>;

export interface CrawlFlags extends PlainOptions, AgentFlags, RenderFlags, FavorFlags, ChunkFlags, FieldFlags {
	seeds?: string;
	out?: string[];
	roll?: number;
	warc?: string;
	store?: string;
	scope: NonNullable<CrawlOptions['scope']>;
	/** Seconds. */
	maxCrawlDelay?: number;
	sitemaps: boolean;
	onChange?: string[];
	secretFile?: string;
	history?: number;
	outcomes?: boolean;
	metrics?: string;
	allowHost?: string[];
	ui?: boolean;
	uiPort?: number;
	json?: boolean;
}
