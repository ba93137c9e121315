import type { ReadingPreset } from '@wayleave/protocols/url';
import type { Gateway } from '../engine/gateway.ts';
import { type KnownSite, stillHolds } from '../policy/known-site.ts';
import type { OwnFiles } from '../policy/published-files.ts';
import { serverOf } from '../policy/server-readings.ts';
import type { OriginFetch } from '../respond/origin-pages.ts';
import { describeSiteRobots, type ReadRobotsOptions, readSiteRobots, type SiteRobots } from './read-robots.ts';

export interface SiteWatchOptions extends ReadRobotsOptions {
	/** Gets a request answered by the site. */
	readonly fetch: OriginFetch;
	/** The origin of the site as its visitors know it. */
	readonly origin: string;
	/** The policy file says how paths are read: what the site says of its server does not count. */
	readonly readingsStated?: boolean;
	/** A note for the operator, in one line. */
	readonly onNote?: (text: string) => void;
	/** Gets the site's own files each time its robots.txt was read successfully. */
	readonly onRead?: (site: KnownSite) => void;
	/** Milliseconds between two looks. Default 300,000. */
	readonly refreshTime?: number;
	/** Milliseconds until the next look after a failure, at first; each failure in a row doubles it. Default 1000. */
	readonly retryTime?: number;
	/** The longest pause between two looks while the file cannot be read; milliseconds. Default 30,000. */
	readonly maxRetryTime?: number;
}

/** Present state of the site's own robots.txt. */
export interface SiteStatus {
	/** Of the last look. */
	readonly state: SiteRobots['state'];
	/** In one line: `2 groups, 1 rule`, `none (404)`, `not readable (500)`. */
	readonly detail: string;
	/** Nothing is known, neither from this look nor from one before: agents get 503. */
	readonly closed: boolean;
	/** When the file was read last; milliseconds since 1970. */
	readonly readAt: number | undefined;
}

/**
 * Watches what the site itself publishes under names that are ours. While its robots.txt cannot be read, what was read
 * last stays in force; where nothing was read yet, the site is closed to agents (RFC 9309 §2.3.1.4).
 */
export class SiteWatch {
	readonly #options: SiteWatchOptions;
	#own: OwnFiles | undefined;
	#last: SiteRobots = { state: 'unreadable', why: 'not fetched yet' };
	#readAt: number | undefined;
	#failures = 0;
	#timer: NodeJS.Timeout | undefined;
	#gateway: (() => Gateway) | undefined;
	#said = '';
	/** The rules in force are from an earlier run, since the file cannot be read. */
	#recalled = false;
	#server: ReadingPreset | undefined;

	constructor(options: SiteWatchOptions) {
		this.#options = options;
	}

	/** The present files, for `createGateway`. */
	get own(): OwnFiles {
		return this.#own ?? { unreadable: this.#last.state === 'unreadable' ? this.#last.why : 'unknown' };
	}

	get status(): SiteStatus {
		const closed = this.#own === undefined;
		return { state: this.#last.state, detail: describeSiteRobots(this.#last), closed, readAt: this.#readAt };
	}

	/** Takes over the file of an earlier run, unless it is too old (RFC 9309 §2.4, §2.3.1.4). Call it before `look`. */
	recall(site: KnownSite | undefined): void {
		if (site === undefined || !stillHolds(site, Date.now())) return;
		this.#own = site.own;
		this.#server = site.own.server;
		this.#readAt = site.readAt;
		this.#recalled = true;
	}

	/** Looks once. Never rejects. */
	async look(): Promise<void> {
		const { fetch, origin } = this.#options;
		const [found, { llms, server }] = await Promise.all([
			readSiteRobots(fetch, origin, this.#options),
			this.#askForLlms(),
		]);
		if (server !== undefined && server !== this.#server) this.#reportServer(server);
		// A maintenance page removes no rule: only a 404 does, or a robots.txt without the rule.
		const isDisplaced = found.state === 'absent' && found.replaced === true && this.#own?.robots !== undefined;
		const robots: SiteRobots = isDisplaced ? { state: 'unreadable', why: found.why } : found;
		this.#last = robots;
		if (robots.state === 'unreadable') {
			this.#failures++;
		} else {
			this.#failures = 0;
			this.#readAt = Date.now();
			this.#recalled = false;
			this.#own = { ...(robots.state === 'found' && { robots: robots.text }), llms, server: this.#server };
			this.#options.onRead?.({ own: this.#own, readAt: this.#readAt });
		}
		this.#report();
		if (this.#gateway !== undefined) this.#schedule();
	}

	/** Looks again and again, and tells the gateway of the moment what has changed. */
	start(gateway: () => Gateway): void {
		this.#gateway = gateway;
		this.#schedule();
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#gateway = undefined;
	}

	#schedule(): void {
		clearTimeout(this.#timer);
		const { refreshTime = 300_000, retryTime = 1000, maxRetryTime = 30_000 } = this.#options;
		const pause = Math.min(retryTime * 2 ** Math.min(this.#failures - 1, 20), maxRetryTime);
		this.#timer = setTimeout(() => void this.#lookAgain(), this.#failures > 0 ? pause : refreshTime).unref();
	}

	async #lookAgain(): Promise<void> {
		await this.look();
		const gateway = this.#gateway?.();
		if (gateway === undefined) return;
		if (this.#own !== undefined && this.#last.state !== 'unreadable') {
			const before = gateway.published();
			const after = gateway.adopt(this.#own);
			const changed = before.closed === undefined && before.policyVersion.version !== after.policyVersion.version;
			if (changed) {
				this.#options.onNote?.(
					`the site changed its robots.txt: policy version ${after.policyVersion.version} is active`,
				);
			}
		}
	}

	/** Each state is reported once, not at each look. */
	#report(): void {
		const { detail, state } = this.status;
		const text = `robots.txt of the site: ${detail}${state === 'unreadable' ? this.#standIn() : ''}`;
		if (text !== this.#said) this.#options.onNote?.(text);
		this.#said = text;
	}

	/** The rules that apply while the file cannot be read. */
	#standIn(): string {
		if (this.#own === undefined) return ': agents get 503 until it can be read';
		if (!this.#recalled) return ': the rules read last stay active';
		const time = new Date(this.#readAt ?? 0).toISOString().slice(0, 16);
		return `: what an earlier run read at ${time}Z stays active`;
	}

	#reportServer(server: ReadingPreset): void {
		this.#server = server;
		if (this.#options.readingsStated) return;
		this.#options.onNote?.(
			`the site identifies its server as ${server}: the gateway parses its paths as with readings: ${server}`,
		);
	}

	/** A file of the site stands; so does one that may be there. The fields tell which server the site has. */
	async #askForLlms(): Promise<{ llms: boolean; server?: ReadingPreset | undefined }> {
		const { fetch, origin, timeout = 5000 } = this.#options;
		try {
			const request = new Request(`${origin}/llms.txt`, { redirect: 'manual', signal: AbortSignal.timeout(timeout) });
			const { status, headers, body } = await fetch(request);
			await body?.cancel();
			const server = serverOf(`${headers.get('server') ?? ''} ${headers.get('x-powered-by') ?? ''}`);
			const isText = /^text\/(?:plain|markdown)\b/i.test(headers.get('content-type') ?? '');
			return { llms: status === 200 ? isText : status >= 500 || status === 429, server };
		} catch {
			return { llms: true };
		}
	}
}
