import {
	ChainCookies,
	type FetchFailed,
	type FetchFailure,
	type FetchResult,
	type FetchSuccess,
	redirectTarget,
} from '@wayleave/io/http';
import { present } from '@wayleave/protocols';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Clock } from '../base/clock.ts';
import { rfc3339 } from '../base/time.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { HostSlot, NotScheduled } from '../politeness/host-slot.ts';
import type { Hosts } from '../politeness/hosts.ts';
import type { SendRequest } from '../politeness/requester.ts';
import { mayPass } from '../response/classify.ts';
import { policyLifetime } from '../response/policy-lifetime.ts';
import type { Outage, PolicyCache, PolicyFile } from '../store/roles/policies.ts';

/** A policy file of a site, as far as it could be had. The reader decides whether a response means a file. */
export interface LoadedFile {
	/** URL at which it was found. */
	readonly source: string;
	/** Status of the response; 0 when there was none. */
	readonly status: number;
	readonly body: Uint8Array;
	readonly contentType?: string;
	/** Why it could not be had, for people: `timeout`, `500`. */
	readonly detail?: string;
	/** The failure, where there was no response. */
	readonly failure?: FetchFailure;
	/** Milliseconds since 1970. */
	readonly expiresAt: number;
}

/** RFC 9309 §2.5 demands 500 KiB; what lies behind is not read. */
const maxPolicyBytes = 512 * 1024;
/** RFC 9309 §2.3.1.2: at least five. */
const maxRedirects = 5;
/** RFC 9309 §2.3.1.4: a file that could not be fetched for so long may be treated as one that does not exist. */
const maxOutage = 30 * 24 * 60 * 60 * 1000;
/** A file that could not be fetched is not asked for again within this time. */
const retryFailure = 5 * 60 * 1000;
/** Milliseconds before the first retry for a file; each later retry waits four times as long. */
const firstBackoff = 1000;
/** Files kept ready, and their bytes: a host with names without end can have the longest of files for each. */
const rememberedFiles = 2000;
export const rememberedBytes = 16 << 20;

interface Tools {
	readonly send: SendRequest;
	readonly hosts: Hosts;
	readonly cache: PolicyCache;
	readonly clock: Clock;
	/** Clock for the host times. */
	readonly pace: Clock;
	/** Retries for a file after a failure that may be temporary. */
	readonly retries: number;
	readonly emit: (event: CrawlEvent) => void;
}

/**
 * Fetches the files in which sites state their terms, and keeps them as long as they are good (RFC 9309 §2.3 and §2.4):
 * a day at most, less when the server says so, and the last copy for as long as a new one cannot be had.
 */
export class PolicyFiles {
	readonly #tools: Tools;
	readonly #loaded = new BoundedMap<Loading>(rememberedFiles, rememberedBytes);

	constructor(tools: Tools) {
		this.#tools = tools;
	}

