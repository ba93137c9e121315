import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlOptions } from '../../config/options.ts';
import { crawlWith } from '../../engine/crawl.ts';
import type { AuditEvent } from '../../model/events.ts';
import { jsonlSink } from '../../sinks/jsonl.ts';
import { simpleReader } from '../../testing/simple-reader.ts';

/** A site of many pages with a complete manifest, and what its own log says of each crawl. */
export interface Headline {
	/** New content for the first so many pages after the given one, with new revisions. */
	change(from: number, count: number): void;
	/** One crawl, or one more. */
	crawl(options?: CrawlOptions): Promise<CrawlLog>;
	close(): Promise<void>;
}

export interface CrawlLog {
	readonly manifest: number;
	/** Pages, in the order asked for. */
	readonly pages: readonly string[];
	/** Pages asked for without content coding, which audits alone do. */
	readonly audits: readonly string[];
	/** Everything but robots.txt, robots2.txt and the like, the manifest and pages. */
	readonly others: readonly string[];
	readonly totals: Readonly<Record<string, number>>;
	readonly drawn: readonly AuditEvent[];
	/** URLs of the file, in the order of their names. */
	readonly lines: readonly string[];
	readonly milliseconds: number;
}

const controls = new Set(['/robots.txt', '/robots2.txt', '/.well-known/tdmrep.json', '/llms.txt']);
const manifestPath = '/.well-known/pagedigest.json';

export async function startHeadline(pages: number): Promise<Headline> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-headline-'));
	const revs = new Map<string, number>(
		Array.from({ length: pages }, (_, at) => [at === 0 ? '/' : `/page/${at}`, 1] as const),
	);
	let siteRev = 1;
	let log: { path: string; identity: boolean }[] = [];
	const pathOf = (page: number) => (page === 0 ? '/' : `/page/${page}`);
	const bodyOf = (path: string, rev: number) => {
		const page = path === '/' ? 0 : Number(path.slice('/page/'.length));
		const children = Array.from({ length: 10 }, (_, at) => page * 10 + at + 1).filter((child) => child < pages);
		return `<title>${path}</title><h1>${path}, edition ${rev}</h1>${children.map((child) => `<a href="${pathOf(child)}">${child}</a>`).join('')}`;
	};
	const digestOf = (body: string) => `sha256:${createHash('sha256').update(body).digest('hex')}`;
	let manifest = '';
	const publish = () => {
		const entries = Object.fromEntries(
			[...revs].map(([path, rev]) => [path, { rev, digest: digestOf(bodyOf(path, rev)) }]),
		);
		const head = { version: 1, generated: '2026-11-28T00:00:00Z', site_rev: siteRev, coverage: { mode: 'complete' } };
		manifest = JSON.stringify({ ...head, entries });
	};
	publish();
	const server = createServer(({ url: path = '/', headers }, response) => {
		log.push({ path, identity: headers['accept-encoding'] === 'identity' });
		const rev = revs.get(path);
		if (path === manifestPath) {
			const etag = `"${siteRev}"`;
			if (headers['if-none-match'] === etag) response.writeHead(304, { ETag: etag }).end();
			else response.writeHead(200, { 'Content-Type': 'application/json', ETag: etag }).end(manifest);
		} else if (rev === undefined) response.writeHead(404).end();
		else response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(bodyOf(path, rev));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const [store, out] = [`sqlite:${join(folder, 'site.db')}`, join(folder, 'site.jsonl')];
	return {
		change(from, count) {
			for (let page = from; page < from + count; page++) revs.set(pathOf(page), revs.get(pathOf(page))! + 1);
			siteRev++;
			publish();
		},
		async crawl(options = {}) {
			log = [];
			const started = performance.now();
			const more = { store, sinks: [jsonlSink(out)], delay: 0, concurrency: 8, ...options };
			const crawling = crawlWith(simpleReader, [`${origin}/`], more);
			const drawn: AuditEvent[] = [];
			crawling.on('audit', (event) => drawn.push(event));
			const { totals } = await crawling.run();
			const asked = log.map(({ path }) => path);
			const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
			return {
				manifest: asked.filter((path) => path === manifestPath).length,
				pages: asked.filter((path) => revs.has(path)),
				audits: log.filter(({ path, identity }) => revs.has(path) && identity).map(({ path }) => path),
				others: asked.filter((path) => !revs.has(path) && path !== manifestPath && !controls.has(path)),
				totals,
				drawn,
				lines: lines.map((line) => new URL(JSON.parse(line).url).pathname).sort(),
				milliseconds: performance.now() - started,
			};
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** The headline, on a site of so many pages; the figures are for the report. */
export async function headline(pages: number): Promise<Record<string, CrawlLog>> {
	const site = await startHeadline(pages);
	try {
		const first = await site.crawl({ auditRate: 0 });
		site.change(1, 20);
		const changed = await site.crawl({ auditRate: 0 });
		const unchanged = await site.crawl({ auditRate: 0 });
		site.change(21, 20);
		const audited = await site.crawl();
		return { first, changed, unchanged, audited };
	} finally {
		await site.close();
	}
}
