import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FetchError } from './failure.ts';
import { type ResponseHead, responseHead } from './response-head.ts';
import { joinChunks, parserModes, parseStoredResponse, ResponseParser } from './response-parser.ts';

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
			head(head, framing) {
				result.head = responseHead(head, framing);
			},
			data(chunk) {
				result.body += chunk.toString('latin1');
				return true;
			},
			end(_, reusable) {
				result.reusable = reusable;
			},
		},
		{ mode: parserModes.lenient, bodyless: method === 'HEAD', headerBytes },
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

describe('ResponseParser, lenient', () => {
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
				copied += list.reduce((sum, { length }) => sum + length, 0);
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

/** The events of a response that comes in these pieces. */
function readStrict(pieces: readonly string[], { bodyless = false, closes = false } = {}) {
	const events: unknown[] = [];
	let body = '';
	const parser = new ResponseParser(
		{
			interim: ({ status }) => events.push(['interim', status]),
			head: ({ status, message, rawHeaders }) => events.push(['head', status, message, rawHeaders]),
			data: (chunk) => {
				body += chunk.toString('latin1');
				return true;
			},
			end: (trailers, reusable) => events.push(['end', body, trailers, reusable]),
		},
		{ mode: parserModes.strict, bodyless, headerBytes: 65_536 },
	);
	for (const piece of pieces) parser.push(Buffer.from(piece, 'latin1'));
	if (closes) parser.finish();
	return events;
}

const whole = {
	sized: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: \xe4\r\n\r\nhello',
	chunked: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: 1\r\n\r\n',
	empty: 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
	interim: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n',
};

describe('ResponseParser, strict', () => {
	it('are read the same wherever the pieces are cut', () => {
		for (const text of Object.values(whole)) {
			const expected = readStrict([text]);
			expect(expected.at(-1)).toContain('end');
			expect(readStrict([...text])).toEqual(expected);
			for (let cut = 1; cut < text.length; cut++)
				expect(readStrict([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
		}
	});

	it('fields keep their spelling and their bytes', () => {
		expect(readStrict([whole.sized])).toEqual([
			['head', 200, 'OK', ['Content-Length', '5', 'X', '\xe4']],
			['end', 'hello', [], true],
		]);
		expect(readStrict([whole.chunked]).at(-1)).toEqual(['end', 'hello', ['T', '1'], true]);
		expect(readStrict([whole.interim])[0]).toEqual(['interim', 103]);
	});

	it('an answer without a length ends with the connection, one to HEAD with its head', () => {
		const open = 'HTTP/1.1 200 OK\r\n\r\nhel';
		expect(readStrict([open, 'lo'], { closes: true }).at(-1)).toEqual(['end', 'hello', [], false]);
		const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
		expect(readStrict([head], { bodyless: true }).at(-1)).toEqual(['end', '', [], true]);
	});

	it('a connection is used again only where nothing speaks against it', () => {
		const reusable = (text: string) => readStrict([text]).at(-1)?.valueOf() as unknown[];
		expect(reusable(whole.empty).at(-1)).toBe(false);
		expect(reusable('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n').at(-1)).toBe(false);
		expect(reusable('HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: Keep-Alive\r\n\r\n').at(-1)).toBe(true);
		expect(reusable(`${whole.sized}HTTP/1.1 200 OK`).at(-1)).toBe(false);
	});

	it.each([
		['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\n'],
		['a length beside a coding', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'],
		['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
		['a folded line', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n'],
		['a blank before the colon', 'HTTP/1.1 200 OK\r\nX : a\r\n\r\n'],
		['a control in a value', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
		['a bare line feed', 'HTTP/1.1 200 OK\nX: a\r\n\r\n'],
		['another protocol', 'SSH-2.0-x\r\n\r\n'],
		['a switch', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
		['a chunk longer than it says', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n'],
		['a size that is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n'],
		['an endless head', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`],
		['an endless size', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1'.repeat(2000)}`],
	])('%s is a fault', (_name, text) => {
		expect(() => readStrict([text])).toThrow(FetchError);
	});

	it('repeated lengths and codings are seen too', () => {
		for (const name of ['Content-Length: 5', 'Transfer-Encoding: chunked']) {
			expect(() => readStrict([`HTTP/1.1 200 OK\r\n${name}\r\n${name}\r\n\r\n`])).toThrow(FetchError);
		}
	});

	it.each(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel', 'HTTP/1.1 200', whole.chunked.slice(0, -2)])(
		'what is cut off is not taken for whole: %j',
		(text) => {
			expect(() => readStrict([text], { closes: true })).toThrow(FetchError);
		},
	);
});

describe('ResponseParser, archive', () => {
	const stored = (text: string) => parseStoredResponse(Buffer.from(text, 'latin1'));

	it.each([
		['HTTP/1.1 200 OK\r\nA: 1\r\n\r\nbody', 200, ['A', '1'], 'body'],
		['http/2 404\nA : 1\n\nbody', 404, ['A', '1'], 'body'],
		['HTTP/1.0 200 OK\r\nA: 1\r\n 2\r\nno field\r\n', 200, ['A', '1 2'], ''],
		[
			'HTTP/1.1 200\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nx',
			200,
			['Content-Length', '5', 'Content-Length', '9'],
			'x',
		],
	])('takes what can be made out of %j', (text, status, rawHeaders, body) => {
		const found = stored(text);
		expect(found?.head).toMatchObject({ status, rawHeaders });
		expect(found?.body.toString()).toBe(body);
	});

	it.each(['', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 20\r\n\r\n'])('finds no response in %j', (text) => {
		expect(stored(text)).toBeUndefined();
	});

	it.each([
		['3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n', 'hello'],
		['3\nhel\n2;a=b\nlo\n0\n', 'hello'],
		['3\r\nhel2\r\nlo', 'hello'],
		['3\r\nhel\r\n9\r\nlo', 'hello'],
		['3\r\nhel\r\nno size', 'hel'],
		['<html>', undefined],
		['', undefined],
	])('joins the chunks of %j', (text, content) => {
		expect(joinChunks(Buffer.from(text))?.toString()).toBe(content);
	});
});
