import type { Config } from '@wayleave/gateway';
import type { Manifest } from '@wayleave/protocols/pagedigest';
import { type HostPolicies, preparePolicies } from '@wayleave/protocols/policy';
import { somRequestUrl } from '@wayleave/protocols/som';
import { self } from '../check/agent.ts';
import type { PoliteFetch } from '../check/fetch-file.ts';
import { loadPage } from './observe.ts';
import { difference, type LiveDifference } from './problems.ts';

export interface AuditTask {
	readonly config: Config;
	/** What is meant: it says which pages are restricted. */
	readonly meant: HostPolicies;
	/** What is seen: it says what we may fetch. */
	readonly live: HostPolicies;
	readonly manifest: Manifest | undefined;
	/** URLs or paths that are to be looked at besides. */
	readonly pages: readonly string[];
}

export interface AuditReport {
	/** Restricted pages that were asked for. */
	readonly asked: number;
	readonly leaks: readonly LiveDifference[];
}

/** A few pages of the manifest, too, are asked for as anybody would. */
const maxListed = 20;

/**
 * Asks the SOM endpoint for every restricted page that we know of (SOM directives §7.3): what the policy file disallows,
 * and what needs a login. What is given out all the same leaks.
 */
export async function auditSom(
	{ config, meant, live, manifest, pages }: AuditTask,
	fetch: PoliteFetch,
): Promise<AuditReport> {
	const { origin, som } = config;
	if (som === undefined) return { asked: 0, leaks: [] };
	const endpoint = new URL(som.endpoint, origin).href;
	const wanted = preparePolicies(meant, { token: 'SomeAgent' });
	const seen = preparePolicies(live, self);
	const leaks: LiveDifference[] = [];
	let asked = 0;
	for (const url of candidates(config, manifest, pages)) {
		// Where the mode "block HTML, offer SOM" is on, a Disallow alone restricts nothing here (AMB-04).
		const representation = som.offerDisallowed ? ({ representation: 'som' } as const) : {};
		const denied = wanted.decide('crawl', url, representation);
		const allowed = denied.permitted && seen.decide('crawl', url).permitted;
		const status = allowed ? (await loadPage(url, fetch)).status : 0;
		const needsLogin = status === 401 || status === 403;
		if (denied.permitted && !needsLogin) continue;
		asked++;
		const why = needsLogin ? `it answers ${status}` : (denied.because[0]?.text ?? 'the policy file disallows it');
		const answer = await loadPage(somRequestUrl(endpoint, url)!, fetch);
		const given = answer.status >= 200 && answer.status < 300 && answer.text.trim() !== '';
		if (given) leaks.push(difference(endpoint, 'live-som-leak', { page: url, why }));
	}
	return { asked, leaks };
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
