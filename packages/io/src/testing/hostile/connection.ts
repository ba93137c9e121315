import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import { page } from './site.ts';

const html = { 'Content-Type': 'text/html' };
const text = page('Half a page', 'The connection does not last as long as the text.');

/** Without an answer about robots.txt nothing is fetched (RFC 9309 §2.3.1.4). */
const unreachable = { path: '/', outcome: 'deferred', reason: 'robots-unreachable' } as const;

/**
 * A socket that Node finds readable and reset at once emits `end` and never the error (libuv takes a hang-up after a
 * partial read for the end of the stream), so a client that is late sees a body that is too short.
 */
const resetInBody = ['connection-reset', 'truncated'] as const;

/** Hosts that cannot keep a connection. */
export const connection: Behaviours = {
	'reset-before.test': {
		does: 'resets the connection instead of an answer',
		path: '/reset',
		fetch: 'connection-reset',
		crawl: failed('/reset', 'connection-reset'),
		serve: (exchange) => exchange.reset(),
	},
	'close-before.test': {
		does: 'closes the connection instead of an answer',
		path: '/close',
		fetch: 'connection-reset',
		crawl: failed('/close', 'connection-reset'),
		serve: (exchange) => exchange.finish(),
	},
	'reset-headers.test': {
		does: 'resets the connection in the middle of the headers',
		path: '/reset',
		fetch: 'connection-reset',
		crawl: failed('/reset', 'connection-reset'),
		async serve(exchange) {
			exchange.write('HTTP/1.1 200 OK\r\nContent-Ty');
			await exchange.reset();
		},
	},
	'close-headers.test': {
		does: 'closes the connection in the middle of the headers',
		path: '/close',
		fetch: 'connection-reset',
		crawl: failed('/close', 'connection-reset'),
		async serve(exchange) {
			exchange.write('HTTP/1.1 200 OK\r\nContent-Ty');
			await exchange.finish();
		},
	},
	'reset-body.test': {
		does: 'resets the connection in the middle of the body',
		path: '/reset',
		fetch: resetInBody,
		crawl: failed('/reset', resetInBody),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Content-Length': text.length + 100 });
			exchange.write(text);
			await exchange.reset();
		},
	},
	'truncated.test': {
		does: 'closes the connection before Content-Length is reached',
		path: '/short',
		fetch: 'truncated',
		crawl: failed('/short', 'truncated'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Content-Length': text.length + 100 });
			exchange.write(text);
			await exchange.finish();
		},
	},
	'no-last-chunk.test': {
		does: 'closes the connection without the last chunk',
		path: '/short',
		fetch: 'truncated',
		crawl: failed('/short', 'truncated'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			exchange.write(`${text.length.toString(16)}\r\n${text}\r\n`);
			await exchange.finish();
		},
	},
	'mid-chunk.test': {
		does: 'closes the connection in the middle of a chunk',
		path: '/short',
		fetch: 'truncated',
		crawl: failed('/short', 'truncated'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			exchange.write(`${(text.length + 100).toString(16)}\r\n${text}`);
			await exchange.finish();
		},
	},
	'until-close.test': {
		does: 'sends no length and ends the page with the connection, like HTTP/1.0',
		path: '/old',
		fetch: 200,
		crawl: fetched('/old'),
		async serve(exchange) {
			exchange.write(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${text}`);
			await exchange.finish();
		},
	},
	'stale-socket.test': {
		does: 'closes each connection after an answer that promised to keep it',
		path: '/stale',
		fetch: 200,
		crawl: fetched('/stale'),
		serve: closing,
		also(exchange) {
			void closing(exchange);
			return true;
		},
	},
	'late-bytes.test': {
		does: 'sends bytes after the end of its answer',
		path: '/late',
		fetch: 200,
		crawl: fetched('/late'),
		async serve(exchange) {
			exchange.html(text);
			await exchange.wait(0.5);
			exchange.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nnot you');
		},
	},
	'refused.test': {
		does: 'does not listen',
		path: '/',
		fetch: 'connect-failed',
		crawl: unreachable,
	},
	'missing.test': {
		does: 'does not exist',
		path: '/',
		fetch: 'dns-not-found',
		crawl: unreachable,
		resolvesTo: 'ENOTFOUND',
	},
	'broken-dns.test': {
		does: 'has name servers that fail',
		path: '/',
		fetch: 'dns-failed',
		crawl: unreachable,
		resolvesTo: 'ESERVFAIL',
	},
	'private-dns.test': {
		does: 'resolves to private and link-local addresses',
		path: '/',
		fetch: 'private-address',
		crawl: failed('/', 'private-address'),
		resolvesTo: ['10.0.0.1', '169.254.169.254', '::1', '::ffff:192.168.0.1'],
	},
};

async function closing(exchange: Parameters<NonNullable<Behaviour['serve']>>[0]): Promise<void> {
	exchange.html(exchange.path === '/robots.txt' ? '' : page(`Page ${exchange.path}`, 'Goodbye.', ['/about', '/stale']));
	await exchange.finish();
}