	/** @param slot of the host of `url` */
	load(url: string, slot: HostSlot): Promise<LoadedFile | NotScheduled> {
		const known = this.#loaded.get(url);
		if (known !== undefined && isUsable(known, this.#tools.clock.now())) return known.promise;
		// Concurrent callers share the request.
		const loading: Loading = { promise: this.#load(url, slot) };
		void loading.promise.then(
			(file) => {
				loading.file = file;
				if (this.#loaded.get(url) === loading && typeof file === 'object')
					this.#loaded.set(url, loading, file.body.length);
			},
			() => this.#loaded.delete(url),
		);
		this.#loaded.set(url, loading);
		return loading.promise;
	}

	async #load(url: string, slot: HostSlot): Promise<LoadedFile | NotScheduled> {
		const { cache, clock } = this.#tools;
		const kept = await cache.policyFile(url);
		const now = clock.now();
		if (kept !== undefined && isFresh(kept, now)) return toLoaded(kept);
		// Another worker has found so a moment ago.
		if (kept !== undefined && isOut(kept, now)) return inPlaceOf(kept, now);
		const result = await this.#follow(url, slot, kept);
		if (typeof result === 'string') return result;
		if ('copy' in result) return this.#adopt(url, result.copy);
		if (result.response === undefined) return this.#useOldCopy(url, kept, result);
		const { response, source } = result;
		if (isPassing(response)) {
			const detail = String(response.status);
			return this.#useOldCopy(url, kept, response.status === 202 ? { detail } : { detail, status: response.status });
		}
		return this.#keep(url, kept, response, source);
	}

	async #keep(url: string, kept: PolicyFile | undefined, response: FetchSuccess, source: string): Promise<LoadedFile> {
		const { cache, clock, emit } = this.#tools;
		const now = clock.now();
		const expiresAt = now + policyLifetime(response.headers, now);
		const { unreachableSince: _, outage: __, ...before } = kept ?? { url, status: 0 };
		const unchanged = response.status === 304 && kept !== undefined;
		const file: PolicyFile = unchanged
			? { ...before, url, status: kept.status, fetchedAt: now, expiresAt }
			: {
					...validatorsOf(response),
					url,
					finalUrl: source,
					fetchedAt: now,
					expiresAt,
					status: response.status,
					body: wholeLines(response),
				};
		await cache.savePolicyFile(file);
		const found = response.status >= 200 && response.status < 300;
		emit({ type: 'robots', url, state: unchanged ? 'unchanged' : found ? 'read' : 'none', status: response.status });
		return toLoaded(file);
	}

	/** A redirect has led to a file that others have fetched for themselves, and that is still good. */
	async #adopt(url: string, copy: PolicyFile): Promise<LoadedFile> {
		const file = { ...copy, url, finalUrl: copy.finalUrl ?? copy.url };
		await this.#tools.cache.savePolicyFile(file);
		const found = file.status >= 200 && file.status < 300;
		this.#tools.emit({ type: 'robots', url, state: found ? 'read' : 'none', status: file.status });
		return toLoaded(file);
	}

	/** Uses the old copy while a file cannot be fetched. */
	async #useOldCopy(
		url: string,
		kept: PolicyFile | undefined,
		{ detail, failure, status }: Trouble,
	): Promise<LoadedFile> {
		const { cache, clock, emit } = this.#tools;
		const now = clock.now();
		const why = { detail, ...(failure && { failure }), ...(status !== undefined && { status }) };
		const outage = { ...why, until: now + retryFailure };
		const before = kept ?? { url, status: status ?? 0, fetchedAt: now, expiresAt: now };
		const file = { ...before, unreachableSince: kept?.unreachableSince ?? now, outage };
		await cache.savePolicyFile(file);
		const state = hasCopy(file) ? 'stale' : 'unreachable';
		emit({ type: 'robots', url, state, detail, ...(status !== undefined && { status }) });
		return inPlaceOf(file, now);
	}

	/** Follows redirects, to other hosts too: each at its own pace (RFC 9309 §2.3.1.2). */
	async #follow(
		url: string,
		first: HostSlot,
		kept: PolicyFile | undefined,
	): Promise<
		| { response: FetchSuccess; source: string }
		| { copy: PolicyFile }
		| (Trouble & { response?: undefined })
		| NotScheduled
	> {
		let source = url;
		const cookies = new ChainCookies();
		for (let hops = 0; ; hops++) {
			const response = await this.#ask(
				source,
				first,
				kept !== undefined && (kept.finalUrl ?? url) === source ? kept : undefined,
				cookies,
			);
			if (typeof response === 'string' || 'copy' in response) return response;
			if ('until' in response) return response;
			// We have gone away, not the site.
			if (!response.ok && response.reason === 'aborted') return 'stopped';
			if (!response.ok) return { detail: describeFailure(response), failure: response.reason };
			cookies.take(source, response.headers);
			const target = redirectTarget(response);
			if (target === undefined) return { response, source };
			if (!target.ok) return { detail: target.reason };
			// RFC 9309 §2.3.1.2 lets the file count as unavailable then; 404 says so.
			if (hops >= maxRedirects) return { response: { ...response, status: 404 }, source };
			source = target.url.replace(/#.*/s, '');
		}
	}

	/** Retries temporary failures. The host waits meanwhile, so that no page is requested before its rules are known. */
	async #insist(
		slot: HostSlot,
		url: string,
		kept: PolicyFile | undefined,
		cookie: string | undefined,
	): Promise<FetchResult | NotScheduled> {
		const { send, pace, clock, retries, emit } = this.#tools;
		let last: FetchResult | undefined;
		for (let tries = 0; ; tries++) {
			const backoff = firstBackoff * 4 ** tries;
			const response = await send(slot, url, {
				headers: conditions(kept),
				maxBytes: maxPolicyBytes,
				onLimit: 'truncate',
				record: 'policy',
				ownPause: backoff,
				cookie,
			});
			if (response === 'too-long') return last ?? response;
			if (typeof response === 'string' || tries >= retries || !isPassing(response)) return response;
			last = response;
			slot.pause(pace.now() + backoff, 'backoff');
			const until = rfc3339(clock.now() + slot.readyAt - pace.now());
			const detail = `${new URL(url).pathname}: ${response.ok ? response.status : describeFailure(response)}`;
			emit({ type: 'wait', host: slot.host.name, why: 'backoff', until, detail });
		}
	}

	async #ask(
		url: string,
		first: HostSlot,
		kept: PolicyFile | undefined,
		cookies: ChainCookies,
	): Promise<FetchResult | { copy: PolicyFile } | Outage | NotScheduled> {
		const { hosts, cache, clock } = this.#tools;
		const { hostname } = new URL(url);
		const elsewhere = hostname !== first.host.name;
		// If it is a file of that host itself, the visitor of the host has requested it.
		const copy = elsewhere ? await cache.policyFile(url) : undefined;
		if (copy !== undefined && isFresh(copy, clock.now())) return { copy };
		if (copy !== undefined && isOut(copy, clock.now())) return copy.outage;
		const slot = elsewhere ? await hosts.holdSoon(hostname) : first;
		if (slot === undefined) return 'held';
		try {
			return await this.#insist(slot, url, kept, cookies.valueFor(url));
		} finally {
			if (slot !== first) await hosts.release(slot);
		}
	}
}

