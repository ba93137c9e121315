import { expect, it } from 'vitest';
import { readPlainRequest } from './fast-path-request.ts';

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'), '192.0.2.1', undefined);
const host = 'Host: site.example\r\n';

it('a plain request is read with its fields as they came', () => {
	const request = read(
		'GET /a?b=%zz HTTP/1.1\r\nhost: site.example:80\r\nX-Own:  \xe4 b \r\nConnection: Keep-Alive\r\n\r\n',
	)!;
	expect([request.method, request.target, request.address]).toEqual(['GET', '/a?b=%zz', '192.0.2.1']);
	expect(request.rawHeaders).toEqual(['host', 'site.example:80', 'X-Own', '\xe4 b', 'Connection', 'Keep-Alive']);
	expect([request.header('x-own'), request.header('host'), request.header('accept')]).toEqual([
		'\xe4 b',
		'site.example:80',
		undefined,
	]);
});

it('fields that are said again are read once', () => {
	const first = read(`GET /a HTTP/1.1\r\n${host}\r\n`)!;
	const again = readPlainRequest(Buffer.from(`HEAD /b HTTP/1.1\r\n${host}\r\n`), '192.0.2.1', first.fields)!;
	expect([again.method, again.target]).toEqual(['HEAD', '/b']);
	expect(again.fields).toBe(first.fields);
	const other = readPlainRequest(Buffer.from('GET /b HTTP/1.1\r\nHost: b\r\n\r\n'), '192.0.2.1', first.fields)!;
	expect(other.header('host')).toBe('b');
});

it.each([
	['another method', `POST / HTTP/1.1\r\n${host}\r\n`],
	['another version', `GET / HTTP/1.0\r\n${host}\r\n`],
	['the absolute form', `GET http://site.example/ HTTP/1.1\r\n${host}\r\n`],
	['raw bytes in the target', `GET /\xe4 HTTP/1.1\r\n${host}\r\n`],
	['a blank in the target', `GET / b HTTP/1.1\r\n${host}\r\n`],
	['no Host', 'GET / HTTP/1.1\r\nA: b\r\n\r\n'],
	['no field at all', 'GET / HTTP/1.1\r\n\r\n'],
	['two Host fields', `GET / HTTP/1.1\r\n${host}${host}\r\n`],
	['a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n'],
	['any field twice', `GET / HTTP/1.1\r\n${host}A: b\r\na: c\r\n\r\n`],
	['a length', `GET / HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
	['a coding', `GET / HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
	['a word about the connection', `GET / HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
	['an upgrade', `GET / HTTP/1.1\r\n${host}Upgrade: websocket\r\n\r\n`],
	['an expectation', `GET / HTTP/1.1\r\n${host}Expect: 100-continue\r\n\r\n`],
	['a folded line', `GET / HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`],
	['a blank before the colon', `GET / HTTP/1.1\r\n${host}A : b\r\n\r\n`],
	['a bare line feed', `GET / HTTP/1.1\r\n${host}A: b\nC: d\r\n\r\n`],
	['a bare carriage return', `GET / HTTP/1.1\r\n${host}A: b\rC: d\r\n\r\n`],
	['a NUL', `GET / HTTP/1.1\r\n${host}A: \0\r\n\r\n`],
	['an empty line first', `\r\nGET / HTTP/1.1\r\n${host}\r\n`],
	['half a head', `GET / HTTP/1.1\r\n${host}`],
	['a second request', `GET / HTTP/1.1\r\n${host}\r\nGET / HTTP/1.1\r\n${host}\r\n`],
	['a body', `GET / HTTP/1.1\r\n${host}\r\nbody`],
	['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
	['an endless head', `GET / HTTP/1.1\r\n${host}A: ${'a'.repeat(20_000)}\r\n\r\n`],
])('%s makes no plain request', (_name, text) => {
	expect(read(text)).toBeUndefined();
});
