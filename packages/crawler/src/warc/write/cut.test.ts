import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { crawl } from '../../engine/crawl.ts';
import { checkArchive } from '../testing/check-bytes.ts';
import { warcSink } from './sink.ts';

// The archive keeps an interrupted exchange as far as it came.

let folder: string;
const closing: (() => void)[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'wayleave-cut-'));
});
afterEach(() => {
	for (const close of closing.splice(0)) close();
	rmSync(folder, { recursive: true });
});

/** A server that responds to `/` with this, and to everything else with 404. */
async function serve(answer: (socket: Socket) => void): Promise<string> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		socket.on('data', (data) => {
			if (data.toString('latin1').startsWith('GET / ')) answer(socket);
			else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	closing.push(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const head = (fields: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${fields}\r\n`;
const half = '<p>Half of the page came, and then no more.</p>';

it.each([
	[
		'C2-100 half of the bytes, then the end',
		'disconnect',
		'truncated',
		(socket: Socket) => socket.end(head(`Content-Length: ${2 * half.length}\r\n`) + half),
		half,
	],
	[
		'C2-100 half of the chunks, then a reset',
		'disconnect',
		'',
		(socket: Socket) => {
			socket.write(`${head('Transfer-Encoding: chunked\r\n')}${half.length.toString(16)}\r\n${half}\r\n`);
			setTimeout(() => socket.resetAndDestroy(), 50);
		},
		half,
	],
	[
		'C2-100 half of the bytes, then nothing',
		'time',
		'body-timeout',
		(socket: Socket) => socket.write(head(`Content-Length: ${2 * half.length}\r\n`) + half),
		half,
	],
	[
		'C2-101 more than the limit',
		'length',
		'too-large',
		(socket: Socket) => socket.end(head('') + 'x'.repeat(5000)),
		undefined,
	],
	[
		'C2-101 a length above the limit',
		'length',
		'too-large',
		(socket: Socket) => socket.end(`${head('Content-Length: 5000\r\n')}${'x'.repeat(5000)}`),
		undefined,
	],
	[
		'C2-100 a coding that is damaged',
		'unspecified',
		'bad-encoding',
		(socket: Socket) => {
			const bytes = gzipSync(half.repeat(20)).fill(0xff, 10);
			socket.end(
				Buffer.concat([Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n`)), bytes]),
			);
		},
		undefined,
	],
] satisfies [string, string, string, (socket: Socket) => unknown, string | undefined][])(
	'%s',
	async (_, why, reason, answer, body) => {
		const url = await serve(answer);
		const file = join(folder, 'a.warc.gz');
		const limits = { bodyIdle: 500, bodyBytes: 2000 };
		const summary = await crawl([url], {
			delay: 0,
			sitemaps: false,
			retries: 0,
			threads: 0,
			limits,
			sinks: [warcSink(file)],
		}).run();
		expect(summary.totals.failed).toBe(1);
		if (reason !== '') expect(summary.rows[0]?.reason).toBe(reason);
		const records = checkArchive(readFileSync(file)).filter(({ fields }) => fields['WARC-Target-URI'] === url);
		expect(records.map(({ type }) => type)).toEqual(['request', 'response', 'metadata']);
		const response = records[1];
		expect(response?.fields['WARC-Truncated']).toBe(why);
		const block = response?.block.toString('latin1') ?? '';
		expect(block).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		if (body !== undefined) expect(block.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(body);
	},
);

it('C2-100 a failure before the first byte is recorded as metadata only', async () => {
	const url = await serve((socket) => socket.resetAndDestroy());
	const file = join(folder, 'a.warc.gz');
	await crawl([url], { delay: 0, sitemaps: false, retries: 0, threads: 0, sinks: [warcSink(file)] }).run();
	const records = checkArchive(readFileSync(file)).filter(({ fields }) => fields['WARC-Target-URI'] === url);
	expect(records.map(({ type }) => type)).toEqual(['metadata']);
});