type Trouble = Omit<Outage, 'until'>;
type FileThatIsOut = PolicyFile & { readonly outage: Outage };

interface Loading {
	readonly promise: Promise<LoadedFile | NotScheduled>;
	/** Once it is there. */
	file?: LoadedFile | NotScheduled;
}

const isFresh = ({ unreachableSince, expiresAt }: PolicyFile, now: number): boolean =>
	unreachableSince === undefined && expiresAt > now;

/** Whether it is not to be asked for now. */
const isOut = (file: PolicyFile, now: number): file is FileThatIsOut =>
	file.outage !== undefined && file.outage.until > now;

const hasCopy = ({ body, status }: PolicyFile): boolean => body !== undefined && status >= 200 && status < 300;

/** The last copy, or that there is none. */
function inPlaceOf(file: FileThatIsOut, now: number): LoadedFile {
	const { url, unreachableSince = now } = file;
	const { detail, failure, status = 599, until } = file.outage;
	if (hasCopy(file)) return { ...toLoaded(file), expiresAt: until };
	// After a month the site is taken to have none, which a response of 404 would say.
	const lost = now - unreachableSince > maxOutage;
	const response = { source: url, status: lost ? 404 : status, body: new Uint8Array(), detail, expiresAt: until };
	return failure === undefined ? response : { ...response, failure };
}

function isUsable({ file }: Loading, now: number): boolean {
	return file === undefined || (typeof file !== 'string' && file.expiresAt > now);
}

function conditions(kept: PolicyFile | undefined): Record<string, string> {
	const accept = { Accept: 'text/plain,*/*;q=0.5' };
	if (kept?.body === undefined || kept.status !== 200) return accept;
	return {
		...accept,
		...present({ 'If-None-Match': kept.etag, 'If-Modified-Since': kept.lastModified }),
	};
}

function validatorsOf({ headers }: FetchSuccess) {
	const etag = headers.get('etag');
	const lastModified = headers.get('last-modified');
	const contentType = headers.get('content-type');
	return present({ etag, lastModified, contentType });
}

/** Whether a retry may succeed: after a network failure, a server error or a pause. */
function isPassing(response: FetchResult): boolean {
	// 202: the file comes later. Until then the rules are as unknown as after a failure.
	if (response.ok) return response.status >= 500 || response.status === 429 || response.status === 202;
	return mayPass({ outcome: 'failed', reason: response.reason });
}

/** A file cut at the limit may end inside a rule, which would then forbid more, or less, than it says. */
function wholeLines({ body, truncated }: FetchSuccess): Uint8Array {
	return truncated ? body.subarray(0, Math.max(body.lastIndexOf(0x0a), body.lastIndexOf(0x0d)) + 1) : body;
}

function toLoaded({
	url,
	finalUrl = url,
	status,
	body = new Uint8Array(),
	contentType,
	expiresAt,
}: PolicyFile): LoadedFile {
	return { source: finalUrl, status, body: inUtf8(body), expiresAt, ...(contentType !== undefined && { contentType }) };
}

/** Decodes UTF-16 that an editor saved as "Unicode", by its byte order mark. */
function inUtf8(body: Uint8Array): Uint8Array {
	const mark = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : body[0] === 0xfe && body[1] === 0xff && 'utf-16be';
	return mark ? new TextEncoder().encode(new TextDecoder(mark).decode(body)) : body;
}

/** Few in number, whatever there is to say of single hosts: the summary counts pages by it. */
function describeFailure({ reason, detail }: FetchFailed): string {
	if (reason.endsWith('-timeout')) return 'timeout';
	// The whole sentence names the proxy, and what it wants.
	if (reason === 'proxy-failed') return detail;
	return reason === 'connect-failed' || reason === 'tls-failed' ? `${reason} (${detail})` : reason;
}
