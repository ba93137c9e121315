import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FetchError } from './failure.ts';
import { type ResponseHead, ResponseParser } from './http1-parser.ts';

interface Read {
	head?: ResponseHead;
	body: string;
	/** Undefined where the message did not end. */
	reusable?: boolean;
	error?: string;
	unanswered?: boolean;
}

function read(pieces: readonly string[], { method = 'GET', headerBytes = 65_536, close = true } = {}): Read {
	const result: Read = { body: '' };
	const parser = new ResponseParser(
		{
			head(head) {
				result.head = head;
			},
			data(chunk) {
				result.body += Buffer.from(chunk).toString('latin1');
			},
			end(reusable) {
				result.reusable = reusable;
			},
		},
		{ method, headerBytes },
	);
	try {
		for (const piece of pieces) parser.push(Buffer.from(piece, 'latin1'));
		if (close && result.reusable === undefined) parser.finish();
	} catch (error) {
		if (!(error instanceof FetchError)) throw error;
		Object.assign(result, { error: error.reason, unanswered: error.unanswered });
	}
	return result;
}

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const chunked =
	'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nhel\r\n2\r\nlo\r\n0\r\nX-Trailer: y\r\n\r\n';
const messages = [
	sized,
	chunked,
	'HTTP/1.0 200 OK\r\n\r\nhello',
	'\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\nx: a\n b\n\nhello',
	'HTTP/1.1 200 OK\r\ntransfer-encoding: Identity\r\ncontent-length: 5, 5\r\nContent-Length: 5\r\n\r\nhello',
];

describe('ResponseParser', () => {
	it.each(messages)('RFC 9112 reads %j', (message) => {
		expect(read([message])).toMatchObject({ body: 'hello', head: { status: 200 } });
	});

	it('the pieces in which the bytes come make no difference', () => {
		const property = fc.property(
			fc.constantFrom(...messages),
			fc.array(fc.nat(200), { maxLength: 8 }),
			(message, cuts) => {
				const places = [0, ...cuts.filter((place) => place < message.length).sort((a, b) => a - b), message.length];
				const pieces = places.slice(1).map((end, index) => message.slice(places[index], end));
				expect(read(pieces)).toEqual(read([message]));
			},
		);
		fc.assert(property);
	});

	it('any bytes at all give an answer or a failure with a reason', () => {
		const alphabet = fc.constantFrom(
			'HTTP/1.1 200',
			' ',
			'\r\n',
			'\n',
			':',
			'a',
			'Content-Length',
			'5',
			'Transfer-Encoding',
			'chunked',
			'\0',
			'\xff',
			'fff',
			';',
		);
		fc.assert(
			fc.property(fc.array(alphabet, { maxLength: 40 }), (parts) => {
				const result = read([parts.join('')], { headerBytes: 200 });
				expect(result.error !== undefined || result.reusable !== undefined).toBe(true);
			}),
		);
	});

	it.each([
		['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', true],
		['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhellooo', false],
		['HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 5\r\n\r\nhello', false],
		['HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', false],
		['HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\nhello', true],
		[chunked, true],
		[chunked.replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\n'), false],
		['HTTP/1.1 200 OK\r\n\r\nhello', false],
		['HTTP/1.1 204 No\r\n\r\n', true],
		['HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n', true],
	])('RFC 9112 §9.3 after %j another message may follow: %s', (message, reusable) => {
		expect(read([message]).reusable).toBe(reusable);
	});

	it('RFC 9110 §9.3.2 an answer to HEAD has no body, whatever its headers say', () => {
		expect(read([sized.slice(0, -5)], { method: 'HEAD' })).toMatchObject({ body: '', reusable: true });
		expect(read(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'], { method: 'HEAD' })).toMatchObject({
			reusable: true,
		});
	});

	it('keeps header lines in order, with their bytes', () => {
		const { head } = read(['HTTP/1.1 200 OK\r\nA: 1\r\nb :  x\xff \r\na: 2\r\nContent-Length: 0\r\n\r\n']);
		expect([...head!.headers]).toEqual([
			['a', '1'],
			['b', 'x\xff'],
			['a', '2'],
			['content-length', '0'],
		]);
		expect(head!.headers.get('A')).toBe('1, 2');
		expect(head!.headers.getAll('a')).toEqual(['1', '2']);
		expect(head!.headers.get('none')).toBeUndefined();
	});

	it.each([
		['', 'connection-reset', true],
		['\r\n', 'connection-reset', false],
		['HTTP/1.1 2', 'connection-reset', false],
		['HTT', 'connection-reset', false],
		['<html>a page without any headers', 'bad-response', false],
		['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell', 'truncated', false],
		[chunked.slice(0, -30), 'truncated', false],
		['HTTP/2 200\r\n\r\n', 'bad-response', false],
		['HTTP/1.1 20 OK\r\n\r\n', 'bad-response', false],
		['HTTP/1.1 099 OK\r\n\r\n', 'bad-response', false],
		['<html>\n', 'bad-response', false],
		['HTTP/1.1 200 OK\r\n Content-Length: 5\r\n\r\nhello', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello', 'bad-header', false],
		['HTTP/1.1 200 OK\r\n"Transfer-Encoding": chunked\r\n\r\nhello', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nTransfer-Encoding\r\n\r\nhello', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nX Y: a\rb\r\n\r\nhello', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n', 'bad-header', false],
		['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 05\r\n\r\n', 'bad-header', false],
	])('%j closed: %s', (message, error, unanswered) => {
		expect(read([message])).toMatchObject({ error, unanswered });
	});

	it('a close after the last chunk loses nothing', () => {
		expect(read([chunked.slice(0, -2)])).toMatchObject({ body: 'hello', reusable: false });
	});

	it('reads a line that comes byte by byte in as many steps as one of half the length, twice', () => {
		const cost = (length: number) => {
			const message = `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(length)}\r\n\r\n`;
			let copied = 0;
			const { concat } = Buffer;
			Buffer.concat = (list, total) => {
				copied += total ?? 0;
				return concat(list, total);
			};
			try {
				read([...message]);
			} finally {
				Buffer.concat = concat;
			}
			return copied;
		};
		expect(cost(20_000)).toBeLessThan(cost(10_000) * 2.1);
	});
});
