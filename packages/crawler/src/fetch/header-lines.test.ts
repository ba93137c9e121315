import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { crawl } from '../engine/crawl.ts';
import type { Result } from '../model/result.ts';
import { readPage } from '../read/read-page.ts';
import { useSites } from '../testing/sites.ts';
import { htmlPage } from '../testing/web.ts';

const sites = useSites();
const closing: (() => void)[] = [];
afterEach(() => {
	for (const close of closing.splice(0)) close();
});

/** A server that sends the page with exactly these header lines. */
async function rawServer(lines: string): Promise<string> {
	const body = htmlPage('Odd');
	const sockets = new Set<{ destroy(): void }>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('data', (data) => {
			const isPage = data.toString('latin1').startsWith('GET / ');
			const head = isPage
				? `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${lines}Content-Length: ${body.length}\r\n`
				: 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n';
			socket.end(Buffer.from(`${head}\r\n${isPage ? body : ''}`, 'latin1'));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	closing.push(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function resultOf(url: string): Promise<Result | undefined> {
	for await (const result of crawl([url], { delay: 0, sitemaps: false, threads: 0, retries: 0 })) return result;
	return undefined;
}

it.each([
	['C2-140 a blank in the name', 'X Powered By: harbour\r\n'],
	['C2-140 brackets in the name', 'X(1): harbour\r\n'],
	['C2-140 a name that is not ASCII', 'Größe: 1\r\n'],
	['C2-140 no name', ': harbour\r\n'],
	['C2-141 no colon', 'served by harbour\r\n'],
	['C2-141 no colon, and a line that continues it', 'served by harbour\r\n and friends\r\n'],
])('%s: the line is dropped, the page is read, and its detail says so', async (_, line) => {
	const result = await resultOf(await rawServer(line));
	expect(result).toMatchObject({ outcome: 'fetched', document: expect.anything() });
	expect(result?.detail).toContain(`a header line was ignored: ${line.slice(0, 4)}`);
});

it.each([
	['two lengths', 'Content-Length: 1\r\n'],
	['a blank before the colon of a length', 'Content-Length : 1\r\n'],
	['a name that is nearly that of a length', '(Content-Length): 1\r\n'],
	['a transfer coding without a colon', 'Transfer-Encoding chunked\r\n'],
	['a bare CR', 'X Y: a\rContent-Length: 1\r\n'],
])('C2-140 fields that decide the message length stay strict: %s', async (_, line) => {
	expect(await resultOf(await rawServer(line))).toMatchObject({ outcome: 'failed', reason: 'bad-header' });
});

it.each([
	['X-Robots-Tag: noai', 'X-Robots-Tag', 'noai'],
	['TDM-Reservation: 1', 'TDM-Reservation', '1'],
	['Content-Usage: train-ai=n', 'Content-Usage', 'train-ai=n'],
])('C2-180 %s is in the policy of the page, regardless of the use it was read for', async (_, name, value) => {
	await sites.serve({
		'h.test/': { headers: { 'Content-Type': 'text/html', [name]: value }, body: htmlPage('Home') },
		'h.test/b': htmlPage('B'),
	});
	const { results } = await sites.crawl(['h.test/', 'h.test/b'], { uses: ['read', 'store'] }, readPage);
	const [stated, silent] = ['/', '/b'].map((path) => results.find(({ url }) => new URL(url).pathname === path)?.policy);
	expect(stated?.uses).toMatchObject({ train: 'deny' });
	expect(JSON.stringify(stated?.because)).toContain(value);
	expect(silent?.uses.train).toBeUndefined();
});

it('C2-110 a crawler without a contact sends no requests to hosts of others', () => {
	expect(() => crawl(['http://harbour.invalid/'])).toThrow(
		expect.objectContaining({ code: 'no-contact', message: expect.stringContaining('botUrl') }),
	);
	for (const botUrl of ['https://bot.invalid/', 'https://crawler.example/', 'https://a.test/', 'http://localhost/bot'])
		expect(() => crawl(['http://harbour.invalid/'], { identity: { botUrl } })).toThrow(
			expect.objectContaining({ code: 'no-contact' }),
		);
});
