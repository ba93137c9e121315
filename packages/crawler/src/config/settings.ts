import { availableParallelism } from 'node:os';
import type { Favor } from '@wayleave/extract';
import { contactParts, isContact, localBotUrl } from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import { buildAgentIdentity, buildUserAgent } from '@wayleave/protocols/identity';
import { uses } from '@wayleave/protocols/policy';
import type { AskIdentity } from '@wayleave/protocols/robots2';
import { systemClock } from '../base/clock.ts';
import { CrawlError } from '../base/errors.ts';
import { version } from '../base/version.ts';
import type { ChunkBudget } from '../model/chunks.ts';
import type { FieldSchema } from '../model/fields.ts';
import type { Identity } from '../model/identity.ts';
import type { Preference } from '../model/representation.ts';
import type { PolicySettings } from '../policy/policy-checker.ts';
import { defaultPauseCap } from '../politeness/host-slot.ts';
import { type SignHeaders, signerFor } from '../politeness/sign.ts';
import { isThreadsSet, threadsOr, usualThreads } from '../read/thread-count.ts';
import type { RenderOptions } from '../render/types.ts';
import type { SomOptions } from '../represent/som-options.ts';
import type { Sink } from '../sinks/types.ts';
import { readWatch, type WatchSettings } from '../watch/watching.ts';
import type { CommonOptions, CrawlOptions } from './options.ts';

/** Default category of a crawler. */
export const defaultCategory = 'ai-assistant';

/** The product that all implementations share, by which sites address us. */
const sharedToken = 'AIWebIndex';

const acceptHtml = 'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.1';
const acceptMarkdown = 'text/markdown,text/html;q=0.8,application/xhtml+xml;q=0.7,text/plain;q=0.6,*/*;q=0.1';

/** The options that are one of a few words. Who writes JavaScript learns of another one before any site is asked. */
const words = {
	scope: ['host', 'domain', 'prefix'],
	ask: ['auto', 'never'],
	prefer: ['som', 'markdown', 'html'],
	favor: ['recall', 'precision'],
	render: ['auto', 'always', 'never'],
} as const satisfies { readonly [Name in keyof CrawlOptions]: readonly CrawlOptions[Name][] };

/** Options with everything decided. Times are milliseconds. */
export interface Settings extends PolicySettings {
	readonly userAgent: string;
	/** Whether the User-Agent has a real contact. */
	readonly introduced: boolean;
	readonly headers: Readonly<Record<string, string>>;
	/** Signs one request, where the operator has a key. */
	readonly sign: SignHeaders | undefined;
	/** Our identity when we ask for a permission. */
	readonly asker: AskIdentity;
	readonly ownSites: ReadonlySet<string>;
	readonly maxPause: number;
	readonly pauseCap: number;
	readonly economics: boolean;
	readonly favor: Favor | undefined;
	readonly fields: FieldSchema | undefined;
	readonly chunks: ChunkBudget | undefined;
	readonly concurrency: number;
	readonly threads: number;
	/** Whether fewer threads read pages where more bring no more pages: nothing has set their number. */
	readonly measuredThreads: boolean;
	readonly retries: number;
	readonly maxPages: number;
	readonly maxDepth: number;
	readonly sitemaps: boolean;
	readonly auditRate: number;
	readonly every: number | undefined;
	readonly budget: number | undefined;
	readonly watch: WatchSettings | undefined;
	readonly prefer: Preference | undefined;
	readonly som: SomOptions;
	readonly render: RenderOptions;
	/** Whether stored representations are used again while they are fresh. */
	readonly reuse: boolean;
}

