import { type Behaviours, failed, fetched } from './behaviour.ts';
import { page } from './site.ts';

const html = { 'Content-Type': 'text/html' };

/** Hosts that take their time. */
export const timing: Behaviours = {
	'slow-headers.test': {
		does: 'takes the request and never answers',
		path: '/slow',
		fetch: 'headers-timeout',
		crawl: failed('/slow', 'headers-timeout'),
		serve: (exchange) => exchange.hang(),
	},
	'dripping-headers.test': {
		does: 'sends its headers one byte at a time without end',
		path: '/drip',
		fetch: 'headers-timeout',
		crawl: failed('/drip', 'headers-timeout'),
		async serve(exchange) {
			exchange.write('HTTP/1.1 200 OK\r\nX-Drip: ');
			await exchange.drip('x');
		},
	},
	'slow-body.test': {
		does: 'stops in the middle of the body and keeps the connection open',
		path: '/slow',
		fetch: 'body-timeout',
		crawl: failed('/slow', 'body-timeout'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Content-Length': 10_000 });
			exchange.write(page('Slow', 'The rest does not come.'));
			await exchange.hang();
		},
	},
	'dripping-body.test': {
		does: 'sends its body one byte at a time without end',
		path: '/drip',
		fetch: 'total-timeout',
		crawl: failed('/drip', 'total-timeout'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			await exchange.drip('1\r\nx\r\n');
		},
	},
	'slow-page.test': {
		does: 'sends a good page slowly',
		path: '/slow',
		fetch: 200,
		crawl: fetched('/slow'),
		async serve(exchange) {
			const body = page('Slow but sure', 'Patience is rewarded with the whole of the page.');
			await exchange.wait(2);
			exchange.head(200, { ...html, 'Content-Length': body.length });
			for (let at = 0; at < body.length; at += 100) {
				exchange.write(body.slice(at, at + 100));
				await exchange.wait(0.5);
			}
		},
	},
	'endless-body.test': {
		does: 'sends a chunked body without end, as fast as it is taken',
		path: '/endless',
		fetch: 'too-large',
		crawl: failed('/endless', 'too-large'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			await exchange.forever(`4000\r\n${'<p>more</p>\n'.repeat(1400).slice(0, 0x4000)}\r\n`);
		},
	},
	'endless-stream.test': {
		does: 'sends a body without length and without end',
		path: '/endless',
		fetch: 'too-large',
		crawl: failed('/endless', 'too-large'),
		async serve(exchange) {
			exchange.head(200, { ...html, Connection: 'close' });
			await exchange.forever('<p>more</p>\n'.repeat(1400));
		},
	},
	'endless-headers.test': {
		does: 'sends header lines without end',
		path: '/endless',
		fetch: 'headers-too-large',
		crawl: failed('/endless', 'headers-too-large'),
		async serve(exchange) {
			exchange.write('HTTP/1.1 200 OK\r\n');
			await exchange.forever('X-More: and more and more\r\n'.repeat(50));
		},
	},
	'endless-line.test': {
		does: 'sends one header line without end',
		path: '/endless',
		fetch: 'headers-too-large',
		crawl: failed('/endless', 'headers-too-large'),
		async serve(exchange) {
			exchange.write('HTTP/1.1 200 OK\r\nX-More: ');
			await exchange.forever('and more '.repeat(150));
		},
	},
	'endless-interim.test': {
		does: 'sends interim responses (103) without end',
		path: '/endless',
		fetch: 'headers-too-large',
		crawl: failed('/endless', 'headers-too-large'),
		serve: (exchange) => exchange.forever('HTTP/1.1 103 Early Hints\r\nLink: </x.css>; rel=preload\r\n\r\n'.repeat(20)),
	},
	'endless-chunk-lines.test': {
		does: 'sends chunk extensions without end and no content',
		path: '/endless',
		fetch: 'bad-response',
		crawl: failed('/endless', 'bad-response'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			await exchange.forever('1;'.padEnd(3000, 'x'));
		},
	},
	'endless-trailers.test': {
		does: 'sends trailer lines after the last chunk without end',
		path: '/endless',
		fetch: 'headers-too-large',
		crawl: failed('/endless', 'headers-too-large'),
		async serve(exchange) {
			exchange.head(200, { ...html, 'Transfer-Encoding': 'chunked' });
			exchange.write('3\r\nabc\r\n0\r\n');
			await exchange.forever('X-Trailer: and more and more\r\n'.repeat(50));
		},
	},
};
