import type { ReadPage } from '../../packages/crawler/src/read/read-page.ts';
import { ReceivedHeaders } from '../../packages/io/src/http/headers.ts';
import type { Fetcher, FetchResult, GetOptions } from '../../packages/io/src/http/types.ts';
import type { Distributions } from './distributions.ts';
import { chance, normal } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Pages that a page leads to first, hosts that the front page of a host leads to first: every page can be reached. */
const branching = 8;
const hostBranching = 32;
const day = 86_400_000;
const salts = { latency: 1, status: 3, link: 10, hostDown: 5, robots: 6, delay: 7, change: 40, kind: 8 } as const;

/** Counts of what the simulated servers have seen. */
export interface Seen {
	requests: number;
	policyFiles: number;
	/** Requests that began before the delay that the host had to get was over. */
	early: number;
	/** Requests to a host that was answering another one. */
	overlapping: number;
	notModified: number;
	/** Requests that found a new version of a page that was fetched before. */
	changed: number;
	failures: number;
}

interface WebOptions {
	readonly seed: number;
	readonly shape: Distributions;
	readonly clock: VirtualClock;
	readonly delay: number;
	/** Whether pages change. */
	readonly changes: boolean;
	/** Of all hosts. Default `sim.test`; with `test`, each host has a registrable domain of its own. */
	readonly domain?: string;
}

interface Known {
	/** Of the version that the crawl has. */
	readonly etag?: string | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** A response, before it is made into that of a fetcher. */
export interface SimulatedResponse {
	readonly status: number;
	readonly type: string;
	readonly body: string;
	readonly etag?: string;
}

/** A web of hosts, pages and links that follows distributions; everything depends on the seed alone. */
export class SimulatedWeb {
	readonly hosts: number;
	readonly pages: number;
	/** Of the first page of each host; one more at the end. */
	readonly first: Int32Array;
	/** By page. */
	readonly #hostOf: Int32Array;
	readonly seen: Seen = {
		...{ requests: 0, policyFiles: 0, early: 0, overlapping: 0, notModified: 0, changed: 0, failures: 0 },
	};
	/** Answers with a document, by page. */
	readonly answered: Uint8Array;
	/** Requests by host. */
	readonly asked: Uint32Array;
	/** When a crawler last read the policy files of a host. */
	readonly policyReadAt: Float64Array;
	readonly #domain: string;
	readonly #seed: number;
	readonly #shape: Distributions;
	readonly #clock: VirtualClock;
	readonly #delay: number;
	/** When the last response of a host had ended, and whether one is under way. */
	readonly #ended: Float64Array;
	readonly #busy: Uint8Array;
	readonly #failed: Uint8Array;
	/** Versions that were sent; 0 before the first. Empty where pages are fetched once. */
	readonly #versions: Uint16Array;

