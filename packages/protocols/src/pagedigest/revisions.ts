import { formatByLine } from '../internal/json-lines.ts';
import { isObject } from '../internal/json-schema.ts';
import { nowhere } from '../internal/problem-maker.ts';
import type { Parsed } from '../problem.ts';
import type { PagedigestProblemCode } from './problems.ts';
import { pagedigestProblem } from './report.ts';
import type { Coverage, Digest } from './types.ts';

/** The record of a URL that a publisher keeps forever, also after it left the manifest (pagedigest §4.1.1). */
export interface PageRevision {
	/** The highest revision that was published. */
	readonly rev: number;
	/** Fingerprint of the content at that revision. */
	readonly fingerprint: string;
	/** The digest of the bytes that were last served, where it is known. */
	readonly digest?: Digest;
	/** Whether the last manifest listed the URL. */
	readonly listed: boolean;
}

/** The durable state of a publisher's revisions. */
export interface RevisionState {
	readonly siteRev: number;
	/** First revision of new URLs: above any that a lost state may have published for them. */
	readonly floor: number;
	readonly coverage?: Coverage;
	readonly pages: ReadonlyMap<string, PageRevision>;
}

/** Writes a state as JSON, one URL a line. */
export function formatRevisions({ siteRev, floor, coverage, pages }: RevisionState): string {
	const lines = [...pages].map(([key, page]) => `${JSON.stringify(key)}: ${JSON.stringify(page)}`);
	return formatByLine({ format: 1, siteRev, floor, coverage }, 'pages', '{}', lines.sort());
}

/** Reads a state that `formatRevisions` wrote; anything else is refused, since a guess could lower a revision. */
export function parseRevisions(text: string): Parsed<RevisionState | undefined, PagedigestProblemCode> {
	const value = readRevisions(text);
	return {
		value,
		problems: value === undefined ? [pagedigestProblem('pagedigest-revisions-unreadable', nowhere)] : [],
	};
}

function readRevisions(text: string): RevisionState | undefined {
	let file: unknown;
	try {
		file = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isObject(file) || file.format !== 1 || !isObject(file.pages)) return undefined;
	const { siteRev, floor, coverage, pages } = file;
	const entries = Object.entries(pages);
	if (!isRevision(siteRev) || !isRevision(floor) || !entries.every(([, page]) => isPage(page))) return undefined;
	if (coverage !== undefined && !isCoverage(coverage)) return undefined;
	return {
		siteRev,
		floor,
		...(coverage !== undefined && { coverage }),
		pages: new Map(entries as [string, PageRevision][]),
	};
}

function isRevision(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPage(value: unknown): boolean {
	if (!isObject(value)) return false;
	const { rev, fingerprint, digest, listed } = value;
	const known = isRevision(rev) && typeof fingerprint === 'string' && typeof listed === 'boolean';
	return known && (digest === undefined || (typeof digest === 'string' && digest.startsWith('sha256:')));
}

function isCoverage(value: unknown): value is Coverage {
	if (!isObject(value)) return false;
	if (value.mode === 'complete') return true;
	const { mode, prefixes } = value;
	return mode === 'prefixes' && Array.isArray(prefixes) && prefixes.every((prefix) => typeof prefix === 'string');
}
