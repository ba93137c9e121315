import { describe, expect, it } from 'vitest';
import { AnswerFault, AnswerParser } from './answer-parser.ts';

/** What is told of an answer that comes in these pieces. */
function read(pieces: readonly string[], { bodyless = false, closes = false } = {}) {
	const told: unknown[] = [];
	let body = '';
	const parser = new AnswerParser(
		{
			interim: ({ status }) => told.push(['interim', status]),
			head: ({ status, message, rawHeaders }) => told.push(['head', status, message, rawHeaders]),
			data: (chunk) => {
				body += chunk.toString('latin1');
				return true;
			},
			end: (trailers, reusable) => told.push(['end', body, trailers, reusable]),
		},
		bodyless,
	);
	for (const piece of pieces) parser.push(Buffer.from(piece, 'latin1'));
	if (closes) parser.finish();
	return told;
}

const whole = {
	sized: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: \xe4\r\n\r\nhello',
	chunked: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: 1\r\n\r\n',
	empty: 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
	interim: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n',
};

describe('answers of the site', () => {
	it('are read the same wherever the pieces are cut', () => {
		for (const text of Object.values(whole)) {
			const expected = read([text]);
			expect(expected.at(-1)).toContain('end');
			expect(read([...text])).toEqual(expected);
			for (let cut = 1; cut < text.length; cut++) expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(expected);
		}
	});

	it('fields keep their spelling and their bytes', () => {
		expect(read([whole.sized])).toEqual([
			['head', 200, 'OK', ['Content-Length', '5', 'X', '\xe4']],
			['end', 'hello', [], true],
		]);
		expect(read([whole.chunked]).at(-1)).toEqual(['end', 'hello', ['T', '1'], true]);
		expect(read([whole.interim])[0]).toEqual(['interim', 103]);
	});

	it('an answer without a length ends with the connection, one to HEAD with its head', () => {
		const open = 'HTTP/1.1 200 OK\r\n\r\nhel';
		expect(read([open, 'lo'], { closes: true }).at(-1)).toEqual(['end', 'hello', [], false]);
		const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
		expect(read([head], { bodyless: true }).at(-1)).toEqual(['end', '', [], true]);
	});

	it('a connection is used again only where nothing speaks against it', () => {
		const reusable = (text: string) => read([text]).at(-1)?.valueOf() as unknown[];
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
		expect(() => read([text])).toThrow(AnswerFault);
	});

	it('repeated lengths and codings are seen too', () => {
		for (const name of ['Content-Length: 5', 'Transfer-Encoding: chunked']) {
			expect(() => read([`HTTP/1.1 200 OK\r\n${name}\r\n${name}\r\n\r\n`])).toThrow(AnswerFault);
		}
	});

	it.each(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel', 'HTTP/1.1 200', whole.chunked.slice(0, -2)])(
		'what is cut off is not taken for whole: %j',
		(text) => {
			expect(() => read([text], { closes: true })).toThrow(AnswerFault);
		},
	);
});
