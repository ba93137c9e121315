import { parseUrl } from '@wayleave/protocols/url';
import type { ReadPage } from '../read/read-page.ts';

/** Reads links and the title, and nothing else: for tests of the crawl itself. */
export const simpleReader: ReadPage = async ({ body, fetched }) => {
	const html = Buffer.from(body).toString('utf8');
	const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href]) => {
		const text = href!.replaceAll('&amp;', '&');
		return parseUrl(text, fetched.url)?.href ?? [];
	});
	const meta = [...html.matchAll(/<meta name="(robots|[a-z-]+)" content="([^"]*)"/g)];
	return {
		document: {
			schema: { name: 'AIDocument', version: '2.0' },
			source: {
				url: fetched.url,
				freshness_policy: fetched.freshnessPolicy,
				...(fetched.fetchedAt && { fetched_at: fetched.fetchedAt }),
				...(fetched.statusCode && { status_code: fetched.statusCode }),
			},
			cache: fetched.cache,
			identity: { title: /<title>([^<]*)/.exec(html)?.[1] ?? '' },
			content: { markdown: html.replace(/<[^>]*>/g, ' ') },
			structure: {},
			signals: { has_json_ld: false, heading_hierarchy_ok: true },
		},
		page: { robots: meta.map(([, name, content]) => ({ name: name!, content: content! })) },
		links,
	};
};
