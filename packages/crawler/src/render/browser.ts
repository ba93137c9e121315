import type { Browser } from 'playwright-core';
import { type Processes, watchProcesses } from './processes.ts';
import { renderPage } from './render-page.ts';
import type { PageToRender, Rendering } from './types.ts';

/** Pages that are open at a time. */
const maxOpen = 2;

/**
 * The browser has no way out: names do not resolve, the proxy does not exist, and what a page asks for is answered from
 * here (`traffic.ts`). The rest keeps it from doing anything of its own accord.
 */
const flags = [
	'--host-resolver-rules=MAP * ~NOTFOUND',
	'--proxy-server=http://127.0.0.1:9',
	'--proxy-bypass-list=<-loopback>',
	'--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
	'--js-flags=--max-old-space-size=512',
];

/** A browser that runs. */
interface Running {
	readonly browser: Browser;
	readonly processes: Processes;
	/** Pages that it was given, and those of them that are not done. */
	pages: number;
	open: number;
}

/** Renders pages, no more than a few at a time, in a browser that is started for the first of them. */
export class PageBrowser {
	readonly #executable: string;
	readonly #userAgent: string;
	/** MiB that the process of a page may use. */
	readonly #memory: number;
	/** After which it is ended and another one started: what has leaked is given back. */
	readonly #pagesPerBrowser: number;
	readonly #waiting: (() => void)[] = [];
	#open = 0;
	/** The one that the next page is given to. */
	#running: Promise<Running> | undefined;
	/** With those whose last pages are open. */
	readonly #browsers = new Set<Browser>();
	#closed = false;

	constructor(executable: string, userAgent: string, memory: number, pagesPerBrowser = 200) {
		this.#executable = executable;
		this.#userAgent = userAgent;
		this.#memory = memory;
		this.#pagesPerBrowser = pagesPerBrowser;
	}

	async render(source: PageToRender): Promise<Rendering> {
		if (this.#open >= maxOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#open++;
		try {
			const rendering = await this.#render(source);
			// Another page may have taken the browser with it.
			return rendering.ok || rendering.browserLost !== true ? rendering : await this.#render(source);
		} catch (error) {
			return { ok: false, detail: (error as Error).message.replace(/\n.*/s, '') };
		} finally {
			const next = this.#waiting.shift();
			if (next === undefined) this.#open--;
			else next();
		}
	}

	async close(): Promise<void> {
		this.#closed = true;
		await this.#running?.catch(() => {});
		await Promise.all([...this.#browsers].map(end));
	}

	async #render(source: PageToRender): Promise<Rendering> {
		if (this.#closed) return { ok: false, detail: 'the crawl has ended' };
		const running = await this.#start();
		running.open++;
		if (++running.pages === this.#pagesPerBrowser) this.#running = undefined;
		const stop = new AbortController();
		const lost = () => stop.abort();
		running.browser.once('disconnected', lost);
		try {
			const { rendering, isStuck } = await renderPage(running.browser, source, this.#userAgent, stop.signal);
			// A stuck process would keep running.
			if (isStuck) await running.processes.kill();
			return rendering;
		} finally {
			running.browser.off('disconnected', lost);
			if (--running.open === 0 && running.pages >= this.#pagesPerBrowser) await end(running.browser);
		}
	}

	#start(): Promise<Running> {
		if (this.#running !== undefined) return this.#running;
		const running = this.#launch(() => {
			if (this.#running === running) this.#running = undefined;
		});
		running.catch(() => {
			this.#running = undefined;
		});
		this.#running = running;
		return running;
	}

	async #launch(onEnd: () => void): Promise<Running> {
		const { chromium } = await import('playwright-core');
		const isRoot = process.getuid?.() === 0;
		const browser = await chromium.launch({
			executablePath: this.#executable,
			args: flags,
			// Chromium has no sandbox for root.
			chromiumSandbox: !isRoot,
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
		});
		this.#browsers.add(browser);
		browser.once('disconnected', () => {
			this.#browsers.delete(browser);
			onEnd();
		});
		return { browser, processes: await watchProcesses(browser, this.#memory), pages: 0, open: 0 };
	}
}

const end = (browser: Browser): Promise<void> => browser.close().catch(() => {});
