import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceProgram } from '../../../../scripts/source-program.ts';
import { crawlWith } from '../engine/crawl.ts';
import { type PageChangeKind, pageChangeKinds } from '../model/page-change.ts';
import type { NoticeCount } from '../store/roles/watch.ts';
import { openStore } from '../store/sql/open.ts';
import { type ReceivedNotice, startReceiver, type TestReceiver } from './receiver.ts';
import { simpleReader } from './simple-reader.ts';

const script = fileURLToPath(new URL('watch-child.ts', import.meta.url));

export interface WatchPlan {
	readonly pages: number;
	/** Edits of each cycle behind the first one. */
	readonly edits: readonly number[];
	/**
	 * Moments of kills, by cycle: after so many requests of the site, or at a notice that the second receiver gets, before
	 * or after its response.
	 */
	readonly kills: readonly (readonly KillMoment[])[];
	/** Cycle in which the first receiver is down. */
	readonly down?: number;
	/** Milliseconds that the second receiver takes for each notice. */
	readonly slow: number;
}

export type KillMoment = { readonly requests: number } | { readonly notice: number; readonly answered: boolean };

export interface Watched {
	/** `kind path` of each edit, in order. */
	readonly edits: readonly string[];
	/** Notices that each receiver has taken, each id once. */
	readonly taken: readonly (readonly string[])[];
	/** Requests with a notice that a receiver had taken before. */
	readonly repeated: number;
	readonly kills: number;
	readonly counts: readonly NoticeCount[];
	readonly notices: readonly ReceivedNotice[];
}