/** @throws CrawlError `bad-option` */
export function readSettings(options: CommonOptions & CrawlOptions): Settings {
	refuseTwins(options.sinks ?? []);
	refuseOtherWords(options);
	const { name, ...identity } = readIdentity(options.identity ?? {});
	const { category, market } = identity;
	return {
		userAgent: identity.userAgent,
		introduced: identity.introduced,
		headers: {
			// Sent from the first request on: whether a site wants it is not known before.
			'X-Agent-Identity': identity.agentIdentity,
			Accept: options.prefer === 'markdown' ? acceptMarkdown : acceptHtml,
			'Accept-Language': '*',
		},
		sign: signerFor(options.identity ?? {}, options.clock ?? systemClock),
		agent: present({ token: sharedToken, name, categories: [category], operatorMarket: market }),
		asker: { name, version: identity.version, category },
		asks: options.ask !== 'never',
		uses: (options.uses ?? ['read', 'store']).filter((use) => use !== 'crawl'),
		everyReading: options.everyReading ?? false,
		delay: upToAYear('delay', atLeast(0, 'delay', options.delay ?? 2000)),
		ownSites: new Set((options.ownSites ?? []).map((host) => host.toLowerCase())),
		maxCrawlDelay: atLeast(0, 'maxCrawlDelay', options.maxCrawlDelay ?? 120_000),
		maxPause: atLeast(0, 'maxPause', options.maxPause ?? 300_000),
		pauseCap: atLeast(0, 'pauseCap', options.pauseCap ?? defaultPauseCap),
		economics: options.economics ?? false,
		favor: options.favor,
		fields: options.fields && { digest: options.fields.schema, json: options.fields.json },
		chunks: requireChunkBudget(options.chunks),
		concurrency: wholeFrom(1, 'concurrency', options.concurrency ?? 8),
		threads: wholeFrom(0, 'threads', options.threads ?? defaultThreads()),
		measuredThreads: options.threads === undefined && !isThreadsSet(),
		retries: wholeFrom(0, 'retries', options.retries ?? 2),
		maxPages: wholeFrom(1, 'maxPages', options.maxPages ?? Number.POSITIVE_INFINITY),
		maxDepth: wholeFrom(0, 'maxDepth', options.maxDepth ?? Number.POSITIVE_INFINITY),
		sitemaps: options.sitemaps ?? true,
		auditRate: between0And1('auditRate', options.auditRate ?? 0.01),
		every: options.every === undefined ? undefined : upToAYear('every', atLeast(1000, 'every', options.every)),
		budget: options.budget === undefined ? undefined : wholeFrom(1, 'budget', options.budget),
		watch: watchOf(options),
		prefer: options.prefer,
		som: options.som ?? {},
		render: { mode: options.render ?? 'never', chromium: options.chromium, limits: options.renderLimits },
		brief: false,
		reuse: true,
	};
}

function watchOf({ watch, store = 'memory', every }: CrawlOptions): WatchSettings | undefined {
	if (watch !== undefined && store === 'memory' && every === undefined)
		throw new CrawlError('bad-option', 'to watch pages, a crawl needs a store that lasts (sqlite:FILE), or every');
	return watch && readWatch(watch);
}

/** @throws CrawlError `bad-option` */
export function requireChunkBudget(budget: ChunkBudget | undefined): ChunkBudget | undefined {
	if (budget === undefined) return undefined;
	const { tokens } = budget;
	if (!Number.isInteger(tokens) || tokens < 1)
		throw new CrawlError('bad-option', `chunks.tokens must be a whole number from 1, not ${tokens}`);
	return budget;
}

function refuseOtherWords(options: CrawlOptions): void {
	for (const [name, known] of Object.entries(words)) refuseOther(name, known, options[name as keyof typeof words]);
	for (const use of options.uses ?? []) refuseOther('a use', uses, use);
}

function refuseOther(name: string, known: readonly string[], word: string | undefined): void {
	if (word !== undefined && !known.includes(word))
		throw new CrawlError('bad-option', `${name} is ${known.slice(0, -1).join(', ')} or ${known.at(-1)}, not ${word}`);
}

function readIdentity({ botName = 'Wayleave', botUrl = localBotUrl, ...more }: Identity) {
	const category = more.category ?? defaultCategory;
	const ownVersion = more.version ?? version;
	try {
		return {
			name: botName,
			version: ownVersion,
			category,
			market: more.operatorMarket,
			introduced: isContact(botUrl),
			userAgent: buildUserAgent({ ...contactParts(botUrl), botName }),
			agentIdentity: buildAgentIdentity({ name: botName, version: ownVersion, category }),
		};
	} catch (error) {
		throw new CrawlError('bad-option', `the identity cannot be sent in a header: ${(error as Error).message}`, {
			cause: error,
		});
	}
}

/** Two that write to one place would each write over the other; and of one name, only one position is kept. */
function refuseTwins(sinks: readonly Sink[]): void {
	const names = new Set<string>();
	for (const { name, persistent } of sinks) {
		if (persistent && names.has(name))
			throw new CrawlError('bad-option', `two sinks write to ${name}: give each its own file`);
		names.add(name);
	}
}

function atLeast(least: number, name: string, value: number): number {
	if (!(value >= least)) throw new CrawlError('bad-option', `${name} must be at least ${least}, not ${value}`);
	return value;
}

function wholeFrom(least: number, name: string, value: number): number {
	if (!Number.isInteger(value) && value !== Number.POSITIVE_INFINITY)
		throw new CrawlError('bad-option', `${name} must be a whole number, not ${value}`);
	return atLeast(least, name, value);
}

/** Longer, and the moment that it leads to may be none that a calendar has. */
function upToAYear(name: string, value: number): number {
	const year = 366 * 86_400_000;
	if (value > year) throw new CrawlError('bad-option', `${name} must be at most ${year} ms (a year), not ${value}`);
	return value;
}

function between0And1(name: string, value: number): number {
	if (!(value >= 0 && value <= 1)) throw new CrawlError('bad-option', `${name} must be from 0 to 1, not ${value}`);
	return value;
}

const defaultThreads = (): number => threadsOr(usualThreads(availableParallelism()));
