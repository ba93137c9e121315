import { type PoliteFetch, self } from '@wayleave/crawler/check';
import type { Config } from '@wayleave/gateway';
import type { Manifest } from '@wayleave/protocols/pagedigest';
import { type HostPolicies, preparePolicies } from '@wayleave/protocols/policy';
import { somRequestUrl } from '@wayleave/protocols/som';
import { spellingsOf } from '@wayleave/protocols/url';
import { difference, type LiveDifference } from '../../shared/live-problems.ts';
import { loadPage } from './observe.ts';

export interface AuditTask {
	readonly config: Config;
	/** The expected policy, which says which pages are restricted. */
	readonly expected: HostPolicies;
	/** The live policy, which says which pages we may fetch. */
	readonly live: HostPolicies;
	readonly manifest: Manifest | undefined;
	/** URLs or paths that are to be looked at besides. */
	readonly pages: readonly string[];
}

export interface AuditReport {
	/** Restricted pages that were asked for. */
	readonly asked: number;
	/** Other spellings of them that were asked for. */
	readonly spellings: number;
	/** Why no spellings were tried. */
	readonly note?: string;
	readonly leaks: readonly LiveDifference[];
}

/** Restricted pages that are asked for in other spellings too: each is a dozen requests at the pace of the site. */
const maxSpelled = 5;
/** Kinds of spellings of which a server may make the page itself. */
const triedKinds: ReadonlySet<string> = new Set([
	'encoded letter',
	'double slash',
	'encoded slash',
	'dot segment',
	'backslash',
	'encoded backslash',
	'path parameter',
	'control character',
	'trailing dot',
	'letter case',
	'encoded twice',
	'overlong or foreign slash',
	'delimiter',
]);
/** No site has a page of this name. */
const nowhere = '/wayleave-audit-no-such-page';

/** A few pages of the manifest, too, are asked for as anybody would. */
const maxListed = 20;

/**
 * Asks the SOM endpoint for every restricted page that we know of (SOM directives §7.3): what the policy file disallows,
 * and what needs a login. What is given out all the same leaks. Pages that the endpoint refuses are asked for in other
 * spellings too (`//private`, `/%2Fprivate`), which the site may read as the page.
 */
export async function auditSom(
	{ config, expected, live, manifest, pages }: AuditTask,
	fetch: PoliteFetch,
): Promise<AuditReport> {
	const { origin, som } = config;
	if (som === undefined) return { asked: 0, spellings: 0, leaks: [] };
	const endpoint = new URL(som.endpoint, origin).href;
	const wanted = preparePolicies(expected, { token: 'SomeAgent' });
	const seen = preparePolicies(live, self);
	const leaks: LiveDifference[] = [];
	const refused: { url: string; why: string }[] = [];
	let asked = 0;
	for (const url of candidates(config, manifest, pages)) {
		// Where the mode "block HTML, offer SOM" is on, a Disallow alone restricts nothing here.
		const representation = som.offerDisallowed ? ({ representation: 'som' } as const) : {};
		const denied = wanted.decide('crawl', url, representation);
		const allowed = denied.permitted && seen.decide('crawl', url).permitted;
		const status = allowed ? (await loadPage(url, fetch)).status : 0;
		const needsLogin = status === 401 || status === 403;
		if (denied.permitted && !needsLogin) continue;
		asked++;
		const why = needsLogin ? `the page returns ${status}` : (denied.because[0]?.text ?? 'the policy file disallows it');
		if (await gives(somRequestUrl(endpoint, url) ?? url, fetch)) {
			leaks.push(difference(endpoint, 'live-som-leak', { page: url, why }));
		} else refused.push({ url, why });
	}
	const tried = await auditSpellings(endpoint, origin, refused.slice(0, maxSpelled), fetch);
	return { asked, ...tried, leaks: [...leaks, ...tried.leaks] };
}

async function auditSpellings(
	endpoint: string,
	origin: string,
	refused: readonly { readonly url: string; readonly why: string }[],
	fetch: PoliteFetch,
): Promise<Omit<AuditReport, 'asked'>> {
	if (refused.length === 0) return { spellings: 0, leaks: [] };
	// A site that answers every address with a page would seem to know every spelling.
	if (await gives(spelledRequest(endpoint, origin + nowhere), fetch)) {
		return {
			spellings: 0,
			leaks: [],
			note: 'no other spellings were tried: the endpoint serves pages that do not exist',
		};
	}
	const leaks: LiveDifference[] = [];
	let spellings = 0;
	for (const { url, why } of refused) {
		for (const target of triedSpellings(new URL(url).pathname)) {
			spellings++;
			if (!(await gives(spelledRequest(endpoint, origin + target), fetch))) continue;
			leaks.push(difference(endpoint, 'live-som-leak', { page: origin + target, why: `a spelling of ${url}: ${why}` }));
		}
	}
	return { spellings, leaks };
}

/** One spelling of each kind. */
function triedSpellings(path: string): string[] {
	const firsts = new Map<string, string>();
	for (const { kind, target } of spellingsOf(path)) {
		if (triedKinds.has(kind) && !firsts.has(kind)) firsts.set(kind, target);
	}
	return [...firsts.values()];
}

/** The address goes as it is: `somRequestUrl` would let a parser repair it first. */
function spelledRequest(endpoint: string, page: string): string {
	return `${endpoint}${endpoint.includes('?') ? '&' : '?'}url=${encodeURIComponent(page)}`;
}

async function gives(request: string, fetch: PoliteFetch): Promise<boolean> {
	const { status, text } = await loadPage(request, fetch);
	return status >= 200 && status < 300 && text.trim() !== '';
}

/** Paths of rules that name a page or a folder, pages that were named, and some of the manifest. */
function candidates(
	{ origin, paths, honeypots }: Config,
	manifest: Manifest | undefined,
	pages: readonly string[],
): string[] {
	const rules = (paths.disallow ?? [])
		.filter((pattern) => !pattern.includes('*'))
		.map((pattern) => pattern.replace(/\$$/, ''));
	const listed = [...(manifest?.entries.keys() ?? [])].slice(0, maxListed);
	const all = [...pages, ...rules, ...honeypots, ...listed].map((page) => new URL(page, origin).href);
	return [...new Set(all)].filter((url) => new URL(url).origin === origin);
}