/** A site of pages that a sitemap lists, which tests edit. */
class EditedSite {
	readonly edits: string[] = [];
	onRequest: () => void = () => {};
	readonly #texts = new Map<string, string>();
	readonly #gone = new Map<string, number>();
	readonly #moved = new Map<string, string>();
	readonly #terms = new Map<string, string>();
	readonly #server = createServer((request, response) => {
		this.onRequest();
		const path = request.url ?? '/';
		const text = this.#texts.get(path);
		const status = this.#gone.get(path) ?? (this.#moved.has(path) ? 301 : text === undefined ? 404 : 200);
		const terms = this.#terms.get(path);
		const location = this.#moved.get(path);
		response.writeHead(status, {
			'content-type': path.endsWith('.xml') ? 'application/xml' : 'text/html',
			...(location !== undefined && { location }),
			...(terms !== undefined && { 'x-robots-tag': terms }),
		});
		// Noise: every page has another number each time.
		response.end(status === 200 ? text?.replace('{count}', String(++this.#served)) : '');
	});
	#at = 0;
	#served = 1000;

	constructor(pages: number) {
		this.#texts.set('/', page('Home', 'A site of many pages.'));
		for (let number = 0; number < pages; number++)
			this.#texts.set(`/p/${number}`, page(`Page ${number}`, textOf(number)));
	}

	async start(): Promise<string> {
		this.#server.listen(0, '127.0.0.1');
		await once(this.#server, 'listening');
		const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
		this.#list(origin);
		return origin;
	}

	/** Edits of five kinds in turn; pages whose text has changed are changed once more in the next cycle. */
	edit(count: number, cycle: number, origin: string): void {
		for (let done = 0; done < count; done++) {
			const kind = pageChangeKinds[this.#at % pageChangeKinds.length] as PageChangeKind;
			const number = Math.floor(this.#at / pageChangeKinds.length);
			this.#at++;
			this.edits.push(`${kind} ${this.#edit(kind, number, cycle)}`);
		}
		this.#list(origin);
	}

	#edit(kind: PageChangeKind, number: number, cycle: number): string {
		// Each kind has pages of its own, but `changed` and `terms` come back to the same few.
		const [own, again] = [`/p/${10 * number + pageChangeKinds.indexOf(kind)}`, `/p/${10 * (number % 3) + 7}`];
		switch (kind) {
			case 'added':
				this.#texts.set(`/new/${number}`, page(`New ${number}`, textOf(100_000 + number)));
				return `/new/${number}`;
			case 'changed': {
				const path = this.#changed.has(again) ? own : again;
				this.#changed.add(path);
				this.#texts.set(path, page(`Changed ${path}`, `${textOf(number)} Price ${cycle * 100 + number} EUR.`));
				return path;
			}
			case 'gone':
				this.#gone.set(own, number % 2 === 0 ? 410 : 404);
				return own;
			case 'moved': {
				const text = this.#texts.get(own) ?? '';
				this.#texts.set(`/m/${number}`, text);
				this.#moved.set(own, `/m/${number}`);
				return own;
			}
			case 'terms':
				this.#terms.set(own, 'nosnippet');
				return own;
		}
	}

	/** Paths that were changed in this cycle. */
	readonly #changed = new Set<string>();

	#list(origin: string): void {
		this.#changed.clear();
		const urls = [...this.#texts.keys()].filter((path) => !path.endsWith('.xml'));
		this.#texts.set(
			'/sitemap.xml',
			`<urlset>${urls.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`,
		);
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}

const page = (title: string, text: string): string =>
	`<!doctype html><title>${title}</title><main><h1>${title}</h1>\n\n<p>${text}</p>\n\n<p>{count} views</p></main>`;
const textOf = (seed: number): string =>
	Array.from({ length: 30 }, (_, at) => `w${((seed + 1) * 7919 * (at + 3)) % 99_991}`).join(' ');

/** Watches a site in a process that is killed (SIGKILL), with one receiver that is down for a cycle and one that is slow. */
export async function watchAndKill({ pages, edits, kills, down, slow }: WatchPlan): Promise<Watched> {
	const folder = mkdtempSync(join(tmpdir(), 'wayleave-watch-'));
	const site = new EditedSite(pages);
	const origin = await site.start();
	let first = await startReceiver();
	const second = await startReceiver();
	second.after = slow;
	const store = `sqlite:${join(folder, 'crawl.db')}`;
	const places = [first.url, second.url];
	const before: ReceivedNotice[] = [];
	let killed = 0;
	try {
		for (let cycle = 0; cycle <= edits.length; cycle++) {
			if (cycle > 0) site.edit(edits[cycle - 1] ?? 0, cycle, origin);
			if (cycle === down) {
				before.push(...first.received);
				await first.close();
			}
			for (const moment of kills[cycle] ?? [])
				if (await crawlUntil(moment, site, second, [`${origin}/`, store, ...places])) killed++;
			// The first crawl is not killed, and needs no process of its own.
			if (cycle === 0) await crawlHere(`${origin}/`, store, places);
			else await crawl([`${origin}/`, store, ...places]);
			if (cycle === down) first = await startReceiver(Number(new URL(places[0] ?? '').port));
		}
		const opened = await openStore(store);
		const counts = (await opened.watch?.counts()) ?? [];
		await opened.close();
		const all = [[...before, ...first.received], second.received].map((list) =>
			list.filter(({ status }) => status < 300),
		);
		const once = all.map((list) => [...new Map(list.map((notice) => [notice.id, notice])).values()]);
		return {
			edits: site.edits,
			taken: once.map((list) => list.map(({ data }) => `${data.kind} ${new URL(data.url).pathname}`)),
			repeated: all.reduce((sum, list, at) => sum + list.length - (once[at]?.length ?? 0), 0),
			kills: killed,
			counts,
			notices: once[1] ?? [],
		};
	} finally {
		await Promise.all([site.close(), first.close(), second.close()]);
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Starts a crawl and kills it at a moment; false if it ended before. */
async function crawlUntil(
	moment: KillMoment,
	site: EditedSite,
	receiver: TestReceiver,
	more: string[],
): Promise<boolean> {
	const child = start(more);
	let [requests, notices] = [0, 0];
	await new Promise<void>((resolve) => {
		child.once('exit', () => resolve());
		site.onRequest = () => {
			if ('requests' in moment && ++requests >= moment.requests) resolve();
		};
		receiver.onNotice = (answered) => {
			if (!('notice' in moment) || answered !== moment.answered) return;
			if (++notices >= moment.notice) resolve();
		};
	});
	site.onRequest = () => {};
	receiver.onNotice = () => {};
	const isRunning = child.exitCode === null && child.signalCode === null;
	child.kill('SIGKILL');
	if (isRunning) await once(child, 'exit');
	return isRunning;
}

async function crawlHere(seed: string, store: string, urls: readonly string[]): Promise<void> {
	const watch = { receivers: urls.map((url) => ({ url, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })) };
	await crawlWith(simpleReader, [seed], { store, delay: 0, concurrency: 8, watch }).run();
}

async function crawl(more: string[]): Promise<void> {
	const child = start(more);
	const errors: string[] = [];
	child.stderr.on('data', (text) => errors.push(String(text)));
	child.stdout.resume();
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`the crawl ended with ${code}: ${errors.join('')}`);
}

function start(more: readonly string[]) {
	return spawn(process.execPath, [sourceProgram(script), ...more], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
}
