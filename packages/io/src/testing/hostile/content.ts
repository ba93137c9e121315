import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import type { ReplyHeaders } from './exchange.ts';
import { page } from './site.ts';

function serving(
	does: string,
	headers: ReplyHeaders,
	body: () => string | Uint8Array,
	crawl: Behaviour['crawl'] = fetched('/page'),
): Behaviour {
	return { does, path: '/page', fetch: 200, crawl, serve: (exchange) => exchange.reply(200, headers, body()) };
}

function wall(status: 401 | 402 | 403, headers: ReplyHeaders = {}): Behaviour {
	return {
		does: `answers ${status} to everybody`,
		path: '/members',
		fetch: status,
		crawl: { path: '/members', outcome: 'refused', reason: `http-${status}` },
		serve: (exchange) => exchange.reply(status, headers, page('Members only', 'Please log in or pay.')),
	};
}

/** `Привет, мир` in windows-1251, in a page whose meta element says so. */
function cyrillic(meta: string): Uint8Array {
	const word = Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex');
	const head = `<!doctype html><html lang="ru"><head>${meta}<title>`;
	return Buffer.concat([
		Buffer.from(head),
		word,
		Buffer.from('</title></head><body><p>'),
		word,
		Buffer.from('</p></body></html>'),
	]);
}

const meta1251 = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">';
const html = { 'Content-Type': 'text/html' };
let etag = 0;

/** Hosts whose pages are labelled wrongly, hard to read or not for everybody. */
export const content: Behaviours = {
	'wrong-charset.test': serving(
		'says UTF-8 in the header and windows-1251 in the page, which is windows-1251',
		{ 'Content-Type': 'text/html; charset=utf-8' },
		() => cyrillic(meta1251),
	),
	'meta-charset.test': serving('names the charset in the page only', html, () => cyrillic(meta1251)),
	'unknown-charset.test': serving('misspells the charset', { 'Content-Type': 'text/html; charset=utf8mb4-bogus' }, () =>
		page('Misspelt', 'The text is UTF-8: naïve café.'),
	),
	'bom.test': serving(
		'has a UTF-8 BOM and another charset in the header',
		{ 'Content-Type': 'text/html; charset=windows-1251' },
		() => `\ufeff${page('Marked', 'The text is UTF-8: naïve café.')}`,
	),
	'no-type.test': serving('does not say what it sends', {}, () => page('Untyped', 'It is a page all the same.')),
	'wrong-type.test': serving('calls its page an octet stream', { 'Content-Type': 'application/octet-stream' }, () =>
		page('Mistyped', 'It is a page all the same.'),
	),
	'image.test': serving(
		'calls an image HTML',
		html,
		() => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
		failed('/page', 'unsupported-type'),
	),
	'deep-divs.test': serving('nests 50,000 elements', html, () =>
		page('Deep', `${'<div>'.repeat(50_000)}At the bottom of it all there is a sentence.${'</div>'.repeat(50_000)}`),
	),
	'endless-tag.test': serving('never closes its first tag', html, () => `<html><body class="${'x '.repeat(200_000)}`),
	'cookies.test': {
		...serving('sets cookies with every answer, one of them without a name', {}, () => ''),
		serve: (exchange) =>
			exchange.html(page('Cookies', 'Have one.', ['/Antonov++A']), {
				'Set-Cookie': ['id=1; Path=/; Max-Age=9999', '=x', 'a=b; Path=/Antonov++A', ';;;', 'domain=all; Domain=.test'],
			}),
		also(exchange) {
			if (exchange.path !== '/Antonov++A') return false;
			exchange.html(page('Antonov', 'Have another.'), { 'Set-Cookie': 'c=d; Path=/Antonov++A' });
			return true;
		},
	},
	'wall-401.test': wall(401, { 'WWW-Authenticate': 'Basic realm="members"' }),
	'wall-402.test': wall(402),
	'wall-403.test': wall(403),
	'browsers-only.test': {
		does: 'answers 403 to us and 200 to browsers and search engines',
		path: '/members',
		fetch: 403,
		crawl: { path: '/members', outcome: 'refused', reason: 'http-403' },
		serve(exchange) {
			if (/Mozilla|Googlebot/.test(exchange.request.headers['user-agent'] ?? ''))
				exchange.html(page('Welcome', 'You are one of us.'));
			else exchange.reply(403, html, page('Forbidden', 'Robots may not come in.'));
		},
	},
	'soft-404.test': {
		does: 'answers 200 with an error page for whatever does not exist',
		path: '/no-such-page',
		fetch: 200,
		crawl: fetched('/no-such-page'),
		serve: (exchange) => exchange.html(page('404 Not Found', 'Sorry, this page does not exist.', ['/'])),
	},
	'changing-etag.test': {
		...serving('gives the same page a new ETag every time', {}, () => ''),
		serve: (exchange) => exchange.html(page('Constant', 'The text never changes.'), { ETag: `"${++etag}"` }),
	},
	'etag-suffix.test': {
		...serving('adds -gzip to its ETag and compares it without', {}, () => ''),
		serve(exchange) {
			const known = exchange.request.headers['if-none-match'] ?? '';
			if (/^(W\/)?"v1(-gzip)?"$/.test(known)) exchange.reply(304, { ETag: 'W/"v1"' });
			else exchange.html(page('Constant', 'The text never changes.'), { ETag: '"v1-gzip"' });
		},
	},
	'a_b.test': serving('has an underscore in its name', html, () => page('Underscore', 'Names like this one exist.')),
	'hg--69.test': serving('has -- in the third and fourth place of its name', html, () =>
		page('Hyphens', 'Names like this one exist.'),
	),
	'gone.test': {
		does: 'answers 410',
		path: '/page',
		fetch: 410,
		crawl: { path: '/page', outcome: 'gone', reason: 'http-410' },
		serve: (exchange) => exchange.reply(410, html, page('Gone', 'This page has been taken down.')),
	},
};
