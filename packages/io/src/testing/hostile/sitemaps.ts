import { gzipSync } from 'node:zlib';
import { type Behaviour, type Behaviours, fetched } from './behaviour.ts';
import type { Exchange } from './exchange.ts';
import { page } from './site.ts';

/** A page that only the sitemap knows. */
const hidden = '/hidden';
const found = fetched(hidden);

function urlset(...locations: string[]): string {
	const urls = locations.map((location) => `<url><loc>${location}</loc></url>`);
	return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
}

/** The sitemap of a host is named in its robots.txt. */
function sitemap(
	does: string,
	path: string,
	crawl: Behaviour['crawl'],
	serve: NonNullable<Behaviour['serve']>,
	fetch: Behaviour['fetch'] = 200,
): Behaviour {
	return {
		does: `has a sitemap that ${does}`,
		path,
		fetch,
		crawl,
		serve,
		also(exchange) {
			if (exchange.path === '/robots.txt') {
				exchange.reply(
					200,
					{ 'Content-Type': 'text/plain' },
					`User-agent: *\nAllow: /\nSitemap: ${exchange.origin}${path}\n`,
				);
			} else if (exchange.path === hidden) {
				exchange.html(page('Hidden', 'Only the sitemap knows of this page.'));
			} else return false;
			return true;
		},
	};
}

const xml = { 'Content-Type': 'application/xml' };
const gzipped = { 'Content-Type': 'application/x-gzip;charset=utf-8' };
const good = (exchange: Exchange) => urlset(`${exchange.origin}${hidden}`);
const ordinary = fetched('/about');

/** Hosts whose sitemap is the trouble. */
export const sitemaps: Behaviours = {
	'sitemap.test': sitemap('is good', '/sitemap.xml', found, (exchange) => exchange.reply(200, xml, good(exchange))),
	'sitemap-gzip.test': sitemap('is gzipped, with a charset in its type', '/sitemap.xml.gz', found, (exchange) =>
		exchange.reply(200, gzipped, gzipSync(good(exchange))),
	),
	'sitemap-garbage.test': sitemap('is called gzip and is rubbish', '/sitemap.xml.gz', ordinary, (exchange) =>
		exchange.reply(200, gzipped, Buffer.concat([Buffer.from([31, 139, 8, 0]), Buffer.alloc(5000, 'rubbish')])),
	),
	'sitemap-cut.test': sitemap('is gzip cut in the middle', '/sitemap.xml.gz', ordinary, (exchange) => {
		const whole = gzipSync(urlset(...Array.from({ length: 500 }, (_, index) => `${exchange.origin}/p${index * 7919}`)));
		exchange.reply(200, gzipped, whole.subarray(0, whole.length / 2));
	}),
	'sitemap-plain-gz.test': sitemap('is called .gz and is plain', '/sitemap.xml.gz', found, (exchange) =>
		exchange.reply(200, gzipped, good(exchange)),
	),
	'sitemap-double-gzip.test': sitemap(
		'is gzipped as a file and again on the way',
		'/sitemap.xml.gz',
		found,
		(exchange) => exchange.reply(200, { ...gzipped, 'Content-Encoding': 'gzip' }, gzipSync(gzipSync(good(exchange)))),
	),
	'sitemap-bomb.test': sitemap(
		'is a gzip file of a few kilobytes that unpacks to 200 MB',
		'/sitemap.xml.gz',
		ordinary,
		(exchange) => exchange.reply(200, gzipped, Buffer.concat(Array(200).fill(gzipSync(Buffer.alloc(1 << 20, ' '))))),
	),
	'sitemap-text.test': sitemap('is a gzipped list of lines', '/urllist.txt.gz', found, (exchange) =>
		exchange.reply(200, gzipped, gzipSync(`${exchange.origin}/about\n${exchange.origin}${hidden}\n`)),
	),
	'sitemap-hang.test': sitemap(
		'never answers',
		'/sitemap.xml',
		ordinary,
		(exchange) => exchange.hang(),
		'headers-timeout',
	),
	'sitemap-html.test': sitemap('is a web page', '/sitemap.xml', ordinary, (exchange) =>
		exchange.html(page('Sitemap', 'Here is what we have.', [hidden])),
	),
	'sitemap-sloppy.test': sitemap(
		'has a BOM, a blank line, no namespace, CDATA, entities and spaces',
		'/sitemap.xml',
		found,
		(exchange) =>
			exchange.reply(
				200,
				xml,
				`\ufeff\n<?xml version="1.0"?><urlset><url><loc>\n <![CDATA[${exchange.origin}${hidden}]]> </loc></url>
			<url><loc> ${exchange.origin}/about?a=1&amp;b=2 </loc></url><url><loc>/guide/first</loc></url></urlset>`,
			),
	),
	'sitemap-self.test': sitemap('is an index that lists itself', '/sitemap.xml', ordinary, (exchange) =>
		exchange.reply(
			200,
			xml,
			`<sitemapindex><sitemap><loc>${exchange.origin}/sitemap.xml</loc></sitemap></sitemapindex>`,
		),
	),
	'sitemap-deep.test': {
		...sitemap('is an index of an index of a sitemap', '/sitemap.xml', found, (exchange) =>
			exchange.reply(
				200,
				xml,
				`<sitemapindex><sitemap><loc>${exchange.origin}/sitemap-1.xml</loc></sitemap></sitemapindex>`,
			),
		),
		also(exchange) {
			const inner = `<sitemapindex><sitemap><loc>${exchange.origin}/sitemap-2.xml</loc></sitemap></sitemapindex>`;
			if (exchange.path === '/sitemap-1.xml') exchange.reply(200, xml, inner);
			else if (exchange.path === '/sitemap-2.xml') exchange.reply(200, xml, good(exchange));
			else return sitemaps['sitemap.test']!.also!(exchange);
			return true;
		},
	},
	'sitemap-foreign.test': sitemap('lists pages of another site', '/sitemap.xml', ordinary, (exchange) =>
		exchange.reply(200, xml, urlset(`${exchange.originOf('ordinary.test')}/about`)),
	),
	'sitemap-laughs.test': sitemap('has entities that grow a billionfold', '/sitemap.xml', ordinary, (exchange) => {
		const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`);
		exchange.reply(
			200,
			xml,
			`<?xml version="1.0"?><!DOCTYPE u [<!ENTITY e0 "ha">${entities.join('')}]><urlset><url><loc>&e9;</loc></url></urlset>`,
		);
	}),
	'sitemap-reset.test': sitemap(
		'resets the connection',
		'/sitemap.xml',
		ordinary,
		(exchange) => exchange.reset(),
		'connection-reset',
	),
	'sitemap-missing-page.test': sitemap(
		'lists a page that is not there',
		'/sitemap.xml',
		{ path: '/no-such-page', outcome: 'gone', reason: 'http-404' },
		(exchange) => exchange.reply(200, xml, urlset(`${exchange.origin}/no-such-page`)),
	),
};