	/** @param delay milliseconds that each host has to get between two requests */
	constructor(pages: number, { seed, shape, clock, delay, changes, domain = 'sim.test' }: WebOptions) {
		this.#domain = domain;
		this.#seed = seed;
		this.#shape = shape;
		this.#clock = clock;
		this.#delay = delay;
		const first = [0];
		for (let host = 0, left = pages; left > 0; host++) {
			// The first host is the seed and leads to the others.
			const size = Math.min(left, this.#sizeOf(host));
			left -= size;
			first.push(pages - left);
		}
		this.first = Int32Array.from(first);
		this.hosts = first.length - 1;
		this.pages = pages;
		this.#hostOf = new Int32Array(pages);
		for (let host = 0; host < this.hosts; host++) this.#hostOf.fill(host, first[host], first[host + 1]);
		this.answered = new Uint8Array(pages);
		this.#failed = new Uint8Array(pages);
		this.#versions = new Uint16Array(changes ? pages : 0);
		this.asked = new Uint32Array(this.hosts);
		this.policyReadAt = new Float64Array(this.hosts);
		this.#ended = new Float64Array(this.hosts).fill(Number.NEGATIVE_INFINITY);
		this.#busy = new Uint8Array(this.hosts);
	}

	get seedUrl(): string {
		return this.urlOf(0);
	}

	/** Pages that can be fetched: hosts that are down have none. */
	isReachable(page: number): boolean {
		return !this.#isDown(this.hostOf(page));
	}

	urlOf(page: number): string {
		const host = this.hostOf(page);
		const at = page - (this.first[host] ?? 0);
		return at === 0 ? `http://${this.nameOf(host)}/` : `http://${this.nameOf(host)}/${at}`;
	}

	nameOf(host: number): string {
		return `h${host}.${this.#domain}`;
	}

	/** The page of a URL; undefined for policy files. */
	pageOf(url: string): number | undefined {
		const host = hostNumber(url);
		const path = url.slice(url.indexOf('/', 8) + 1);
		if (path === '') return this.first[host];
		const at = Number(path);
		return Number.isInteger(at) && at > 0 ? (this.first[host] ?? 0) + at : undefined;
	}

	hostOf(page: number): number {
		return this.#hostOf[page] ?? 0;
	}

	linksOf(page: number): string[] {
		return this.linkedPages(page).map((link) => this.urlOf(link));
	}

	/** New pages and known ones, in the order of the page. */
	linkedPages(page: number): number[] {
		const host = this.hostOf(page);
		const [start = 0, end = 0] = [this.first[host], this.first[host + 1]];
		const at = page - start;
		const links: number[] = [];
		for (let child = at * branching + 1; child <= (at + 1) * branching && start + child < end; child++)
			links.push(start + child);
		if (at === 0)
			for (let child = host * hostBranching + 1; child <= (host + 1) * hostBranching && child < this.hosts; child++)
				links.push(this.first[child] ?? 0);
		for (let link = 0; link < this.#shape.knownLinks; link++) {
			const where = chance(this.#seed, page, salts.link + link);
			// One of five leads anywhere, as in bench/known.ts.
			links.push(link % 5 === 4 ? Math.floor(where * this.pages) : start + Math.floor(where * (end - start)));
		}
		return links;
	}

	/** Milliseconds that the host wants between two requests, as its robots.txt says. */
	crawlDelay(host: number): number {
		const { share, seconds } = this.#shape.crawlDelay;
		const hasRobots = chance(this.#seed, host, salts.robots) < this.#shape.hasRobots;
		return hasRobots && chance(this.#seed, host, salts.delay) < share ? seconds * 1000 : 0;
	}

	/** The reader of a worker: pages are read one after the other, each for the time that reading takes. */
	reader(): ReadPage {
		let free = Promise.resolve();
		return async ({ fetched }) => {
			free = free.then(() => this.#clock.sleep(this.#shape.pageWork));
			await free;
			const page = this.pageOf(fetched.url) ?? 0;
			return {
				document: {
					schema: { name: 'AIDocument', version: '2.0' },
					source: { url: fetched.url, freshness_policy: fetched.freshnessPolicy },
					cache: fetched.cache,
					identity: { title: `Page ${page}` },
					content: { markdown: `Page ${page}` },
					structure: {},
					signals: { has_json_ld: false, heading_hierarchy_ok: true },
				} as never,
				page: { robots: [] } as never,
				links: this.linksOf(page),
			};
		};
	}

	fetcher(): Fetcher {
		return { get: (url, options) => this.#get(url, options), close: async () => {} };
	}

	async #get(url: string, { headers = {}, signal }: GetOptions = {}): Promise<FetchResult> {
		const etag = Object.entries(headers).find(([name]) => name.toLowerCase() === 'if-none-match')?.[1];
		const response = await this.request(hostNumber(url), this.pageOf(url) ?? url, { etag, signal });
		if (response === undefined) return { ok: false, url, reason: 'timeout', detail: 'no answer' } as FetchResult;
		const { status, type, body } = response;
		const bytes = Buffer.from(body);
		const received: [string, string][] = [['Content-Type', type]];
		if (response.etag !== undefined) received.push(['ETag', response.etag]);
		if (status === 503) received.push(['Retry-After', '60']);
		const rest = { truncated: false, wireBytes: bytes.length, httpVersion: '1.1', address: '192.0.2.1' } as const;
		return { ok: true, url, status, headers: new ReceivedHeaders(received), body: bytes, ...rest };
	}

	/**
	 * Asks for a page, or for a policy file by its URL.
	 *
	 * @returns undefined when the host does not answer in time
	 */
	async request(
		host: number,
		what: number | string,
		{ etag, signal }: Known = {},
	): Promise<SimulatedResponse | undefined> {
		this.#begin(host);
		const page = typeof what === 'number' ? what : undefined;
		const key = page ?? this.pages + host;
		const latency =
			this.#shape.latency.median * Math.exp(this.#shape.latency.sigma * normal(this.#seed, key, salts.latency));
		const kind = this.#kindOf(host, key, page === undefined);
		await this.#clock.sleep(kind === 'timeout' ? 30_000 : Math.round(latency), signal);
		this.#busy[host] = 0;
		this.#ended[host] = this.#clock.now();
		if (kind === 'timeout') return undefined;
		return typeof what === 'string' ? this.#policyFile(what, host) : this.#answer(what, kind, etag);
	}

	#begin(host: number): void {
		const { seen } = this;
		seen.requests++;
		this.asked[host] = (this.asked[host] ?? 0) + 1;
		const now = this.#clock.now();
		if (this.#busy[host] === 1) seen.overlapping++;
		// A longer delay is unknown until robots.txt is read.
		const known = (this.asked[host] ?? 0) > 2 ? this.crawlDelay(host) : 0;
		if (now - (this.#ended[host] ?? 0) < Math.max(this.#delay, known)) seen.early++;
		this.#busy[host] = 1;
	}

	/** A failure passes: the second request for the same page succeeds. */
	#kindOf(host: number, key: number, isPolicy: boolean): 'ok' | 'not-found' | 'error' | 'timeout' {
		if (this.#isDown(host)) return 'timeout';
		if (isPolicy) return 'ok';
		const { notFound, serverError, timeout } = this.#shape;
		const drawn = chance(this.#seed, key, salts.status);
		if (this.#isLeaf(key, host) && drawn < notFound) return 'not-found';
		const failed = this.#failed[key] === 0 && drawn > 1 - serverError - timeout;
		if (!failed || key === 0) return 'ok';
		this.#failed[key] = 1;
		this.seen.failures++;
		return drawn > 1 - timeout ? 'timeout' : 'error';
	}

	#policyFile(url: string, host: number): SimulatedResponse {
		this.seen.policyFiles++;
		const isRobots = url.endsWith('/robots.txt') && chance(this.#seed, host, salts.robots) < this.#shape.hasRobots;
		if (!isRobots) return missing;
		const wait = this.crawlDelay(host) / 1000;
		const body = `User-agent: *\n${wait > 0 ? `Crawl-delay: ${wait}\n` : ''}Disallow: /no\n`;
		return { status: 200, type: 'text/plain', body };
	}

	#answer(page: number, kind: string, known: string | undefined): SimulatedResponse {
		if (kind === 'not-found') return missing;
		if (kind === 'error') return { status: 503, type: 'text/html', body: '' };
		const version = this.#versions.length === 0 ? 1 : this.#versionOf(page);
		const etag = `"${version}"`;
		const before = this.#versions[page] ?? 0;
		if (before > 0 && before !== version) this.seen.changed++;
		this.#versions[page] = version;
		if (known === etag) {
			this.seen.notModified++;
			return { status: 304, type: 'text/html', body: '', etag };
		}
		this.answered[page] = Math.min(255, (this.answered[page] ?? 0) + 1);
		return { status: 200, type: 'text/html', body: `<title>Page ${page} version ${version}</title>`, etag };
	}

	/** Changes so far: as many whole days as had one, each day with the chance of a Poisson process. */
	#versionOf(page: number): number {
		let kind = chance(this.#seed, page, salts.kind);
		let days = Number.POSITIVE_INFINITY;
		for (const [share, mean] of this.#shape.changes) {
			if (kind >= 0 && kind < share) days = mean;
			kind -= share;
		}
		let version = 1;
		const today = Math.floor((this.#clock.now() - Date.UTC(2026, 0, 1)) / day);
		for (let date = 1; date <= today; date++)
			if (chance(this.#seed, page, salts.change + date) < 1 - Math.exp(-1 / days)) version++;
		return version;
	}

	#sizeOf(host: number): number {
		const { exponent, most } = this.#shape.hostSize;
		const u = chance(this.#seed, host, 0);
		const power = 1 - exponent;
		return Math.max(1, Math.floor((1 - u * (1 - most ** power)) ** (1 / power)));
	}

	/** No page is reached only through it. */
	#isLeaf(page: number, host: number): boolean {
		const [start = 0, end = 0] = [this.first[host], this.first[host + 1]];
		return page > start && start + (page - start) * branching + 1 >= end;
	}

	/** Hosts that lead to others are up, so that all others can be reached. */
	#isDown(host: number): boolean {
		const leads = host * hostBranching + 1 < this.hosts;
		return !leads && host > 0 && chance(this.#seed, host, salts.hostDown) < this.#shape.down;
	}
}

const missing: SimulatedResponse = { status: 404, type: 'text/html', body: '' };

/** `http://h12.sim.test/…` */
export const hostNumber = (url: string): number => Number(url.slice(8, url.indexOf('.', 8)));
