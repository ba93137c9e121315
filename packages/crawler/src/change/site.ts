import { createHash } from 'node:crypto';
import { sha256 } from '@wayleave/io/hash';
import type { FetchResult } from '@wayleave/io/http';
import {
	type AuditVerdict,
	auditDigest,
	auditRate,
	auditsDue,
	buildPageDigestState,
	reduceTrust,
	type TrustEvent,
} from '@wayleave/protocols/pagedigest';
import { isKnownHash } from '../model/body-hash.ts';
import type { CrawlEvent } from '../model/events.ts';
import type { ListedUrl, SiteRecord } from '../store/roles/changes.ts';
import type { SiteFacts } from './decide.ts';

/** Single mismatches right after a publish that are remembered by URL: a site with more of them has another trouble. */
const maxSuspects = 200;
/** Hints from which on they are counted on, or no longer. */
const enoughHints = 10;
const leastRight = 0.2;

/** The manifest of one origin during a cycle: what it is worth, and what came of believing it. */
export class Site {
	#record: SiteRecord;
	readonly #emit: (event: CrawlEvent) => void;

	constructor(record: SiteRecord, emit: (event: CrawlEvent) => void) {
		this.#record = record;
		this.#emit = emit;
	}

	get record(): SiteRecord {
		return this.#record;
	}

	/** Whether there is a manifest that says something about this site in this cycle. */
	get usable(): boolean {
		return this.#record.state === 'read';
	}

	/** Whether a whole cycle has been settled before this one. */
	get settledBefore(): boolean {
		return this.#record.settledRev !== undefined;
	}

	get facts(): SiteFacts {
		const { trust, coverage, stayed } = this.#record;
		return { trust, stayed, complete: coverage?.mode === 'complete' };
	}

	/** Headers of a page request: the revision that this origin has shown (pagedigest §5.4). */
	stateHeaders(url: string): Record<string, string> {
		const { siteRev, origin, trust } = this.#record;
		const observed = this.usable && siteRev !== undefined && trust.level !== 'distrusted';
		if (!observed || new URL(url).origin !== origin) return {};
		return { 'PageDigest-State': buildPageDigestState({ siteRev }) };
	}

	/**
	 * Whether the draw selects a skip of this cycle for an audit: the same on every call, and unpredictable for the site
	 * (pagedigest §5.2).
	 */
	isDrawn({ key, digest }: ListedUrl, baseRate: number): boolean {
		const { trust, salt, cycle } = this.#record;
		if (digest === undefined || baseRate <= 0) return false;
		if (auditsDue(trust).includes(key)) return true;
		const lot = createHash('sha256').update(`${salt} ${cycle} ${key}`).digest().readUIntBE(0, 6) / 2 ** 48;
		return lot < auditRate(trust, baseRate);
	}

	/** Compares a response with what the manifest says of the page. `hash`: of the stored copy, which a 304 confirms. */
	compare(listed: ListedUrl, response: FetchResult, hash: Uint8Array | undefined): AuditVerdict {
		if (!response.ok) return { verdict: 'inconclusive', reason: 'status' };
		const confirmed = response.status === 304 && hash !== undefined;
		const coded = response.headers.get('content-encoding') ?? 'identity';
		const vary = response.headers.getAll('vary').join(',');
		const audited = {
			status: confirmed ? 200 : response.status,
			body: response.body,
			truncated: response.truncated,
			vary,
		};
		const entry = { rev: listed.listedRev, ...(listed.digest && { digest: listed.digest }) };
		const verdict = auditDigest(entry, audited, confirmed ? () => wholeHash(hash, listed.digest) : sha256);
		// The digest is of the bytes without coding; what a coding server sends decoded may be another text.
		const proves = verdict.verdict !== 'mismatch' || confirmed || coded.toLowerCase() === 'identity';
		return proves ? verdict : { verdict: 'inconclusive', reason: 'encoded' };
	}

	/** Takes the outcome of an audit into account. */
	recordAudit(key: string, { verdict }: AuditVerdict): void {
		const { trust, fresh } = this.#record;
		if (verdict === 'inconclusive') return;
		const suspects = Object.keys(trust.urls).length;
		if (verdict === 'mismatch' && fresh && suspects >= maxSuspects) return;
		this.apply(verdict === 'match' ? { kind: 'match', key } : { kind: 'mismatch', key, fresh });
	}

	apply(event: TrustEvent): void {
		const before = this.#record.trust.level;
		const trust = reduceTrust(this.#record.trust, event);
		this.#record = { ...this.#record, trust };
		if (trust.level === before) return;
		this.#emit({ type: 'trust', origin: this.#record.origin, level: trust.level, before });
	}

	/** Whether the dates that the site gives its pages elsewhere have announced changes. */
	get hintsHold(): boolean {
		const { right, wrong } = this.#record.hints;
		return right + wrong < enoughHints || right >= leastRight * (right + wrong);
	}

	recordHint(right: boolean): void {
		const { hints } = this.#record;
		this.#record = {
			...this.#record,
			hints: { right: hints.right + (right ? 1 : 0), wrong: hints.wrong + (right ? 0 : 1) },
		};
	}

	replace(record: SiteRecord): void {
		this.#record = record;
	}

	update(changes: Partial<SiteRecord>): void {
		this.#record = { ...this.#record, ...changes };
	}
}

/** The hash that the manifest describes where the known part agrees with it. */
function wholeHash(known: Uint8Array, digest: ListedUrl['digest']): Uint8Array {
	const described = Buffer.from(digest?.slice('sha256:'.length) ?? '', 'hex');
	return isKnownHash(known, described) ? described : known;
}
