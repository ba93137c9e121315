import { type Behaviour, type Behaviours, failed, fetched } from './behaviour.ts';
import { page } from './site.ts';

const text = page('Odd but whole', 'The message around this page is odd, the page is not.');

/** A host that answers its path with these bytes and closes. */
function raw(does: string, fetch: Behaviour['fetch'], crawl: Behaviour['crawl'], bytes: string): Behaviour {
	return {
		does,
		path: '/odd',
		fetch,
		crawl,
		async serve(exchange) {
			exchange.write(bytes);
			await exchange.finish();
		},
	};
}

const refusedAs = (reason: 'bad-header' | 'bad-response' | 'headers-too-large') =>
	[reason, failed('/odd', reason)] as const;
const accepted = [200, fetched('/odd')] as const;
const sized = `Content-Type: text/html\r\nContent-Length: ${text.length}\r\n`;
const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Hosts that have not read RFC 9112. */
export const messages: Behaviours = {
	'huge-headers.test': raw(
		'sends 200 kB of headers',
		...refusedAs('headers-too-large'),
		`HTTP/1.1 200 OK\r\n${`X-Padding: ${'x'.repeat(1000)}\r\n`.repeat(200)}${sized}\r\n${text}`,
	),
	'many-headers.test': raw(
		'sends a thousand header lines',
		...accepted,
		`HTTP/1.1 200 OK\r\n${'X-Line: y\r\n'.repeat(1000)}${sized}\r\n${text}`,
	),
	'bad-header-name.test': raw(
		'has a space in a header name and a lone LF',
		...accepted,
		`HTTP/1.1 200 OK\r\nBad Name: x\n${sized}\r\n${text}`,
	),
	'no-colon.test': raw(
		'has a header line without a colon',
		...accepted,
		`HTTP/1.1 200 OK\r\nnonsense\r\n${sized}\r\n${text}`,
	),
	'empty-header-name.test': raw(
		'has a header without a name',
		...accepted,
		`HTTP/1.1 200 OK\r\n: x\r\n${sized}\r\n${text}`,
	),
	'nul-header.test': raw(
		'has a NUL in a header value',
		...refusedAs('bad-header'),
		`HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\n${sized}\r\n${text}`,
	),
	'bare-cr.test': raw(
		'has a lone CR in a header value',
		...refusedAs('bad-header'),
		`HTTP/1.1 200 OK\r\nX-Cr: a\rSet-Cookie: b=c\r\n${sized}\r\n${text}`,
	),
	'two-lengths.test': raw(
		'gives two different lengths',
		...refusedAs('bad-header'),
		`HTTP/1.1 200 OK\r\n${sized}Content-Length: 5\r\n\r\n${text}`,
	),
	'bad-length.test': raw(
		'gives a length that is no number',
		...refusedAs('bad-header'),
		`HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n${text}`,
	),
	'same-lengths.test': raw(
		'gives the same length twice',
		...accepted,
		`HTTP/1.1 200 OK\r\n${sized}Content-Length: ${text.length}\r\n\r\n${text}`,
	),
	'latin1-header.test': raw(
		'has a byte in a header that is not ASCII',
		...accepted,
		`HTTP/1.1 200 OK\r\nxx: \xff\r\n${sized}\r\n${text}`,
	),
	'folded-header.test': raw(
		'folds a header over three lines',
		...accepted,
		`HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\n\tc\r\n${sized}\r\n${text}`,
	),
	'bare-lf.test': raw(
		'ends its lines with LF alone',
		...accepted,
		`HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: ${text.length}\n\n${text}`,
	),
	'no-phrase.test': raw('leaves out the reason phrase', ...accepted, `HTTP/1.1 200\r\n${sized}\r\n${text}`),
	'early-hints.test': raw(
		'sends two interim responses first',
		...accepted,
		`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n${sized}\r\n${text}`,
	),
	'length-and-chunks.test': raw(
		'gives a length and chunks: the chunks count',
		...accepted,
		`${chunked.replace('Transfer', 'Content-Length: 3\r\nTransfer')}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
	),
	'bad-chunking.test': raw(
		'sends a chunk size that is none',
		...refusedAs('bad-response'),
		`${chunked}zz\r\n${text}\r\n0\r\n\r\n`,
	),
	'negative-chunk.test': raw(
		'sends a negative chunk size',
		...refusedAs('bad-response'),
		`${chunked}-5\r\n${text}\r\n0\r\n\r\n`,
	),
	'huge-chunk.test': raw(
		'sends a chunk size beyond all numbers',
		...refusedAs('bad-response'),
		`${chunked}${'f'.repeat(40)}\r\n${text}`,
	),
	'long-chunk.test': raw(
		'sends a chunk longer than its size',
		...refusedAs('bad-response'),
		`${chunked}5\r\n${text}\r\n0\r\n\r\n`,
	),
	'not-http.test': raw('speaks another protocol', ...refusedAs('bad-response'), 'SSH-2.0-OpenSSH_9.6\r\n'),
	'http09.test': raw('sends a page without any head, like HTTP/0.9', ...refusedAs('bad-response'), text),
	'switching.test': raw(
		'switches to a protocol that nobody asked for',
		...refusedAs('bad-response'),
		'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
	),
	'status-999.test': raw(
		'answers with status 999',
		999,
		failed('/odd', 'http-999'),
		`HTTP/1.1 999 Denied\r\n${sized}\r\n${text}`,
	),
	'status-42.test': raw(
		'answers with status 42',
		...refusedAs('bad-response'),
		`HTTP/1.1 042 Answer\r\n${sized}\r\n${text}`,
	),
	'unasked-304.test': {
		does: 'answers 304 to a request without condition',
		path: '/odd',
		fetch: 304,
		crawl: failed('/odd', '304-without-request'),
		serve: (exchange) => exchange.reply(304, { ETag: '"x"' }),
	},
	'long-304.test': {
		does: 'answers 304 with the length and an odd coding of what it does not send',
		path: '/odd',
		fetch: 304,
		crawl: failed('/odd', '304-without-request'),
		serve: (exchange) => exchange.reply(304, { 'Content-Length': 99_999_999, 'Content-Encoding': 'compress' }),
	},
	'body-after-304.test': {
		does: 'answers 304 with a body',
		path: '/odd',
		fetch: 304,
		crawl: failed('/odd', '304-without-request'),
		serve(exchange) {
			exchange.write(`HTTP/1.1 304 Not Modified\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
		},
	},
};
