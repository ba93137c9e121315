// A site of real pages, in a process of its own: `node --import tsx crawl/site.ts PAGES [KNOWN]` prints its address. With
// a number of known URLs each page has 45 links to some of them. A parent process that sends it numbers is sent each of them
// when so many pages have been served since.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { knownLink } from '../known/links.ts';
import { basePages } from './pages.ts';

const count = Number(process.argv[2]);
const known = Number(process.argv[3] ?? 0);
/** Children of a page: all pages are found within a few links. */
const fanOut = 10;
/** Links of the pages lead to where they led: not every contestant heeds `<base>`. */
const parts = basePages().map(({ html, url }) => {
	const absolute = html
		.replace(/<base\s[^>]*>/gi, '')
		.replace(/(<a\s[^>]*?href\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi, (all, start, ...values) => {
			const value = String(values.find((one) => one !== undefined)).trim();
			return URL.canParse(value, url) ? `${start}"${new URL(value, url).href.replaceAll('"', '%22')}"` : all;
		});
	const [, before, after] = /^([\s\S]*?<body[^>]*>)([\s\S]*)$/i.exec(absolute) ?? ['', '', absolute];
	return { before: Buffer.from(before!), after: Buffer.from(after!) };
});

let served = 0;
let marks: readonly number[] = [];
process.on('message', (message: readonly number[]) => {
	served = 0;
	marks = message;
});

const server = createServer((request, response) => {
	const { port } = server.address() as AddressInfo;
	const page = request.url === '/' ? 0 : Number(/^\/page\/([1-9]\d*)$/.exec(request.url!)?.[1] ?? Number.NaN);
	if (request.url === '/robots.txt') {
		response.writeHead(200, { 'Content-Type': 'text/plain' }).end('User-agent: *\nDisallow: /private/\n');
	} else if (page < count) {
		const children = Array.from({ length: fanOut }, (_, at) => page * fanOut + at + 1).filter((child) => child < count);
		const links = children.map((child) => `<a href="http://127.0.0.1:${port}/page/${child}">Page ${child}</a>`);
		for (let n = 0; known > 0 && n < 45; n++) links.push(`<a href="${knownLink(1, page, n, known)}">Known ${n}</a>`);
		const { before, after } = parts[page % parts.length]!;
		const body = Buffer.concat([before, Buffer.from(`<nav>${links.join(' ')}</nav>`), after]);
		response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length }).end(body);
		if (marks.includes(++served)) process.send?.(served);
	} else {
		response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
	}
});
server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	const sizes = parts.map(({ before, after }) => before.length + after.length);
	const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
	console.log(JSON.stringify({ origin: `http://127.0.0.1:${port}`, pages: sizes.length, bytes: Math.round(mean) }));
});
