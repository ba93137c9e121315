import { createHash } from 'node:crypto';
import type { Sites } from '../../testing/sites.ts';
import { htmlPage, type TestAnswer, type TestRequest } from '../../testing/web.ts';

export interface ManifestPage {
	body: string;
	rev: number;
	/** False: the page is there, and the manifest does not list it. */
	listed?: boolean;
	/** Instead of the true one; null for none. */
	digest?: string | null;
	answer?: TestAnswer;
}

/** A site that publishes a manifest; tests change it between two crawls. */
export interface ManifestSite {
	readonly host: string;
	readonly pages: Map<string, ManifestPage>;
	siteRev: number;
	generated: string;
	coverage: object | undefined;
	/** Instead of the manifest. */
	manifest: TestAnswer | number | undefined;
	/** Whether the manifest has an entity tag and answers 304. */
	validators: boolean;
	robots: string | undefined;
	/** What `serve` wants. */
	readonly sites: Sites;
	/** New content, and the revisions that go with it. */
	change(path: string, body?: string): void;
	/** The same without telling. */
	lie(path: string): void;
}

export const digestOf = (body: string) => `sha256:${createHash('sha256').update(body).digest('hex')}`;

export function manifestSite(paths: readonly string[], host = 'h.test'): ManifestSite {
	const pages = new Map<string, ManifestPage>();
	for (const path of ['/', ...paths]) pages.set(path, { body: htmlPage(path, paths), rev: 1 });
	const answer = ({ path, headers }: TestRequest): TestAnswer | string | number => {
		if (path === '/robots.txt' && site.robots !== undefined) return plainText(site.robots);
		if (path === '/.well-known/pagedigest.json') return site.manifest ?? manifestOf(site, headers['if-none-match']);
		const page = pages.get(path);
		return page === undefined ? 404 : (page.answer ?? page.body);
	};
	let edition = 0;
	const site: ManifestSite = {
		host,
		pages,
		siteRev: 1,
		generated: '2026-11-28T00:00:00Z',
		coverage: { mode: 'complete' },
		manifest: undefined,
		validators: true,
		robots: undefined,
		// Whatever path of the host is asked for.
		sites: new Proxy({}, { get: (_, name) => (String(name).startsWith(`${host}/`) ? answer : undefined) }) as Sites,
		change(path, body = htmlPage(`${path} edition ${++edition}`, paths)) {
			const page = pages.get(path);
			pages.set(path, { ...page, body, rev: (page?.rev ?? 0) + 1 });
			site.siteRev++;
		},
		lie(path) {
			const page = pages.get(path)!;
			pages.set(path, {
				...page,
				digest: page.digest ?? digestOf(page.body),
				body: htmlPage(`lie ${++edition}`, paths),
			});
		},
	};
	return site;
}

function manifestOf({ pages, siteRev, generated, coverage, validators }: ManifestSite, known?: string): TestAnswer {
	const entries = Object.fromEntries(
		[...pages]
			.filter(([, { listed }]) => listed !== false)
			.map(([path, { rev, body, digest = digestOf(body) }]) => [path, { rev, ...(digest !== null && { digest }) }]),
	);
	const body = JSON.stringify({ version: 1, generated, site_rev: siteRev, coverage, entries });
	const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 12)}"`;
	if (validators && known === etag) return { status: 304 };
	return { headers: { 'Content-Type': 'application/json', ...(validators && { ETag: etag }) }, body };
}

const plainText = (body: string): TestAnswer => ({ headers: { 'Content-Type': 'text/plain' }, body });
