import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

// A site of any number of pages, made up page by page from their numbers, for measuring crawlers.
// As a program: `node --import tsx bench/site.ts --pages 10000 --bytes 49000 --port 8080`

export interface SiteOptions {
	/** Default 10,000. */
	readonly pages?: number;
	/** About how long a page is. Default 6,000. */
	readonly bytes?: number;
	/** Default: any that is free. */
	readonly port?: number;
}

export interface GeneratedSite {
	readonly origin: string;
	/** Every page, by its number. */
	url(page: number): string;
	/** How often each path was asked for. */
	readonly requests: ReadonlyMap<string, number>;
	/** Called for every request. */
	onRequest: (path: string) => void;
	close(): Promise<void>;
}

/** Pages of one listing page. */
const fanOut = 10;

/** Starts the site on the loopback. Page 0 is `/`; page n links to its ten children, its parent and its neighbours. */
export async function startSite({ pages = 10_000, bytes = 6000, port = 0 }: SiteOptions = {}): Promise<GeneratedSite> {
	const requests = new Map<string, number>();
	const server: Server = createServer((request, response) => {
		const path = request.url ?? '/';
		requests.set(path, (requests.get(path) ?? 0) + 1);
		site.onRequest(path);
		const number = numberOf(path);
		if (number === undefined || number >= pages) {
			response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
			return;
		}
		const etag = `"${number}-1"`;
		if (request.headers['if-none-match'] === etag) {
			response.writeHead(304, { ETag: etag }).end();
			return;
		}
		response
			.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ETag: etag })
			.end(pageOf(number, pages, bytes));
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const site: GeneratedSite = {
		origin,
		url: (page) => origin + pathOf(page),
		requests,
		onRequest() {},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return site;
}

const pathOf = (page: number): string => (page === 0 ? '/' : `/page/${page}`);

function numberOf(path: string): number | undefined {
	if (path === '/') return 0;
	const digits = /^\/page\/([1-9]\d*)$/.exec(path)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

function pageOf(page: number, pages: number, bytes: number): string {
	const children = Array.from({ length: fanOut }, (_, at) => page * fanOut + at + 1).filter((child) => child < pages);
	const around = [Math.floor((page - 1) / fanOut), page - 1, page + 1].filter((other) => other >= 0 && other < pages);
	const link = (other: number) => `<li><a href="${pathOf(other)}">Page ${other}</a></li>`;
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${page}</title>
<meta name="description" content="The page with the number ${page}."></head>
<body><header><nav><ul>${[0, ...around].map(link).join('')}</ul></nav></header>
<main><article><h1>Page ${page}</h1>
${prose(page, bytes)}
<h2>Below this page</h2><ul>${children.map(link).join('')}</ul></article></main>
<footer><p>Made up from the number ${page}.</p></footer></body></html>
`;
}

const words =
	'the tide turns at the pier while boats wait for water and a keeper writes down the hour of every lamp that is lit along the coast before winter brings fog over harbour walls'.split(
		' ',
	);

/** Paragraphs that differ from page to page. */
function prose(page: number, bytes: number): string {
	const paragraphs: string[] = [];
	let state = page + 1;
	for (let length = 0; length < bytes; ) {
		const sentence = Array.from({ length: 60 }, () => {
			// A linear congruential generator (Numerical Recipes): the same page is the same text on every machine.
			state = (state * 1664525 + 1013904223) % 4294967296;
			return words[state % words.length]!;
		}).join(' ');
		paragraphs.push(`<p>On page ${page}, ${sentence}.</p>`);
		length += sentence.length + 20;
	}
	return paragraphs.join('\n');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
	const option = (name: string) => {
		const at = argv.indexOf(`--${name}`);
		return at === -1 ? {} : { [name]: Number(argv[at + 1]) };
	};
	const site = await startSite({ ...option('pages'), ...option('bytes'), ...option('port') });
	console.log(site.origin);
}
